"""A block device before it is written to: that it is a card, that nothing uses it, that it isn't this machine's own disk.

Looked at twice, as a card can be changed while a question is being answered. `root` is where /proc and /sys are, for tests.
"""

import os
import re
import stat
from dataclasses import dataclass

try:
    import fcntl
except ImportError:  # Windows: need_tools says what to do
    fcntl = None

from .problem import NO_INPUT, NO_PERMISSION, NOT_OURS, Problem

SYSTEM_PLACES = ("/", "/boot", "/usr", "/var", "/home", "/opt", "/srv", "/etc")
# linux/fs.h: writes and drops what the kernel holds of a block device.
BLKFLSBUF = 0x1261


@dataclass(frozen=True)
class Device:
    """`identity` is what must be the same at the second look."""

    path: str
    description: str
    size: int
    identity: tuple


def is_device(path):
    try:
        return stat.S_ISBLK(os.stat(path).st_mode)
    except OSError:
        return False


def look(path, root="/", numbers=None):
    """Raises Problem for what must not be written to. `numbers`: the device's major and minor, for tests."""
    if numbers is None:
        device = os.stat(path).st_rdev
        numbers = (os.major(device), os.minor(device))
    folder = os.path.realpath(os.path.join(root, "sys/dev/block", f"{numbers[0]}:{numbers[1]}"))
    if not os.path.isdir(folder):
        raise Problem(NO_INPUT, f"{path}: the kernel knows no such disk. Is the card in?")
    if os.path.exists(os.path.join(folder, "partition")):
        whole = os.path.basename(os.path.dirname(folder))
        raise Problem(NOT_OURS, f"{path} is a partition: name the whole card, /dev/{whole}")
    name = os.path.basename(folder)
    if not re.match(r"sd[a-z]|mmcblk\d|vd[a-z]|nvme\d|loop\d|nbd\d", name):
        raise Problem(NOT_OURS, f"{path} isn't a card: it is built upon other disks. Name the card itself")
    parts = [folder, *(os.path.join(folder, entry) for entry in sorted(os.listdir(folder)) if os.path.exists(os.path.join(folder, entry, "partition")))]
    own = {_read(part, "dev") for part in parts}
    mounted = _mounts(root, own)
    swaps = _swaps(root, {os.path.basename(part) for part in parts})
    holders = [entry for part in parts if os.path.isdir(os.path.join(part, "holders")) for entry in os.listdir(os.path.join(part, "holders"))]
    if any(place in SYSTEM_PLACES or place.startswith(("/boot/", "/usr/", "/var/")) for place in mounted) or swaps or holders:
        why = f"it is mounted at {', '.join(mounted)}" if mounted else "it is swapped to" if swaps else f"{holders[0]} is built upon it"
        raise Problem(NOT_OURS, f"{path} is a disk of this machine's own system ({why}). Nothing was written. `lsblk` shows which one the card is")
    if mounted:
        raise Problem(NOT_OURS, f"{path} is in use: it is mounted at {', '.join(mounted)}. Unmount it first: sudo umount {' '.join(mounted)}")
    removable = _read(folder, "removable") == "1" or "/usb" in folder or _read(folder, "device/type") == "SD" or name.startswith(("loop", "nbd"))
    if not removable:
        raise Problem(NOT_OURS, f"{path} is neither a card nor on USB: it is built into this machine. Nothing was written. `lsblk` shows which one the card is")
    if _read(folder, "ro") == "1":
        raise Problem(NO_PERMISSION, f"{path} is read-only: a card has a small slide at its side, which must be up")
    size = int(_read(folder, "size") or 0) * 512
    if not size:
        raise Problem(NO_INPUT, f"{path} is empty: there is no card in the reader")
    model = " ".join(filter(None, (_read(folder, "device/vendor"), _read(folder, "device/model") or _read(folder, "device/name")))) or "a disk without a name"
    identity = (folder, size, model, _read(folder, "device/serial") or _read(folder, "device/cid"), _read(folder, "diskseq"))
    return Device(path, f"{model}, {size / 1e9:.1f} GB, {path}", size, identity)


def settle(file):
    """All that was written, by whatever program, goes to the card; and the kernel's copy of it is dropped, so that a read asks the card."""
    file.flush()
    os.fsync(file.fileno())
    # What isn't on the card yet would stay.
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if is_device(file.fileno()):
        try:
            fcntl.ioctl(file, BLKFLSBUF)
        except OSError:
            # For root alone, and some readers have none. The advice above is mostly taken.
            pass


def _read(folder, name):
    try:
        with open(os.path.join(folder, name)) as file:
            return file.read().strip()
    except OSError:
        return ""


def _mounts(root, numbers):
    """Where these devices are mounted, by anybody's view of the file system."""
    try:
        with open(os.path.join(root, "proc/self/mountinfo")) as file:
            lines = [line.split() for line in file]
    except OSError as error:
        raise Problem(NO_INPUT, f"what is mounted can't be seen (/proc/self/mountinfo: {error.strerror}), so nothing is written") from None
    return [line[4] for line in lines if len(line) > 4 and line[2] in numbers]


def _swaps(root, names):
    try:
        with open(os.path.join(root, "proc/swaps")) as file:
            return [line.split()[0] for line in file.readlines()[1:] if os.path.basename(line.split()[0]) in names]
    except OSError:
        return []
