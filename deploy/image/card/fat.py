"""The boot partition: how much room it has, and its files, which Debian's mtools read and write at an offset without root."""

import os
import struct
import tempfile

from .problem import BROKEN_IMAGE, NOT_OURS, Problem, run


class Fat:
    """A FAT partition at `start` of the image or device `path`. Paths in it are like "scanstation/apt/Packages"."""

    def __init__(self, file, path, start, length, name):
        self.path = path
        self.start = start
        self.name = name
        file.seek(start)
        boot = file.read(512)
        bytes_per_sector, per_cluster, reserved, fats, _, small, _, per_fat = struct.unpack("<HBHBHHBH", boot[11:24])
        if boot[510:512] != b"\x55\xaa" or bytes_per_sector not in (512, 1024, 2048, 4096) or per_cluster not in (1, 2, 4, 8, 16, 32, 64, 128):
            raise Problem(BROKEN_IMAGE, f"{name}: its boot partition holds no FAT file system: it is half written, or of another system. "
                                        "Write the image again.")
        large, large_per_fat = struct.unpack("<II", boot[32:40])
        self.cluster = bytes_per_sector * per_cluster
        self._sectors = small or large
        self._per_fat = per_fat or large_per_fat
        self._wide = per_fat == 0
        root_sectors = (struct.unpack("<H", boot[17:19])[0] * 32 + bytes_per_sector - 1) // bytes_per_sector
        self._clusters = (self._sectors - reserved - fats * self._per_fat - root_sectors) // per_cluster
        self._table = start + reserved * bytes_per_sector
        if self._sectors * bytes_per_sector > length or not 4085 <= self._clusters <= self._per_fat * bytes_per_sector // (4 if self._wide else 2):
            raise Problem(BROKEN_IMAGE, f"{name}: its boot partition's FAT file system doesn't fit its size. Write the image again.")

    def free_bytes(self, file):
        """Counted in the table itself: the count that the file system keeps of it is only a hint."""
        file.seek(self._table)
        width = 4 if self._wide else 2
        table = file.read((self._clusters + 2) * width)
        if len(table) < (self._clusters + 2) * width:
            raise Problem(BROKEN_IMAGE, f"{self.name}: its boot partition's table can't be read. Write the image again.")
        entries = struct.unpack(f"<{len(table) // width}{'I' if self._wide else 'H'}", table)
        return sum(1 for entry in entries[2:] if entry & 0x0FFFFFFF == 0) * self.cluster

    def room_for(self, length):
        """What a file of `length` bytes takes."""
        return -(-length // self.cluster) * self.cluster

    # Files

    def _mtools(self, program, *arguments, check=True, data=None):
        # The tools ask before they overwrite, and complain of geometries that only floppies have.
        environment = {**os.environ, "MTOOLS_SKIP_CHECK": "1", "MTOOLSRC": "/dev/null", "MTOOLS_NO_VFAT": "0"}
        more = {} if data is None else {"input": data}
        done = run([program, "-i", f"{self.path}@@{self.start}", *arguments], check=False, env=environment, **more)
        if check and done.returncode != 0:
            raise Problem(BROKEN_IMAGE, f"{self.name}: {program} {' '.join(arguments)} failed: {done.stderr.decode(errors='replace').strip()}")
        return done

    def list(self, folder):
        """Paths of all files in a folder and those below it. Empty if it isn't there."""
        done = self._mtools("mdir", "-b", "-s", "-a", f"::/{folder}", check=False)
        lines = done.stdout.decode().splitlines() if done.returncode == 0 else []
        return [line[3:] for line in lines if line.startswith("::/") and not line.endswith("/")]

    def read(self, path):
        """A file's bytes; None if it isn't there."""
        done = self._mtools("mtype", f"::/{path}", check=False)
        return done.stdout if done.returncode == 0 else None

    def write(self, path, data):
        """Makes the folders that are missing, and leaves alone what is the same already. Says whether it wrote."""
        if self.read(path) == data:
            return False
        for place, character in enumerate(path):
            if character == "/":
                self._mtools("mmd", "-D", "s", f"::/{path[:place]}", check=False)
        with tempfile.NamedTemporaryFile() as source:
            source.write(data)
            source.flush()
            self._mtools("mcopy", "-o", source.name, f"::/{path}")
        return True

    def delete(self, path):
        self._mtools("mdel", f"::/{path}")


def looks_like_a_pi(fat):
    """Raises Problem where the firmware's files are missing."""
    missing = [name for name in ("cmdline.txt", "config.txt") if fat.read(name) is None]
    if missing:
        raise Problem(NOT_OURS, f"{fat.name}: its first FAT partition has no {' and no '.join(missing)}: that is another system's. "
                                "It must be the image of Raspberry Pi OS Lite (64-bit), or a card written with it.")
