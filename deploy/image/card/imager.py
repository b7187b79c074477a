"""Raspberry Pi Imager's list of systems: an entry for ours, and what its schema asks of one.

Facts of Imager's doc/json-schema/os-list-schema.json as of July 2026: which keys must be there, of which type, and which words are allowed.
And of its source (src/imagewriter.cpp, August 2026): `url` is taken as it is. With file: it is a file of Imager's own computer; without a scheme it
would be fetched. Nothing is looked for beside the manifest.
"""

import re

# 64-bit only; a Zero 2 W counts as a Pi 3.
DEVICES = ["pi5-64bit", "pi4-64bit", "pi3-64bit"]
ICON = ("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'%3E%3Cpath d='M4 8h3v24H4zM9 8h2v24H9zM14 8h5v24h-5zM22 8h2v24h-2z"
        "M27 8h4v24h-4zM34 8h2v24h-2z'/%3E%3C/svg%3E")
REQUIRED = {"name": str, "description": str, "icon": str, "url": str, "extract_size": int, "extract_sha256": str, "image_download_size": int,
            "release_date": str, "devices": list}
OPTIONAL = {"init_format": str, "website": str, "architecture": str, "capabilities": list, "bmap_url": str, "random": bool, "tooltip": str,
            "enable_rpi_connect": bool}
INIT_FORMATS = {"", "systemd", "cloudinit", "cloudinit-rpi", "rpi-preseed", "none"}
CAPABILITIES = {"rpi_connect", "secure_boot", "passwordless_sudo", "i2c", "spi", "onewire", "serial", "usb_otg"}


def entry(name, url, size, digest, packed_size, date):
    return {"name": name, "description": "Raspberry Pi OS Lite (64-bit) that installs ScanStation at its first boot", "icon": ICON, "url": url,
            "extract_size": size, "extract_sha256": digest, "image_download_size": packed_size, "release_date": date,
            # What makes Imager ask, and write user-data, meta-data and network-config; ours is in vendor-data.
            "init_format": "cloudinit-rpi", "architecture": "armv8", "devices": DEVICES}


def check_manifest(manifest):
    """What Imager's schema says against it."""
    problems = [f"there is no key \"{key}\" at the top" for key in manifest if key not in ("imager", "os_list")]
    if not isinstance(manifest.get("os_list"), list) or not manifest["os_list"]:
        return problems + ["os_list must be a list with an entry"]
    for number, system in enumerate(manifest["os_list"]):
        where = f"os_list[{number}]"
        for key, kind in REQUIRED.items():
            if key not in system:
                problems.append(f"{where} has no {key}")
        for key, kind in {**REQUIRED, **OPTIONAL}.items():
            value = system.get(key)
            if key in system and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
                problems.append(f"{where}.{key} must be {kind.__name__}")
        if system.get("init_format", "") not in INIT_FORMATS:
            problems.append(f"{where}.init_format is none of {', '.join(sorted(INIT_FORMATS - {''}))}")
        unknown = set(system.get("capabilities") or ()) - CAPABILITIES
        if unknown:
            problems.append(f"{where}.capabilities: {', '.join(sorted(unknown))}")
        if not re.fullmatch(r"[0-9a-f]{64}", str(system.get("extract_sha256"))):
            problems.append(f"{where}.extract_sha256 is no SHA-256")
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", str(system.get("release_date"))):
            problems.append(f"{where}.release_date isn't YYYY-MM-DD")
    return problems
