"""The system on the second partition: what it is, whether it is whole, and what is installed. Read with debugfs, without root."""

import os
import re
from dataclasses import dataclass, field

from .problem import BROKEN_IMAGE, NOT_OURS, Problem, run

WANTED = "It must be Raspberry Pi OS Lite (64-bit) of Debian 13 (Trixie), or a card written with it."
ZONES = "/usr/share/zoneinfo"


@dataclass(frozen=True)
class System:
    architecture: str
    name: str
    status: bytes  # dpkg's
    installed: dict  # version by package
    accounts: dict  # user id by name
    booted: bool
    time_zones: object  # whether there is such a zone
    groups: dict = field(default_factory=dict)  # group id by name
    host_name: str = ""  # of a card that was started already

    def libcamera(self):
        return next((name for name in self.installed if re.fullmatch(r"libcamera[0-9.]+", name)), None)


class Ext4:
    """An ext4 partition at `start` of an image or device."""

    def __init__(self, file, path, start, length, name):
        file.seek(start + 1024)
        block = file.read(1024)
        if block[56:58] != b"\x53\xef":
            raise Problem(BROKEN_IMAGE, f"{name}: its second partition holds no ext4 file system: it is half written, or of another system. {WANTED}")
        blocks = int.from_bytes(block[4:8], "little") | int.from_bytes(block[0x150:0x154], "little") << 32
        size = blocks * (1024 << int.from_bytes(block[24:28], "little"))
        if size > length:
            raise Problem(BROKEN_IMAGE, f"{name}: its system has {size} bytes, and its partition only {length}: it is half written. Write it again.")
        self.wants_recovery = bool(int.from_bytes(block[96:100], "little") & 4)
        self.name = name
        self.place = f"{path}?offset={start}"

    def read(self, path):
        """A file's bytes; None if it isn't there, or is a link."""
        done = run(["debugfs", "-R", f"cat {path}", self.place], check=False)
        said = done.stderr.decode(errors="replace")
        if "File not found" in said or "not a regular file" in said.lower():
            return None
        return done.stdout if done.returncode == 0 else None

    def look(self, path):
        """What is there as debugfs has it (regular, directory, symlink; None for nothing), and where a link leads. Paths never hold blanks or quotes."""
        said = run(["debugfs", "-R", f"stat {path}", self.place], check=False).stdout.decode(errors="replace")
        kind = re.match(r"Inode: \d+ +Type: (\w+)", said)
        link = re.search(r'^Fast link dest: "([^" ]*)"$', said, re.MULTILINE)
        return kind and kind.group(1), link.group(1) if link else ""

    def check(self):
        """Every block group's tables: a card whose writing broke off has holes there. File contents aren't looked at."""
        if self.wants_recovery:
            raise Problem(BROKEN_IMAGE, f"{self.name}: it was in use and not shut down. Start the Pi with it, run \"sudo poweroff\", and try again. Where nobody can "
                                        "log in, let this machine finish what was being written, on the card's second partition: sudo e2fsck -p /dev/sdX2 "
                                        "(lsblk shows its name). Or write the image again.")
        done = run(["e2fsck", "-f", "-n", self.place], check=False)
        if done.returncode & ~1:
            raise Problem(BROKEN_IMAGE, f"{self.name}: its system isn't whole ({first_finding(done.stdout) or 'e2fsck: ' + str(done.returncode)}): "
                                        "it is half written, or damaged. Write the image again.")


def first_finding(said):
    """What e2fsck has found first, without the question that follows it, on its line or on the next one ("Clear? no")."""
    lines = (re.sub(r"(^|\s+)[A-Z][^.?]*\? (no|yes)$", "", line.strip()).rstrip(".") for line in said.decode(errors="replace").splitlines())
    return next((line for line in lines if line and not line.startswith("Pass ")), "")


def read_system(ext4):
    """Raises Problem for a system that this can't be put on."""
    release = ext4.read("/usr/lib/os-release")
    status = ext4.read("/var/lib/dpkg/status")
    if not release or not status:
        raise Problem(NOT_OURS, f"{ext4.name}: its system isn't a Debian. {WANTED}")
    words = dict(line.split("=", 1) for line in release.decode(errors="replace").splitlines() if "=" in line)
    name = words.get("PRETTY_NAME", "").strip('"') or "an unnamed system"
    codename = words.get("VERSION_CODENAME", "").strip('"')
    if words.get("ID", "").strip('"') not in ("debian", "raspbian") or codename != "trixie":
        raise Problem(NOT_OURS, f"{ext4.name} holds {name}. {WANTED}")
    installed, architectures = read_status(status)
    architecture = architectures.get("dpkg", "unknown")
    if architecture not in ("arm64", "amd64"):
        raise Problem(NOT_OURS, f"{ext4.name} holds {name} for {architecture}, and ScanStation is for 64 bits. Take the 64-bit image.")
    if "cloud-init" not in installed:
        raise Problem(NOT_OURS, f"{ext4.name} holds {name} without cloud-init, which sets a new card up at its first boot. "
                                "Take an image of November 2025 or later.")
    booted = ext4.look("/var/lib/cloud/instance")[0] is not None
    host_name = (ext4.read("/etc/hostname") or b"").decode(errors="replace").strip() if booted else ""
    return System(architecture, name, status, installed, read_ids(ext4.read("/etc/passwd")), booted,
                  lambda zone: has_zone(ext4, zone), read_ids(ext4.read("/etc/group")), host_name)


def has_zone(ext4, zone):
    """A file of tzfile(5), or a link to one. Folders are none, and neither is `localtime`, which leads out to /etc and back."""
    path = f"{ZONES}/{zone}"
    for _ in range(8):
        kind, link = ext4.look(path)
        if kind != "symlink":
            return kind == "regular" and (ext4.read(path) or b"").startswith(b"TZif")
        path = os.path.normpath(os.path.join(os.path.dirname(path), link))
        if not path.startswith(f"{ZONES}/"):
            return False
    return False


def read_ids(file):
    """Ids by name of /etc/passwd or /etc/group: name, password, id."""
    lines = (line.split(":") for line in (file or b"").decode(errors="replace").splitlines())
    return {fields[0]: int(fields[2]) for fields in lines if len(fields) > 3 and fields[2].isdigit()}


def read_status(status):
    """Versions of installed packages, and architectures, by package."""
    installed, architectures = {}, {}
    for paragraph in status.decode(errors="replace").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in paragraph.splitlines() if ": " in line and not line.startswith(" "))
        if fields.get("Status", "").endswith(" installed") and "Package" in fields:
            installed[fields["Package"]] = fields.get("Version", "")
            architectures[fields["Package"]] = fields.get("Architecture", "")
    return installed, architectures
