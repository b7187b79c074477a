"""Parts of the first boot: the card's configuration takes the place of the package's, and gives it back; what it shows and says when it needs
somebody. The rest of first-boot is the lab's."""

import hashlib
import os
import re
import subprocess
import tempfile
import unittest

FIRST_BOOT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "first-boot")
# dpkg-divert, as far as it is used here.
DIVERT = """#!/bin/sh
while [ $# -gt 1 ]; do case $1 in --list | --add | --remove) how=$1 ;; --divert) to=$2; shift ;; esac; shift; done
case $how in
--list) cat "$STATE/diversion" 2>/dev/null ;;
--add) echo "$to" >"$STATE/diversion"; [ ! -e "$1" ] || mv "$1" "$to" ;;
--remove) mv "$(cat "$STATE/diversion")" "$1"; rm "$STATE/diversion" ;;
esac
"""


class TheCardsConfiguration(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name in ("bin", "card", "etc", "work"):
            os.mkdir(os.path.join(self.folder, name))
        self.write("bin/dpkg-divert", DIVERT)
        os.chmod(os.path.join(self.folder, "bin/dpkg-divert"), 0o755)
        self.tool("dpkg-query", "printf 'ii '")
        self.write("etc/station.yaml", "the package's\n")

    def write(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def tool(self, name, text):
        self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n")
        os.chmod(os.path.join(self.folder, "bin", name), 0o755)

    def run_functions(self, commands, model="Raspberry Pi 4 Model B Rev 1.5"):
        with open(FIRST_BOOT, encoding="utf-8") as file:
            functions = re.findall(r"^(?:card_configuration|settle_configuration|note_change|free_packages_configuration|files_of|has_newer|differs_from_card|answer)"
                                   r"\(\) \{(?:[^\n]*\}|[^\n]*\n.*?^\})\n", file.read(), re.MULTILINE | re.DOTALL)
        self.assertEqual(len(functions), 8)
        self.write("model", model + "\0")
        text = "".join(functions).replace("/etc/scanstation", f"{self.folder}/etc").replace("/proc/device-tree/model", f"{self.folder}/model")
        return subprocess.run(["dash", "-uc", f"card={self.folder}/card work={self.folder}/work\n{text}{commands}"], check=False,
                              env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "STATE": self.folder}).returncode

    def settle(self, model="Raspberry Pi 4 Model B Rev 1.5"):
        """What stands there then."""
        self.assertEqual(self.run_functions("set -e\nsettle_configuration", model), 0)
        with open(os.path.join(self.folder, "etc/station.yaml"), encoding="utf-8") as file:
            return file.read()

    def is_changed(self):
        """Whether it noted, since this was asked last, that the station must be told."""
        note = os.path.join(self.folder, "work/changed")
        if not os.path.exists(note):
            return False
        os.unlink(note)
        return True

    def test_before_the_first_installation_there_is_no_station_to_start_again(self):
        self.tool("dpkg-query", "exit 1")
        self.write("card/station.yaml", "the card's\n")
        self.assertEqual(self.settle(), "the card's\n")
        self.assertFalse(self.is_changed())

    def test_it_comes_and_another_one_replaces_it(self):
        self.assertEqual(self.settle(), "the package's\n")
        self.write("card/station.yaml", "the card's\n")
        self.assertEqual(self.settle(), "the card's\n")
        self.assertTrue(self.is_changed())
        self.assertEqual(self.settle(), "the card's\n")
        self.assertFalse(self.is_changed())
        self.write("card/station.yaml", "the card's second\n")
        self.assertEqual(self.settle(), "the card's second\n")
        self.assertTrue(self.is_changed())
        os.unlink(os.path.join(self.folder, "card/station.yaml"))
        self.assertEqual(self.settle(), "the package's\n")
        self.assertTrue(self.is_changed())

    def test_prepared_again_without_one_the_packages_comes_back(self):
        self.write("card/station.yaml", "the card's\n")
        self.settle()
        os.unlink(os.path.join(self.folder, "card/station.yaml"))
        self.assertEqual(self.settle(), "the package's\n")
        self.assertEqual(self.settle(), "the package's\n")
        self.write("card/station.yaml", "the card's again\n")
        self.assertEqual(self.settle(), "the card's again\n")

    def test_what_somebody_has_changed_stays(self):
        self.write("card/station.yaml", "the card's\n")
        self.settle()
        self.write("etc/station.yaml", "changed\n")
        self.write("card/station.yaml", "the card's second\n")
        self.assertEqual(self.settle(), "changed\n")
        os.unlink(os.path.join(self.folder, "card/station.yaml"))
        self.assertEqual(self.settle(), "changed\n")

    def test_a_pi_5_has_the_buzzer_on_another_channel(self):
        text = "buzzer:\n  pwm: {chip: 0, channel: %d}%s\n"
        self.write("card/station.yaml", text % (0, "   # a Pi 5: channel 2"))
        self.assertEqual(self.settle("Raspberry Pi 5 Model B Rev 1.0"), text % (2, ""))
        self.assertEqual(self.settle("Raspberry Pi Compute Module 5 Rev 1.0"), text % (2, ""))

    def test_any_other_pi_has_it_where_the_card_says(self):
        text = "buzzer:\n  pwm: {chip: 0, channel: 0}\n"
        self.write("card/station.yaml", text)
        self.assertEqual(self.settle("Raspberry Pi Zero 2 W Rev 1.0"), text)

    # A station that was set up by hand before, with dpkg itself and a database of its own

    def make_package(self, version, text, program="first build"):
        tree = os.path.join(self.folder, "tree")
        os.makedirs(f"{tree}{self.folder}/etc", exist_ok=True)
        os.makedirs(f"{tree}/DEBIAN", exist_ok=True)
        self.write(f"tree{self.folder}/etc/station.yaml", text)
        self.write("tree/DEBIAN/control", f"Package: scanstation\nVersion: {version}\nArchitecture: all\nMaintainer: test\nDescription: test\n")
        self.write("tree/DEBIAN/conffiles", f"{self.folder}/etc/station.yaml\n")
        os.makedirs(f"{tree}{self.folder}/usr", exist_ok=True)
        self.write(f"tree{self.folder}/usr/program", program)
        self.write("tree/DEBIAN/md5sums", hashlib.md5(program.encode()).hexdigest() + f"  {self.folder[1:]}/usr/program\n")
        package = os.path.join(self.folder, f"scanstation_{version}.deb")
        subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, package], check=True, capture_output=True)
        return package

    def dpkg(self, *arguments):
        return subprocess.run(["dpkg", *self.database, "--force-not-root", "--force-script-chrootless", "--force-bad-path", "--log=/dev/null", *arguments],
                              check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def test_another_build_of_the_same_version_is_told_from_the_same_build_and_from_another_version(self):
        self.set_up_by_hand("1.0", edited=None)
        self.assertEqual(self.run_functions("differs_from_card"), 1)
        package = self.make_package("1.0", "default of 1.0\n", program="second build")
        os.rename(package, os.path.join(self.folder, "card/apt/scanstation.deb"))
        self.assertEqual(self.run_functions("differs_from_card"), 0)
        self.assertEqual(self.dpkg("-i", self.make_package("1.1", "default of 1.1\n")).returncode, 0)
        self.assertEqual(self.run_functions("differs_from_card"), 1)

    def set_up_by_hand(self, version, edited="edited\n"):
        """Installed, edited, and put into a PC, where `prepare` puts version 1.0 and a configuration onto the card."""
        os.makedirs(os.path.join(self.folder, "db/info"))
        os.makedirs(os.path.join(self.folder, "db/updates"))
        for name in ("status", "available"):
            self.write(f"db/{name}", "")
        self.database = [f"--admindir={self.folder}/db"]
        for name in ("dpkg-divert", "dpkg-query"):
            self.tool(name, f'exec /usr/bin/{name} {self.database[0]} "$@"')
        os.unlink(os.path.join(self.folder, "etc/station.yaml"))
        done = self.dpkg("-i", self.make_package(version, f"default of {version}\n"))
        self.assertEqual(done.returncode, 0, done.stderr)
        if edited:
            self.write("etc/station.yaml", edited)
        os.makedirs(os.path.join(self.folder, "card/apt"))
        package = self.make_package("1.0", "default of 1.0\n")
        os.rename(package, os.path.join(self.folder, "card/apt/scanstation.deb"))
        self.write("card/apt/Packages", "Package: other\nFilename: ./other.deb\n\nPackage: scanstation\nFilename: ./scanstation.deb\n")
        self.write("card/settings", "version=1.0\n")
        self.write("card/station.yaml", "the card's\n")

    def read(self, path):
        with open(os.path.join(self.folder, path), encoding="utf-8") as file:
            return file.read()

    def assert_updates_ask_nobody(self):
        done = self.dpkg("-i", self.make_package("2.0", "default of 2.0\n"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.read("etc/station.yaml"), "the card's\n")
        self.assertEqual(self.read("etc/station.yaml.package"), "default of 2.0\n")

    def test_what_was_edited_before_the_card_is_kept_and_a_later_update_asks_nobody(self):
        self.set_up_by_hand("1.0")
        for _ in range(2):
            self.assertEqual(self.settle(), "the card's\n")
            self.assertEqual(self.read("etc/station.yaml.by-hand"), "edited\n")
            self.assertEqual(self.read("etc/station.yaml.package"), "default of 1.0\n")
        self.assert_updates_ask_nobody()

    def test_a_cut_after_the_diversion(self):
        self.set_up_by_hand("1.0")
        os.rename(os.path.join(self.folder, "etc/station.yaml"), os.path.join(self.folder, "etc/station.yaml.package"))
        target = os.path.join(self.folder, "etc/station.yaml")
        subprocess.run([f"{self.folder}/bin/dpkg-divert", "--local", "--no-rename", "--divert", target + ".package", "--add", target], check=True, capture_output=True)
        self.settle()
        self.assertEqual(self.read("etc/station.yaml.by-hand"), "edited\n")
        self.assert_updates_ask_nobody()

    def test_an_older_version_that_the_card_replaces(self):
        self.set_up_by_hand("0.9")
        self.settle()
        self.assertEqual(self.read("etc/station.yaml.by-hand"), "edited\n")
        done = self.dpkg("-i", os.path.join(self.folder, "card/apt/scanstation.deb"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_updates_ask_nobody()

    def test_a_newer_version_than_the_card_s_keeps_what_there_is(self):
        self.set_up_by_hand("1.1")
        self.settle()
        self.assertEqual(self.read("etc/station.yaml.package"), "edited\n")
        self.assertEqual(self.read("etc/station.yaml.by-hand"), "edited\n")

    def test_nothing_was_edited(self):
        self.set_up_by_hand("1.0", edited=None)
        self.settle()
        self.assertFalse(os.path.exists(os.path.join(self.folder, "etc/station.yaml.by-hand")))
        self.assert_updates_ask_nobody()


class WhatItShows(unittest.TestCase):
    """The green LED and SCANSTATION.TXT, with a folder that stands in for /sys/class/leds."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(os.path.join(self.folder, "leds/ACT"))
        os.mkdir(os.path.join(self.folder, "work"))
        self.write("leds/ACT/trigger", "none timer [mmc0] heartbeat\n")

    def write(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, path):
        with open(os.path.join(self.folder, path), encoding="utf-8", newline="") as file:
            return file.read()

    def run_script(self, commands):
        with open(FIRST_BOOT, encoding="utf-8") as file:
            functions = re.findall(r"^(?:led|put|tell|log|buzz|sound|silence|card_configuration|needs_you|apt_get|names|answer|has_newer|damaged|configure_interrupted|install_packages|differs_from_card|files_of|set_up|announced|numberless|what_runs|tell_ready)"
                                   r"\(\) \{(?:[^\n]*\}|[^\n]*\n.*?^\})\n", file.read(), re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(functions), 5)
        text = "".join(functions).replace("/var/lib/scanstation-console", f"{self.folder}/console")
        return subprocess.run(["dash", "-uc", f"work={self.folder}/work told={self.folder}/SCANSTATION.TXT card={self.folder}/card\n" + text + commands], check=False, capture_output=True, text=True,
                              env={**os.environ, "SCANSTATION_LEDS": f"{self.folder}/leds", "SCANSTATION_PWM": f"{self.folder}/pwm", "PATH": f"{self.folder}/bin:{os.environ['PATH']}"})

    def led(self):
        return tuple(self.read(f"leds/ACT/{name}").strip() for name in ("trigger", "delay_on", "delay_off"))

    def test_it_blinks_slowly_and_fast_and_is_then_as_it_was(self):
        self.run_script("led timer 500")
        self.assertEqual(self.led(), ("timer", "500", "500"))
        done = self.run_script("needs_you 'The disk is full.' 'Take a larger card.'")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.led(), ("timer", "100", "100"))
        said = self.read("SCANSTATION.TXT")
        self.assertIn(": NEEDS YOU\r\n\r\nThe disk is full.\r\nTake a larger card.\r\n", said)
        self.assertIn("It tries again at each start of the Pi", said)
        self.run_script('led "$(cat "$work/led")"')
        self.assertEqual(self.led()[0], "mmc0")

    def test_a_passive_buzzer_beeps_by_its_pwm_and_is_silent_after(self):
        os.makedirs(os.path.join(self.folder, "card"))
        os.makedirs(os.path.join(self.folder, "pwm/pwmchip0/pwm1"))
        self.write("card/station.yaml", "name: here\nbuzzer:\n  pwm: {chip: 0, channel: 1}   # a remark\n")
        # What a tone is while it sounds: a sleep that writes it down.
        self.tool("sleep", 'cd "$PWM" && echo "$(cat enable period duty_cycle | tr "\\n" " ")for $1" >>heard')
        pwm = os.path.join(self.folder, "pwm/pwmchip0/pwm1")
        done = self.run_script(f"PWM={pwm}; export PWM; buzz 2000 80 0 60 400 1200")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.read("pwm/pwmchip0/pwm1/heard").splitlines(),
                         ["1 500000 250000 for 0.080", "0 500000 0 for 0.060", "1 2500000 1250000 for 1.200"])
        self.assertEqual([self.read(f"pwm/pwmchip0/pwm1/{name}") for name in ("enable", "duty_cycle")], ["0\n", "0\n"])

    def test_an_active_buzzer_beeps_by_its_line(self):
        os.makedirs(os.path.join(self.folder, "card"))
        self.write("card/station.yaml", "leds:\n  line: GPIO5\nbuzzer:\n  line: GPIO18\ntrigger:\n  line: GPIO17\n")
        self.tool("pinctrl", f'echo "$*" >>{self.folder}/heard')
        self.tool("sleep", f'echo "$1" >>{self.folder}/heard')
        self.assertEqual(self.run_script("buzz 400 600 0 200").returncode, 0)
        self.assertEqual(self.read("heard").splitlines(), ["set 18 op dh", "0.600", "set 18 op dl", "0.200"])

    def test_what_a_station_plays_on_is_left_to_it_and_no_buzzer_is_no_failure(self):
        os.makedirs(os.path.join(self.folder, "card"))
        self.tool("pinctrl", f'echo "$*" >>{self.folder}/heard')
        self.assertEqual(self.run_script("buzz 400 600").returncode, 0)
        self.write("card/station.yaml", "buzzer:\n  line: GPIO18\n")
        self.tool("systemctl", 'test "$*" = "is-active -q scanstation"')
        self.assertEqual(self.run_script("buzz 400 600").returncode, 0)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "heard")))

    def tool(self, name, text):
        os.makedirs(os.path.join(self.folder, "bin"), exist_ok=True)
        self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n")
        os.chmod(os.path.join(self.folder, "bin", name), 0o755)

    def test_a_full_disk_is_told_from_another_failure(self):
        os.makedirs(os.path.join(self.folder, "card/apt"))
        self.write("card/apt/Packages", "Package: scanstation\n")
        self.write("card/settings", "version=1.0\n")
        for name, text in {"dpkg": "", "dpkg-query": "exit 1", "apt-get": 'case "$*" in *install\\ scanstation*) echo "$SAID"; exit 100 ;; esac'}.items():
            self.tool(name, text)
        for said, wanted in (("dpkg: error: failed to write (No space left on device)", "The disk is full"),
                             ("E: You don't have enough free space in /var/cache/apt/archives/.", "The disk is full"),
                             ("E: Unable to correct problems, you have held broken packages.", "ScanStation could not be installed. What was said:")):
            done = self.run_script(f'SAID="{said}"; export SAID; install_packages')
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(wanted, self.read("SCANSTATION.TXT"))
            self.assertIn(said, self.read("SCANSTATION.TXT"))

    def ready(self, addresses, busctl="exit 1", password=True):
        """SCANSTATION.TXT of a station that is called lager-1."""
        os.makedirs(os.path.join(self.folder, "console"), exist_ok=True)
        self.write("console/password", "a hash\n" if password else "")
        self.write("work/doctor", "OK    camera\n")
        self.tool("hostname", f'[ "$*" != -I ] || {{ echo "{addresses}" && exit; }}; echo lager-1')
        self.tool("dpkg-query", "printf 0.1.0")
        self.tool("busctl", busctl)
        done = self.run_script("tell_ready")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return self.read("SCANSTATION.TXT").replace("\r\n", "\n")

    def test_where_the_version_before_runs_it_says_so(self):
        self.tool("scanstation", """printf '{\\n  "version" : "0.1.0",\\n  "versionNote" : "0.2.0 did not get ready"\\n}\\n'""")
        self.assertIn("ScanStation 0.1.0 is installed, and the station runs.\n0.2.0 did not get ready\n", self.ready("192.0.2.7 "))

    def test_a_station_that_runs_is_started_again_for_another_configuration_alone(self):
        os.makedirs(os.path.join(self.folder, "card"))
        self.write("card/settings", "")
        self.write("work/log", "")
        self.tool("scanstation", "exit 0")
        self.tool("systemctl", f'echo "$*" >>{self.folder}/heard')
        for changed in (False, True):
            self.write("heard", "")
            if changed:
                self.write("work/changed", "")
            self.assertEqual(self.run_script("set_up").returncode, 0)
            self.assertEqual("restart scanstation" in self.read("heard").splitlines(), changed)

    def test_the_page_s_name_and_its_addresses_beside(self):
        page = "\nIts page, for a phone or computer in the same network: http://lager-1.local:8080 or http://192.0.2.7:8080 or http://[2001:db8::7]:8080\n"
        for busctl in ("exit 1", """echo 's "lager-1.local"'"""):
            said = self.ready("192.0.2.7 2001:db8::7 ", busctl)
            self.assertIn(": READY\n\nScanStation 0.1.0 is installed, and the station runs.", said)
            self.assertIn("\nIts addresses at this moment: 192.0.2.7 2001:db8::7 \n" + page[1:], said)
            self.assertNotIn("Another machine", said)
            self.assertIn("OK    camera", said)
        self.assertNotIn(":8080", self.ready("192.0.2.7 ", password=False))
        said = self.ready("")
        self.assertIn("It is on no network.", said)
        self.assertNotIn(":8080", said)

    def test_a_name_that_another_machine_has(self):
        said = self.ready("192.0.2.7 ", """[ "$*" = "--system --auto-start=no --timeout=5 call org.freedesktop.Avahi / org.freedesktop.Avahi.Server GetHostNameFqdn" ] && echo 's "lager-2.local"'""")
        self.assertIn("\nAnother machine in this network is called lager-1.local already, so this one is lager-2.local. Give each card", said)
        self.assertIn("http://lager-2.local:8080 or http://192.0.2.7:8080\n", said)
        self.assertNotIn("http://lager-1.local", said)
        said = self.ready("192.0.2.7 ", """echo 's "raspberrypi.local"'""")
        self.assertIn("\nIn this network it is announced as raspberrypi.local.\n", said)
