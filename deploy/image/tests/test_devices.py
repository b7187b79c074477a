"""Which disks are written to, by what the kernel says of them: folders that look like /sys and /proc; and that what was written is read from the disk."""

import os
import shutil
import tempfile
import unittest
from unittest import mock

from card import devices
from card.devices import look
from card.plan import Plan
from card.problem import Problem


class Disks(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="devices-test-")
        self.addCleanup(shutil.rmtree, self.root)
        self.write("proc/self/mountinfo", "22 1 8:2 / / rw - ext4 /dev/sda2 rw\n")
        self.write("proc/swaps", "Filename Type Size Used Priority\n")

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def disk(self, name="sdb", numbers="8:16", where="usb1/1-1", parts=("8:17",), **files):
        folder = f"sys/devices/{where}/block/{name}"
        for key, text in {"dev": numbers, "size": "62333952", "removable": "1", "ro": "0", "device/vendor": "Generic", "device/model": "Card Reader", **files}.items():
            self.write(f"{folder}/{key}", text + "\n")
        for number, dev in enumerate(parts, 1):
            self.write(f"{folder}/{name}{number}/partition", f"{number}\n")
            self.write(f"{folder}/{name}{number}/dev", dev + "\n")
            os.makedirs(os.path.join(self.root, folder, f"{name}{number}", "holders"), exist_ok=True)
        os.makedirs(os.path.join(self.root, "sys/dev/block"), exist_ok=True)
        os.symlink(os.path.join(self.root, folder), os.path.join(self.root, "sys/dev/block", numbers))
        for number, dev in enumerate(parts, 1):
            os.symlink(os.path.join(self.root, folder, f"{name}{number}"), os.path.join(self.root, "sys/dev/block", dev))
        return folder

    def look(self, numbers=(8, 16)):
        return look("/dev/sdb", root=self.root, numbers=numbers)

    def refused(self, *words, numbers=(8, 16)):
        with self.assertRaises(Problem) as caught:
            self.look(numbers)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_a_card_in_a_reader(self):
        self.disk()
        self.assertEqual(self.look().description, "Generic Card Reader, 31.9 GB, /dev/sdb")

    def test_a_built_in_slot(self):
        self.disk(where="platform/mmc0", removable="0", **{"device/type": "SD", "device/vendor": "", "device/model": "", "device/name": "SC32G"})
        self.assertIn("SC32G", self.look().description)

    def test_another_card_is_noticed(self):
        folder = self.disk(diskseq="7")
        first = self.look()
        self.write(f"{folder}/diskseq", "8\n")
        self.assertNotEqual(self.look().identity, first.identity)

    def test_the_system_s_disk(self):
        self.write("proc/self/mountinfo", "22 1 8:17 / / rw - ext4 /dev/sdb1 rw\n")
        self.disk()
        self.refused("this machine's own system", "Nothing was written")

    def test_swap_and_what_is_built_upon_it(self):
        folder = self.disk()
        self.write("proc/swaps", "Filename Type Size Used Priority\n/dev/sdb1 partition 1 0 -2\n")
        self.refused("swapped to")
        self.write("proc/swaps", "Filename\n")
        os.makedirs(os.path.join(self.root, folder, "sdb1/holders/dm-0"))
        self.refused("dm-0")

    def test_mounted_by_a_desktop(self):
        self.write("proc/self/mountinfo", "22 1 8:17 / /media/anna/bootfs rw - vfat /dev/sdb1 rw\n")
        self.disk()
        self.refused("sudo umount /media/anna/bootfs")

    def test_built_in(self):
        self.disk(where="pci0/ata1", removable="0")
        self.refused("neither a card nor on USB")

    def test_a_partition(self):
        self.disk()
        self.refused("is a partition", "/dev/sdb", numbers=(8, 17))

    def test_the_slide(self):
        self.disk(ro="1")
        self.refused("read-only", "slide")

    def test_an_empty_reader_and_none(self):
        self.disk(size="0")
        self.refused("no card in the reader")
        self.refused("no such disk", numbers=(9, 9))


class Card:
    """A FAT partition on a card that keeps nothing: what was written is in the kernel's memory until that is dropped."""

    name = "/dev/sdb"

    def __init__(self):
        self.memory = {}

    def write(self, path, data):
        self.memory[path] = data
        return True

    def read(self, path):
        return self.memory.get(path)


class ReadBack(unittest.TestCase):
    def test_a_card_that_keeps_nothing_is_noticed(self):
        card, plan = Card(), Plan(files={"config.txt": b"a=1"})
        with self.assertRaisesRegex(Problem, "config.txt doesn't read back"):
            plan.carry_out(card, card.memory.clear)
        plan.carry_out(card, lambda: None)

    def test_prepare_drops_what_the_kernel_holds_when_it_is_on_the_card(self):
        for device, refuses in ((False, False), (True, False), (True, True)):
            calls = mock.Mock()
            calls.all.side_effect = PermissionError if refuses else None
            with tempfile.NamedTemporaryFile() as file, mock.patch.object(devices, "is_device", return_value=device), \
                    mock.patch("os.fsync", calls.flush), mock.patch("os.posix_fadvise", calls.drop), mock.patch("fcntl.ioctl", calls.all):
                devices.settle(file)
                wanted = [mock.call.flush(file.fileno()), mock.call.drop(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)]
            self.assertEqual(calls.mock_calls, wanted + [mock.call.all(file, 0x1261)] * device)
