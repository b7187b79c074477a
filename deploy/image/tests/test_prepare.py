"""prepare as a person uses it: on small images in the vendor's layout, with made-up packages, without root and without a network."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

from card import repository
from card.problem import Problem
from card.system import System, first_finding

from . import made_up
from .made_up import BOOT_START, MIB

ANSWERS = """\
# Answers.
hostName: lager-1
user: anna
userPassword: 'it''s "secret" # here'
sshKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8mYpPqWkzHqTnQpSbFz4dQv0n3Qv7p1r2s3t4u5v6w anna@pc"
wifiName: Bob's "fast" net
wifiPassword: correct horse
wifiCountry: de
timeZone: Europe/Berlin
profile=station
outputs: [serial, keyboard]
buzzer: passive
consolePassword: tell nobody
"""
SECRETS = ('it\'s "secret" # here', "correct horse", "tell nobody")


class OnAnImage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="prepare-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.debs = os.path.join(cls.folder, "debs")
        cls.ours = made_up.packages(cls.debs)
        cls.stock = made_up.image(cls.folder)

    def setUp(self):
        self.card = os.path.join(self.folder, f"{self._testMethodName}.img")
        self.addCleanup(lambda: os.path.exists(self.card) and os.unlink(self.card))

    def take(self, source=None):
        subprocess.run(["cp", "--sparse=always", source or self.stock, self.card], check=True)
        return self.card

    def prepare(self, *arguments, answers=None, package=None):
        if answers is None:
            how = ["--defaults"]
        else:
            path = os.path.join(self.folder, "answers.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(answers)
            how = ["--answers", path]
        return made_up.prepare(self.card, *how, "--package", package or self.ours, "--packages", self.debs, *arguments)

    def mtools(self, name, *arguments):
        done = subprocess.run([name, "-i", f"{self.card}@@{BOOT_START}", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.stdout.decode() if done.returncode == 0 else None

    def read(self, path):
        return self.mtools("mtype", f"::/{path}")

    def files(self):
        return sorted(line[3:] for line in self.mtools("mdir", "-b", "-s", "-/", "::/").splitlines() if not line.endswith("/"))

    def sum(self):
        with open(self.card, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def refused(self, code, *words, **more):
        """Refuses with this exit code, says these words, and leaves the image as it was."""
        before = self.sum()
        done = self.prepare(**more)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(self.sum(), before, "the image was changed")


class WhatIsPutOn(OnAnImage):
    def test_a_stock_image_gets_packages_seeds_and_settings(self):
        self.take()
        done = self.prepare()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([name for name in self.files() if name.startswith("scanstation/apt")], [
            "scanstation/apt/Packages", "scanstation/apt/Release", "scanstation/apt/libv4l-0t64_1.30.1-1_arm64.deb",
            "scanstation/apt/libzbar0t64_0.23.93-8_arm64.deb", "scanstation/apt/scanstation_0.1.0_arm64.deb"])
        self.assertEqual(self.read("cmdline.txt"), made_up.CMDLINE)
        self.assertEqual(self.read("user-data"), "#cloud-config\n# remarks only\n")
        self.assertEqual(self.read("network-config"), "# remarks only\n")
        self.assertNotIn("scanstation/station.yaml", self.files())
        self.assertIn("nothing will show a scan", done.stdout)
        self.assertIn("\nNo user was named: nobody can log in, and it takes no updates.", done.stdout)
        self.assertIn("\nThis image is for one station: the host name scanstation is in it. For the next one, ", done.stdout)
        with open(self.card + ".rpi-imager-manifest", "w") as file:
            self.addCleanup(os.unlink, file.name)
        again = self.prepare(answers="consolePassword: tell nobody\n")
        self.assertNotIn("nothing will show a scan", again.stdout)
        self.assertIn("http://scanstation.local:8080, with the password that you gave", again.stdout)
        self.assertIn("run deploy/image/manifest again", again.stdout)
        self.assertNotIn("tell nobody", again.stdout)
        self.assertIn("the host name scanstation and the password of its page are in it", again.stdout)

    def test_gpt_is_as_good(self):
        folder = tempfile.mkdtemp(dir=self.folder)
        self.take(made_up.image(folder, scheme="gpt"))
        self.assertEqual(self.prepare().returncode, 0)
        self.assertIn("hostname", self.read("vendor-data"))

    def test_all_answers_and_no_secret_in_plain_text(self):
        self.take()
        done = self.prepare(answers=ANSWERS)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.card, "rb") as file:
            data = file.read()
        self.assertNotIn("nobody can log in", done.stdout)
        for secret in SECRETS:
            self.assertNotIn(secret.encode(), data)
            self.assertNotIn(secret, done.stdout + done.stderr)
        self.assertEqual(self.read("cmdline.txt"), made_up.CMDLINE.replace("console=serial0,115200 ", ""))
        for lines in ("enable_uart=1\ndtoverlay=disable-bt\n[pi5]\ndtparam=uart0_console=on\n[all]\n", "dtoverlay=dwc2,dr_mode=peripheral\n",
                      "dtparam=audio=off\ndtoverlay=pwm,pin=18,func=2\n"):
            self.assertIn("\n" + lines, self.read("config.txt"))
        network = self.read("network-config")
        self.assertIn('"Bob\'s \\"fast\\" net":', network)
        # wpa_passphrase says the same of this name and password.
        self.assertIn('password: "fa5827384a6ec6b9655ce9df25a1bf8dd3ca140893be9aa9c23eede511cd78b6"', network)
        station = self.read("scanstation/station.yaml")
        self.assertIn("- keyboard:", station)
        self.assertEqual(station.count("outputs:"), 1)
        self.assertIn("pwm: {chip: 0, channel: 0}", station)
        self.assertRegex(self.read("scanstation/console-password"), r"^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}\n$")

    def test_a_wi_fi_may_have_any_name(self):
        self.take()
        for name in ("a\x7fb", "\x80\x85\x9f \\ \"", "\t\x01\x1b", "Büro \u2028🔑"):
            with self.subTest(name=name):
                done = self.prepare(answers="wifiName: '" + name + "'\nwifiCountry: DE\n")
                self.assertEqual(done.returncode, 0, done.stderr)
                network = self.read("network-config")
                # What YAML 1.2 calls printable, without its other ends of lines.
                self.assertRegex(network, r"\A[\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]*\Z")
                self.assertEqual(json.loads(re.search(r"access-points:\n +(\".*\"):\n", network).group(1)), name)

    def test_a_user_that_the_image_has_already_gets_the_password_too(self):
        self.take()
        for user in ("anna", "pi"):
            done = self.prepare(answers=f"user: {user}\nuserPassword: a secret\n")
            self.assertEqual(done.returncode, 0, done.stderr)
            # cloud-init: "This will be applied even if the user is preexisting", which passwd isn't.
            self.assertRegex(self.read("vendor-data"), rf'- name: "{user}"\n(?: .*\n)* +hashed_passwd: "\$6\$[^"]*"\n +lock_passwd: false\n')
            self.assertNotRegex(self.read("vendor-data"), r"(?m)^ *passwd:")

    def test_it_says_what_was_written(self):
        self.take()
        self.assertRegex(self.prepare().stdout, r"\nwritten: packages, scanstation/first-boot, ")
        made_up.package(self.debs, "libv4l-0t64", "1.30.1-2", depends="libc6")
        self.addCleanup(os.unlink, os.path.join(self.debs, "libv4l-0t64_1.30.1-2_arm64.deb"))
        self.assertRegex(self.prepare().stdout, r"\nwritten: packages\ntaken away: scanstation/apt/libv4l-0t64_1.30.1-1_arm64.deb\n")
        subprocess.run(["mcopy", "-i", f"{self.card}@@{BOOT_START}", made_up.__file__, "::/scanstation/done"], check=True)
        done = self.prepare()
        self.assertNotIn("written: ", done.stdout)
        self.assertIn("\ntaken away: scanstation/done\n", done.stdout)

    def test_a_second_run_changes_and_adds_nothing(self):
        self.take()
        self.prepare(answers=ANSWERS)
        first = self.files()
        self.assertEqual(self.prepare(answers=ANSWERS).returncode, 0)
        self.assertEqual(self.files(), first)
        self.assertEqual(self.read("config.txt").count("# >>> ScanStation"), 1)
        done = self.prepare()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("cmdline.txt"), made_up.CMDLINE, "the console is not where it was")
        self.assertNotIn("scanstation/station.yaml", self.files())
        self.assertNotIn("scanstation/console-password", self.files())
        self.assertNotIn("fast", self.read("network-config"))
        again = self.prepare()
        self.assertIn("nothing was written", again.stdout)
        self.assertIn("This image is for one station", again.stdout)

    def test_another_version_takes_the_place_of_the_first(self):
        self.take()
        self.prepare()
        newer = made_up.packages(os.path.join(self.folder, "newer"), version="0.2.0")
        done = self.prepare(package=newer)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("scanstation/apt/scanstation_0.2.0_arm64.deb", self.files())
        self.assertNotIn("scanstation/apt/scanstation_0.1.0_arm64.deb", self.files())
        self.assertIn("version=0.2.0\n", self.read("scanstation/settings"))

    def test_a_card_that_is_done_begins_again(self):
        self.take()
        self.prepare()
        for name in ("scanstation/done", "SCANSTATION.TXT"):
            subprocess.run(["mcopy", "-i", f"{self.card}@@{BOOT_START}", made_up.__file__, f"::/{name}"], check=True)
        self.prepare()
        self.assertNotIn("scanstation/done", self.files())
        self.assertNotIn("SCANSTATION.TXT", self.files())

    def test_the_profile_s_own_outputs_open_their_ports(self):
        self.take()
        self.prepare(answers="profile: till\n")
        self.assertIn("dr_mode=peripheral", self.read("config.txt").split("# >>> ScanStation")[1])
        self.assertIn("outputs=keyboard\n", self.read("scanstation/settings"))

    def test_the_next_station_s_card_of_the_same_image(self):
        self.take()
        self.prepare(answers=ANSWERS)
        done = self.prepare(answers=ANSWERS.replace("lager-1", "lager-2"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the host name lager-2 and", done.stdout)
        self.assertIn('hostname: "lager-2"\n', self.read("vendor-data"))
        self.assertNotIn("lager-1", self.read("vendor-data"))

    def test_what_imager_has_answered_stays_and_wins(self):
        folder = tempfile.mkdtemp(dir=self.folder)
        theirs = "#cloud-config\nhostname: theirs\n"
        self.take(made_up.image(folder, boot={"user-data": theirs, "network-config": "network:\n  version: 2\n"}))
        done = self.prepare()
        self.assertEqual(self.read("user-data"), theirs)
        self.assertEqual(self.read("network-config"), "network:\n  version: 2\n")
        self.assertIn("Imager", done.stdout)

    def test_of_a_card_that_was_started_it_is_not_known_who_can_log_in(self):
        self.take(made_up.image(tempfile.mkdtemp(dir=self.folder), booted=True))
        done = self.prepare()
        self.assertIn("this card has been booted", done.stdout)
        self.assertNotIn("log in", done.stdout)

    def test_a_card_that_was_started_keeps_its_host_name_unless_another_is_given(self):
        self.take(made_up.image(tempfile.mkdtemp(dir=self.folder), booted=True, root={"etc/hostname": "lager-1\n"}))
        self.prepare()
        self.assertIn('hostname: "lager-1"', self.read("vendor-data"))
        self.prepare(answers="hostName: lager-2\n")
        self.assertIn('hostname: "lager-2"', self.read("vendor-data"))
        self.take(made_up.image(tempfile.mkdtemp(dir=self.folder), root={"etc/hostname": "raspberrypi\n"}))
        self.prepare()
        self.assertIn('hostname: "scanstation"', self.read("vendor-data"))

    def test_what_is_installed_already_is_said(self):
        needs = {"libzbar0t64": "0.23.93-8", "libv4l-0t64": "1.30.1-1"}
        for there, said in (("0.1.0", "ScanStation 0.1.0 is installed already: the next start installs it again if its files differ"),
                            ("0.10.0", "ScanStation 0.10.0 is installed already, and stays: it is newer than 0.1.0"), ("0.0.9", None)):
            with self.subTest(there):
                self.take(made_up.image(tempfile.mkdtemp(dir=self.folder), booted=True, root={"var/lib/dpkg/status": made_up.status(scanstation=there, **needs)}))
                done = self.prepare()
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("scanstation/apt/scanstation_0.1.0_arm64.deb", self.files())
                self.assertIn(f"note: {said}" if said else "this card has been booted", done.stdout)
                self.assertEqual("installed already" in done.stdout, said is not None)

    def test_check_writes_nothing(self):
        self.take()
        before = self.sum()
        done = self.prepare("--check")
        self.assertEqual((done.returncode, self.sum()), (0, before))
        self.assertIn("nobody can log in", done.stdout)

    def test_an_image_needs_no_root(self):
        self.take()
        os.chmod(self.folder, 0o755)
        os.chmod(self.card, 0o666)
        done = made_up.as_another_user(made_up.PREPARE, self.card, "--defaults", "--package", self.ours, "--packages", self.debs)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("scanstation/first-boot", self.files())

    def test_what_doesn_t_work_at_once_is_said(self):
        self.take(made_up.image(tempfile.mkdtemp(dir=self.folder), root={"var/lib/dpkg/status": made_up.status(**{"libcamera0.7": None, "libcamera0.6": "0.6.0"})}))
        done = self.prepare()
        self.assertIn("the image has libcamera0.6, and the package's plugins are for libcamera0.4 and libcamera0.7: pictures come through rpicam-vid", done.stdout)
        self.take()
        done = self.prepare(answers="profile: station\n")
        self.assertNotIn("rpicam-vid", done.stdout)

    def test_the_first_boot_is_shown_to_be_shell(self):
        for name in ("first-boot", "boothook"):
            subprocess.run(["dash", "-n", os.path.join(os.path.dirname(made_up.PREPARE), name)], check=True)


class InATree(OnAnImage):
    """prepare in a tree of its own: deploy/image is there by a link, and packages are looked for in its deploy/package/out."""

    def setUp(self):
        super().setUp()
        self.tree = tempfile.mkdtemp(dir=self.folder)
        self.out = os.path.join(self.tree, "deploy/package/out")
        os.makedirs(self.out)
        os.symlink(os.path.dirname(made_up.PREPARE), os.path.join(self.tree, "deploy/image"))
        self.script = os.path.join(self.tree, "deploy/image/prepare")
        self.take()

    def prepare_here(self, *arguments, **more):
        return subprocess.run([self.script, self.card, "--packages", self.debs, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **more)

    def git(self, *arguments, at=0):
        when = {"GIT_AUTHOR_DATE": f"{at} +0000", "GIT_COMMITTER_DATE": f"{at} +0000"}
        done = subprocess.run(["git", "-C", self.tree, "-c", "user.name=a", "-c", "user.email=a@example.invalid", *arguments], check=True, capture_output=True, text=True,
                              env={**os.environ, **when})
        return done.stdout.strip()

    def commit(self, path, at):
        path = os.path.join(self.tree, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a", encoding="utf-8") as file:
            file.write("x\n")
        self.git("add", "-f", path)
        self.git("commit", "-qm", "x", at=at)
        return self.git("log", "-1", "--format=%h")

    def build(self, at):
        with mock.patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(at), "TZ": "UTC"}):
            return shutil.copy(made_up.packages(os.path.join(self.tree, "debs")), self.out)

    def test_a_package_s_file_date_and_commit_and_that_sources_are_newer(self):
        first, second, third = 1_790_000_000, 1_790_100_000, 1_790_200_000
        self.git("init", "-q")
        of = self.commit("Sources/a.swift", first)
        path = self.build(first)
        done = self.prepare_here("--defaults", "--check", env={**os.environ, "TZ": "UTC"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, rf"\npackage: {path}, of 20..-..-.. ..:..; its sources are of 2026-09-21 14:13, commit {of}\n")
        self.assertNotIn("warning", done.stdout)
        self.commit("docs/page.md", second)
        self.assertNotIn("warning", self.prepare_here("--defaults", "--check").stdout)
        self.commit("Sources/a.swift", second)
        self.commit("deploy/station.yaml", third)
        done = self.prepare_here("--defaults", "--check", env={**os.environ, "TZ": "UTC"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: the sources here are newer than this package, by 2 commits, the last one of 2026-09-23 21:46: make deb ARCH=arm64", done.stdout)

    def test_without_git_the_package_s_file_and_dates_are_all(self):
        path = self.build(1_790_000_000)
        done = self.prepare_here("--defaults", "--check", env={**os.environ, "TZ": "UTC"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, rf"\npackage: {path}, of [^;\n]*; its sources are of 2026-09-21 14:13\n")

    def test_what_can_be_refused_at_once_is_before_a_package_is_built(self):
        tools = os.path.join(self.tree, "bin")
        os.makedirs(tools)
        with open(os.path.join(tools, "make"), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$*" >>{self.tree}/made\ncp {self.ours} {self.out}/\n')
        os.chmod(file.name, 0o755)
        path = {"env": {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}}
        answers = os.path.join(self.tree, "answers.yaml")
        for text, word in (("hostname: a\n", 'did you mean "hostName"'), ("hostName: a_b\n", "can't be a host name"), ("timeZone: Mars/Olympus\n", "knows no zone"),
                           ("user: daemon\nuserPassword: abc\n", "system's own")):
            with open(answers, "w", encoding="utf-8") as file:
                file.write(text)
            done = self.prepare_here("--answers", answers, **path)
            self.assertEqual((done.returncode, word in done.stderr), (65, True), done.stderr)
        self.assertEqual(self.prepare_here("--answers", answers + ".none", **path).returncode, 66)
        done = self.prepare_here(**path)
        self.assertEqual((done.returncode, "there is nobody to ask" in done.stderr), (64, True), done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.tree, "made")), "a package was built")
        self.assertEqual(self.prepare_here("--defaults", **path).returncode, 0)
        with open(os.path.join(self.tree, "made"), encoding="utf-8") as file:
            self.assertEqual(file.read(), f"-C {self.tree} deb ARCH=arm64\n")


class WhatIsRefused(OnAnImage):
    def made(self, **more):
        return self.take(made_up.image(tempfile.mkdtemp(dir=self.folder), **more))

    def test_another_system(self):
        self.made(root={"usr/lib/os-release": 'PRETTY_NAME="Ubuntu 24.04"\nID=ubuntu\nVERSION_CODENAME=noble\n'})
        self.refused(69, "Ubuntu 24.04", "Raspberry Pi OS Lite (64-bit)")

    def test_an_older_debian(self):
        self.made(root={"usr/lib/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_CODENAME=bookworm\n'})
        self.refused(69, "bookworm", "Trixie")

    def test_32_bits(self):
        self.made(root={"var/lib/dpkg/status": made_up.status("armhf")})
        self.refused(69, "armhf", "64-bit")

    def test_no_cloud_init(self):
        self.made(root={"var/lib/dpkg/status": made_up.status(**{"cloud-init": None})})
        self.refused(69, "without cloud-init", "November 2025")

    def test_no_firmware_s_files(self):
        self.made(boot={"cmdline.txt": None})
        self.refused(69, "no cmdline.txt", "another system")

    def test_no_partition_table(self):
        with open(self.card, "wb") as file:
            file.truncate(20 * MIB)
        self.refused(69, "no partition table")

    def test_packed(self):
        self.card += ".xz"
        with open(self.card, "wb") as file:
            file.write(b"\xfd7zXZ\0" + bytes(2000))
        self.refused(69, "packed with xz", "unxz --keep")

    def test_nothing_and_a_folder(self):
        done = self.prepare()
        self.assertEqual((done.returncode, "there is no" in done.stderr), (66, True))
        self.assertEqual(made_up.prepare(self.folder, "--defaults").returncode, 64)

    def test_half_downloaded(self):
        self.take()
        os.truncate(self.card, BOOT_START + made_up.BOOT_SIZE + 3 * MIB)
        self.refused(74, "half written")

    def test_half_written_onto_a_card(self):
        self.take()
        with open(self.card, "r+b") as file:
            file.seek(BOOT_START + made_up.BOOT_SIZE + 8192)
            file.write(bytes(made_up.ROOT_SIZE - 8192))
        self.refused(74, "half written")

    def test_what_e2fsck_has_found_is_said_and_not_what_it_asks(self):
        self.take()
        made_up.tool("debugfs", "-w", "-R", "clri <8>", f"{self.card}?offset={BOOT_START + made_up.BOOT_SIZE}")
        self.refused(74, "isn't whole (Superblock has an invalid journal (inode 8)): ")
        for said, finding in {"Pass 1: Checking\nInode 12, i_blocks is 8, should be 0.  Fix? no\n\nPass 2": "Inode 12, i_blocks is 8, should be 0",
                              "Resize inode not valid.  Recreate? no\n": "Resize inode not valid",
                              "Clear? no\n\nBlock bitmap differences:  -7\nFix? no\n": "Block bitmap differences:  -7",
                              "Entry 'a? b' in / (2) has deleted/unused inode 7.  Clear? no\n": "Entry 'a? b' in / (2) has deleted/unused inode 7", "": ""}.items():
            self.assertEqual(first_finding(said.encode()), finding)

    def test_a_boot_partition_without_a_file_system(self):
        self.take()
        with open(self.card, "r+b") as file:
            file.seek(BOOT_START)
            file.write(bytes(4096))
        self.refused(74, "no FAT file system")

    def test_a_damaged_gpt(self):
        self.made(scheme="gpt")
        with open(self.card, "r+b") as file:
            file.seek(1024 + 32)
            file.write(b"\xff")
        self.refused(74, "GPT")

    def test_not_shut_down(self):
        self.take()
        with open(self.card, "r+b") as file:
            file.seek(BOOT_START + made_up.BOOT_SIZE + 1024 + 96)
            flags = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([flags | 4]))
        self.refused(74, "not shut down", "poweroff", "e2fsck -p")

    def test_read_only(self):
        self.take()
        os.chmod(self.card, 0o444)
        os.chmod(self.folder, 0o755)
        before = self.sum()
        done = made_up.as_another_user(made_up.PREPARE, self.card, "--defaults")
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("can't be opened for writing", done.stderr)
        self.assertEqual(self.sum(), before)

    def test_no_room(self):
        self.take()
        with tempfile.NamedTemporaryFile(dir=self.folder) as file:
            file.truncate(made_up.BOOT_SIZE - 2 * MIB - 300_000)
            subprocess.run(["mcopy", "-i", f"{self.card}@@{BOOT_START}", file.name, "::/full"], check=True)
        big = os.path.join(self.folder, "big")
        os.makedirs(big, exist_ok=True)
        path = made_up.package(big, "scanstation", "0.3.0", depends="libc6", files={"etc/scanstation/station.yaml": "x: y\n", "usr/bin/scanstation": os.urandom(3 * MIB).hex()})
        self.refused(73, "MB left", "are needed", package=path)

    def test_another_architecture_s_package(self):
        self.take()
        path = made_up.package(self.folder, "scanstation", "0.1.0", "amd64")
        self.refused(65, "for amd64", "for arm64", package=path)

    def test_not_a_package_and_another_one(self):
        self.take()
        self.refused(66, "can't be read as a Debian package", package=made_up.__file__)
        self.refused(66, "libnothing9", package=os.path.join(self.debs, "libnothing9_9_arm64.deb"))

    def test_a_dependency_that_nobody_has(self):
        self.take()
        path = made_up.package(os.path.join(self.folder), "scanstation", "0.4.0", depends="libmissing1")
        self.refused(69, "can't be installed on this image", "libmissing1", package=path)

    def test_lists_that_can_t_be_fetched_are_no_fault_of_the_image(self):
        package = repository.look_at(self.ours)
        system = System("arm64", "Debian", made_up.status().encode(), {}, {}, False, lambda zone: True)
        with tempfile.TemporaryDirectory() as work, self.assertRaises(Problem) as raised:
            # Nobody listens on port 1.
            repository.collect(package, system, work, ["deb [trusted=yes] http://127.0.0.1:1/ trixie main"])
        self.assertEqual(raised.exception.code, 66)
        self.assertIn("Is there a network?", str(raised.exception))

    def test_a_system_that_isn_t_debian(self):
        self.take()
        before = self.sum()
        for without_fcntl in (False, True):
            done = made_up.elsewhere(made_up.PREPARE, self.card, "--defaults", without_fcntl=without_fcntl)
            self.assertEqual((done.returncode, self.sum()), (69, before), done.stderr)
            self.assertRegex(done.stderr, r"^prepare: mcopy, debugfs, apt-get, dpkg-deb, openssl can't be found here.*Debian 12 or newer.*WSL")
            self.assertNotIn("sudo apt", done.stderr)

    def test_wrong_use(self):
        self.assertEqual(made_up.prepare("--no-such-option").returncode, 64)

    def test_libcamera_is_not_carried(self):
        self.made(root={"var/lib/dpkg/status": made_up.status(**{"libcamera0.7": None})})
        debs = os.path.join(self.folder, "with-libcamera")
        os.makedirs(debs, exist_ok=True)
        made_up.package(debs, "libcamera0.7", "0.7.1-1")
        path = made_up.package(debs, "scanstation", "0.5.0", depends="libcamera0.7", files={"etc/scanstation/station.yaml": "x: y\n"})
        before = self.sum()
        done = made_up.prepare(self.card, "--defaults", "--package", path, "--packages", debs)
        self.assertEqual((done.returncode, self.sum()), (69, before), done.stderr)
        self.assertIn("the image must have its own", done.stderr)

    def test_time_zones_are_files_and_links_to_them(self):
        zones = "usr/share/zoneinfo"
        self.made(root={f"{zones}/leapseconds": "# no zone\n"}, links={
            f"{zones}/Berlin": "Europe/Berlin", f"{zones}/Etc/Zulu": "../Etc/UTC", f"{zones}/Twice": "Berlin", f"{zones}/Gone": "Etc/Gone", f"{zones}/Loop": "Loop",
            f"{zones}/localtime": "/etc/localtime", f"{zones}/Folder": "Europe", "etc/localtime": "/usr/share/zoneinfo/Etc/UTC"})
        for zone in ("Europe/Berlin", "Berlin", "Etc/Zulu", "Twice"):
            done = self.prepare("--check", answers=f"timeZone: {zone}\n")
            self.assertEqual(done.returncode, 0, done.stderr)
        for zone in ("Europe", "leapseconds", "Gone", "Loop", "localtime", "Folder"):
            with self.subTest(zone):
                self.refused(65, f'knows no zone "{zone}"', answers=f"timeZone: {zone}\n")

    def test_bad_answers(self):
        self.take()
        for answers, words in {
            "hostName: büro": ["büro", '"buero" would do'],
            "hostName: -": ["can't be a host name"],
            "hostName: Localhost": ["every machine calls itself", '"scanstation" would do'],
            "user: root\nuserPassword: abc": ["system's own"],
            "user: daemon\nuserPassword: abc": ["system's own"],
            "user: nobody\nuserPassword: abc": ["system's own"],
            "user: video\nuserPassword: abc": ["a group of the system's own", '"video1" would do'],
            "user: operator\nuserPassword: abc": ['"operator2" would do'],
            "user: gpio\nuserPassword: abc": ["a group of the system's own"],
            "user: Anna\nuserPassword: abc": ["small letters"],
            "user: anna": ["could never log in"],
            "sshKey: ssh-ed25519 AAAA": ["damaged"],
            "sshKey: nonsense": ["a public ssh key"],
            "sshKey: ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIJ8mYpPqWkzHqTnQpSbFz4dQv0n3Qv7p1r2s3t4u5v6w": ["damaged"],
            "sshKey: -----BEGIN OPENSSH PRIVATE KEY-----": ["private key", ".pub"],
            "sshKey: /nowhere/id.pub": ["can't be read"],
            "wifiName: a\nwifiPassword: short\nwifiCountry: DE": ["8 to 63"],
            "wifiName: a\nwifiPassword: long enough": ["wifiCountry is missing"],
            "wifiName: " + "x" * 33: ["at most 32"],
            "wifiPassword: long enough": ["which network"],
            "wifiName: a\nwifiCountry: Germany": ["two letters"],
            "timeZone: Mars/Olympus": ["knows no zone"],
            "timeZone: ../../etc/passwd": ["a time zone"],
            "profile: shop": ["camera, station"],
            "outputs: [serial, fax]": ["fax"],
            "consolePassword: short": ["shorter than 8"],
            "hostname: a": ["line 1", "hostName"],
            "hostName: a\nhostName: b": ["line 2", "is there twice"],
            "- hostName": ["line 1", "key: value"],
            'wifiName: "open': ["line 1", "quotes"],
        }.items():
            with self.subTest(answers):
                self.refused(65, *words, answers=answers + "\n")


if __name__ == "__main__":
    unittest.main()
