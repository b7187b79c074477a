"""The manifest for Raspberry Pi Imager, and that a wrong one is noticed."""

import fcntl
import hashlib
import json
import lzma
import os
import shutil
import subprocess
import tempfile
import unittest

from card.fat import Fat
from card.imager import check_manifest, entry
from card.partitions import read_table

from . import made_up

MANIFEST = os.path.join(os.path.dirname(made_up.PREPARE), "manifest")


class Manifest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="manifest-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *arguments):
        return subprocess.run([MANIFEST, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def prepared(self):
        image = os.path.join(self.folder, "my card.img")
        os.replace(made_up.image(self.folder), image)
        with open(image, "rb") as file:
            boot = read_table(file, os.path.getsize(image), "my card.img").first("fat")
            Fat(file, image, boot.start, boot.length, "my card.img").write("scanstation/settings", b"version=0.1.0\n")
        return image

    def test_an_image_that_is_not_prepared_or_just_now(self):
        done = self.run_it(made_up.image(self.folder))
        self.assertEqual((done.returncode, "isn't prepared yet" in done.stderr), (69, True), done.stderr)
        with open(self.prepared(), "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            done = self.run_it(file.name)
        self.assertEqual((done.returncode, "is being prepared" in done.stderr), (77, True), done.stderr)

    def test_wrong_use_and_a_folder_that_is_not_there(self):
        self.assertEqual(self.run_it().returncode, 64)
        self.assertEqual(self.run_it(self.prepared(), "-o", os.path.join(self.folder, "missing", "x")).returncode, 66)

    def test_an_image_and_the_same_packed(self):
        image = self.prepared()
        packed = image + ".xz"
        with open(image, "rb") as file, lzma.open(packed, "w") as out:
            out.write(file.read())
        for path in (image, packed):
            done = self.run_it(path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("note: my card.img.xz is packed, so it isn't known whether it is prepared" in done.stdout, path == packed)
            with open(path + ".rpi-imager-manifest", encoding="utf-8") as file:
                made = json.load(file)
            self.assertEqual(check_manifest(made), [])
            system = made["os_list"][0]
            with open(image, "rb") as file:
                self.assertEqual(system["extract_sha256"], hashlib.sha256(file.read()).hexdigest())
            self.assertEqual((system["extract_size"], system["image_download_size"]), (os.path.getsize(image), os.path.getsize(path)))
            self.assertEqual((system["init_format"], system["url"].startswith("file:///"), "%20" in system["url"]), ("cloudinit-rpi", True, True))

    def test_an_image_that_imager_finds_elsewhere(self):
        image = self.prepared()
        for given, wanted in (("C:\\Users\\Anna B\\card.img", "file:///C:/Users/Anna%20B/card.img"), ("D:/card.img", "file:///D:/card.img"),
                              ("\\\\nas\\share\\card.img", "file://nas/share/card.img"), ("/Users/anna/ä.img", "file:///Users/anna/%C3%A4.img"),
                              ("https://example.org/card.img", "https://example.org/card.img")):
            done = self.run_it(image, "--url", given)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"finds the image at {wanted}.", done.stdout)
            with open(image + ".rpi-imager-manifest", encoding="utf-8") as file:
                self.assertEqual(json.load(file)["os_list"][0]["url"], wanted)
        for given in ("card.img", "./card.img", "C:card.img", "file:card.img", "~/card.img"):
            done = self.run_it(image, "--url", given)
            self.assertEqual((done.returncode, f"--url {given} is neither an address" in done.stderr), (64, True), done.stderr)

    def test_what_is_no_image(self):
        self.assertEqual(self.run_it(os.path.join(self.folder, "none.img")).returncode, 66)
        broken = os.path.join(self.folder, "a.img.xz")
        with open(broken, "wb") as file:
            file.write(b"\xfd7zXZ\0" + bytes(100))
        done = self.run_it(broken)
        self.assertEqual((done.returncode, "can't be unpacked" in done.stderr), (74, True))
        self.assertEqual(self.run_it(made_up.__file__).returncode, 69)

    def test_without_mtools_and_on_windows(self):
        image = self.prepared()
        for without_fcntl in (False, True):
            done = made_up.elsewhere(MANIFEST, image, without_fcntl=without_fcntl)
            self.assertEqual(done.returncode, 69, done.stderr)
            self.assertRegex(done.stderr, r"^manifest: mtype can't be found here, and this isn't Debian, whose packages have them \(mtools\)\. Run it on the machine")

    def test_an_image_that_may_not_be_read(self):
        image = self.prepared()
        os.chmod(self.folder, 0o755)
        os.chmod(image, 0)
        done = made_up.as_another_user(MANIFEST, image)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertRegex(done.stderr, r"^manifest: .*my card\.img can't be read: Permission denied; make it readable")

    def test_what_the_schema_says_is_noticed(self):
        good = entry("A", "file:///a.img", 1, "0" * 64, 1, "2026-11-24")
        self.assertEqual(check_manifest({"os_list": [good]}), [])
        for change, word in (({"init_format": "cloudinit_rpi"}, "init_format"), ({"extract_size": "1"}, "must be int"), ({"capabilities": ["fax"]}, "fax"),
                             ({"extract_sha256": "0"}, "SHA-256"), ({"release_date": "24.11.2026"}, "YYYY")):
            self.assertIn(word, "; ".join(check_manifest({"os_list": [{**good, **change}]})))
        del good["devices"]
        self.assertIn("no devices", "; ".join(check_manifest({"os_list": [good], "more": 1})))
