"""What cloud-init is told on the FAT partition.

Ours is in `vendor-data`: Raspberry Pi Imager writes user-data, meta-data and network-config over, and leaves that one alone. What
user-data says wins over it, key by key. The Wi-Fi has no place there: `network-config` is written when a network is given.
"""

import json
import re

from .answers import GROUPS
from .hashes import login_hash, wifi_key

MADE_BY = "# Made by ScanStation's deploy/image/prepare, which writes it again when it is run again."


def quoted(text):
    """JSON's strings are YAML's, but for characters that YAML takes no file with, or for ends of lines: DEL, C1 and a few more."""
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def vendor_data(answers, boothook):
    """An archive of two parts: what cloud-init does by itself, and a hook that it runs at every boot."""
    return "\n".join(["#cloud-config-archive", MADE_BY,
                      "- type: text/cloud-config", "  content: |", _indented(cloud_config(answers)),
                      "- type: text/cloud-boothook", "  content: |", _indented(boothook)]) + "\n"


def _indented(text):
    return "\n".join("    " + line if line else "" for line in text.splitlines())


def cloud_config(answers):
    lines = ["#cloud-config", f"hostname: {quoted(answers['hostName'])}", "manage_etc_hosts: true", f"timezone: {quoted(answers['timeZone'])}"]
    if answers["user"]:
        password = answers["userPassword"]
        lines += ["users:", f"- name: {quoted(answers['user'])}", f"  groups: {GROUPS}", "  shell: /bin/bash"]
        # `passwd` counts only where cloud-init makes the user: one of the image's, such as pi, would keep a locked password.
        lines += [f"  hashed_passwd: {quoted(login_hash(password))}", "  lock_passwd: false"] if password else ["  lock_passwd: true"]
        if answers["sshKey"]:
            lines += ["  ssh_authorized_keys:", f"  - {quoted(answers['sshKey'])}"]
        # As the vendor's own first user: without a password to ask for, sudo can't ask.
        if not password:
            lines += ["  sudo: ALL=(ALL) NOPASSWD:ALL"]
        # The vendor's cloud-init knows this key; ours switches ssh on as well, in first-boot.
        lines += ["enable_ssh: true", f"ssh_pwauth: {'true' if password and not answers['sshKey'] else 'false'}"]
    return "\n".join(lines) + "\n"


def network_config(answers, old):
    """None where the answers name no Wi-Fi: what is there stays, unless an earlier run has made it."""
    if not answers["wifiName"]:
        return f"{MADE_BY}\n# No Wi-Fi was named: the system's own default counts.\n" if old.startswith(MADE_BY) else None
    lines = [MADE_BY, "network:", "  version: 2",
             # A network-config takes the place of the system's own default: the cable must go on working.
             "  ethernets:", "    eth0:", "      dhcp4: true", "      dhcp6: true", "      optional: true",
             "  wifis:", "    wlan0:", "      dhcp4: true", "      optional: true", f"      regulatory-domain: {quoted(answers['wifiCountry'])}",
             "      access-points:", f"        {quoted(answers['wifiName'])}:"]
    if answers["wifiHidden"]:
        lines += ["          hidden: true"]
    if answers["wifiPassword"]:
        lines += [f"          password: {quoted(wifi_key(answers['wifiName'], answers['wifiPassword']))}"]
    else:
        lines += ["          auth:", "            key-management: none"]
    return "\n".join(lines) + "\n"
