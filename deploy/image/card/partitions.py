"""The partition table of an image or a card, MBR or GPT: where the boot partition and the system are.

The firmware of a Pi reads a FAT partition, and takes the first; the vendor's images have two partitions in an MBR, FAT of 512 MiB and ext4.
"""

import struct
import uuid
import zlib
from dataclasses import dataclass

from .problem import BROKEN_IMAGE, NOT_OURS, Problem

SECTOR = 512
FAT_TYPES = {0x01, 0x04, 0x06, 0x0B, 0x0C, 0x0E, 0xEF}
LINUX_TYPE = 0x83
GPT_TYPE = 0xEE
FAT_GUIDS = {uuid.UUID("c12a7328-f81f-11d2-ba4b-00a0c93ec93b"),  # EFI system
             uuid.UUID("ebd0a0a2-b9e5-4433-87c0-68b6b72699c7")}  # basic data
LINUX_GUIDS = {uuid.UUID("0fc63daf-8483-4772-8e79-3d69d8477de4"),  # Linux file system
               uuid.UUID("b921b045-1df0-41c3-af44-4c6f280d3fae"),  # root, arm64
               uuid.UUID("4f68bce3-e8cd-4db1-96e7-fbcaf984b709")}  # root, amd64
# An image that is still packed, or something else altogether: the first bytes, what it is, and what unpacks it.
PACKED = [
    (b"\xfd7zXZ\0", "packed with xz", "unxz --keep"),
    (b"\x1f\x8b", "packed with gzip", "gunzip --keep"),
    (b"PK\x03\x04", "a zip archive", "unzip"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd", "unzstd"),
    (b"BZh", "packed with bzip2", "bunzip2 --keep"),
]


@dataclass(frozen=True)
class Partition:
    """Place and length in bytes; `kind` is "fat", "linux" or "other" by the table's word."""

    number: int
    start: int
    length: int
    kind: str

    @property
    def end(self):
        return self.start + self.length


@dataclass(frozen=True)
class Table:
    scheme: str
    partitions: tuple

    def first(self, kind):
        return next((partition for partition in self.partitions if partition.kind == kind), None)


def read_table(file, size, name):
    """The table of an open image. Raises Problem for everything that isn't a whole disk image with one."""
    file.seek(0)
    head = file.read(2 * SECTOR)
    for magic, what, tool in PACKED:
        if head.startswith(magic):
            raise Problem(NOT_OURS, f"{name} is {what}, and only a card or an unpacked image can be changed. Unpack it first: {tool} {name}")
    if len(head) < 2 * SECTOR:
        raise Problem(BROKEN_IMAGE, f"{name} has {len(head)} bytes: that isn't an image of a card. Download or copy it again.")
    if head[510:512] != b"\x55\xaa":
        raise Problem(NOT_OURS, f"{name} has no partition table. It must be the image of Raspberry Pi OS Lite (64-bit), or a card written with it.")
    entries = [_mbr_entry(number, head[446 + 16 * number:462 + 16 * number]) for number in range(4)]
    if any(kind == GPT_TYPE for _, kind, _, _ in entries):
        table = Table("gpt", tuple(_gpt(file, head[SECTOR:], size, name)))
    else:
        table = Table("mbr", tuple(Partition(number, start * SECTOR, length * SECTOR, _mbr_kind(kind))
                                   for number, kind, start, length in entries if kind and length))
    for partition in table.partitions:
        if partition.end > size:
            raise Problem(BROKEN_IMAGE, f"{name} ends at byte {size}, and its partition {partition.number} goes on to byte {partition.end}: "
                                        "it is half written. Download or write it again.")
    return table


def _mbr_entry(number, entry):
    start, length = struct.unpack("<II", entry[8:16])
    return number + 1, entry[4], start, length


def _mbr_kind(kind):
    return "fat" if kind in FAT_TYPES else "linux" if kind == LINUX_TYPE else "other"


def _gpt(file, header, size, name):
    damaged = f"{name}: its partition table (GPT) is damaged. Write the card again."
    signature, _, header_size, header_sum = struct.unpack("<8sIII", header[:20])
    place, count, entry_size, entries_sum = struct.unpack("<QIII", header[72:92])
    if signature != b"EFI PART" or not 92 <= header_size <= SECTOR or entry_size not in (128, 256, 512) or not 0 < count <= 512:
        raise Problem(BROKEN_IMAGE, damaged)
    if zlib.crc32(header[:16] + bytes(4) + header[20:header_size]) != header_sum:
        raise Problem(BROKEN_IMAGE, damaged)
    if place * SECTOR + count * entry_size > size:
        raise Problem(BROKEN_IMAGE, damaged)
    file.seek(place * SECTOR)
    entries = file.read(count * entry_size)
    if zlib.crc32(entries) != entries_sum:
        raise Problem(BROKEN_IMAGE, damaged)
    for number in range(count):
        entry = entries[number * entry_size:(number + 1) * entry_size]
        kind = uuid.UUID(bytes_le=entry[:16])
        if kind.int == 0:
            continue
        first, last = struct.unpack("<QQ", entry[32:48])
        if last < first:
            raise Problem(BROKEN_IMAGE, damaged)
        yield Partition(number + 1, first * SECTOR, (last - first + 1) * SECTOR,
                        "fat" if kind in FAT_GUIDS else "linux" if kind in LINUX_GUIDS else "other")
