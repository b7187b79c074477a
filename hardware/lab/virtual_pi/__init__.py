"""The virtual Pi: a machine in QEMU that installs ScanStation's package and is watched from outside."""
