"""Questions at a terminal, quotes in a file, and what is made of passwords."""

import base64
import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import textwrap
import unittest

from card import answers as asking
from card import hashes
from card.answers import Refused, from_texts, host_name, ssh_key, unquote
from card.firmware import cmdline_txt, config_txt
from card.problem import Problem
from card.station import needed_outputs, with_outputs
from card.system import System


def terminal(*lines):
    left = list(lines)
    return lambda prompt: left.pop(0)


def blob(*fields):
    """An ssh key's bytes: fields with their lengths."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources")


def real_profile(name):
    """As `scanstation config init --profile` prints it."""
    folder = os.path.join(SOURCES, "Configuration/Profiles")
    for path in glob.glob(os.path.join(folder, "*.swift")):
        with open(path, encoding="utf-8") as file:
            found = re.search(rf'static let {name} =\n( +"""\n.*?\n +""")\n', file.read(), re.DOTALL)
        if found:
            return textwrap.dedent(found.group(1)).removeprefix('"""\n').removesuffix('"""')
    raise AssertionError(f"no profile {name} in {folder}")


class Asked(unittest.TestCase):
    def test_enter_takes_every_default(self):
        answers = asking.ask(None, lambda prompt: "", lambda prompt: "", say=lambda text: None)
        self.assertEqual((answers["hostName"], answers["user"], answers["outputs"], answers["profile"]), ("scanstation", "", (), "camera"))
        self.assertEqual(answers.given, set())
        # So that the page of a station without wires can be opened at all.
        self.assertRegex(answers.made_up, r"^([a-z2-9]{4}-){2}[a-z2-9]{4}$")
        self.assertEqual(answers["consolePassword"], answers.made_up)

    def test_the_word_none_where_nothing_is_meant(self):
        answers = asking.ask(None, terminal("", "none", "none", "", "", "none", ""), terminal("long enough", "long enough"), say=lambda text: None)
        self.assertEqual((answers["user"], answers["wifiName"], answers["outputs"], answers.made_up), ("", "", (), ""))
        self.assertRaises(Refused, asking.user_name, "none")

    def test_what_is_no_text_is_asked_again(self):
        said = []
        asking.ask(None, terminal("", "", "caf\udce9", "", "", "", "", ""), lambda prompt: "", say=said.append)
        self.assertTrue(any("isn't UTF-8" in line for line in said))

    def test_a_user_without_a_key_may_still_give_a_password(self):
        answers = asking.ask(None, terminal("", "anna", "", "", "", "", "", "", ""), terminal("", "secret", "secret", ""), say=lambda text: None)
        self.assertEqual((answers["userPassword"], answers["sshKey"]), ("secret", ""))

    def test_countries_are_those_that_there_are(self):
        for text, word in (("UK", "did you mean GB"), ("XX", "no country"), ("Germany", "two letters")):
            self.assertRaisesRegex(Refused, word, asking.wifi_country, text)
        self.assertEqual(asking.wifi_country("de"), "DE")
        self.assertEqual((asking.switch("y"), asking.switch("N")), (True, False))

    def test_a_bad_answer_is_asked_again_with_the_reason(self):
        said = []
        asking.ask(None, terminal("büro", "buero", "", "", "", "", "", ""), lambda prompt: "", say=said.append)
        self.assertTrue(any('"buero" would do' in line for line in said))

    def test_a_password_is_typed_twice(self):
        said, typed = [], terminal("one", "another", "secret", "secret", "")
        answers = asking.ask(None, terminal("", "anna", "", "", "Europe/Berlin", "", "", ""), typed, say=said.append)
        self.assertEqual(answers["userPassword"], "secret")
        self.assertIn("  they differ; again", said)


    def test_a_user_who_could_not_log_in_is_noticed_at_once(self):
        said = []
        key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8mYpPqWkzHqTnQpSbFz4dQv0n3Qv7p1r2s3t4u5v6w"
        answers = asking.ask(None, terminal("", "anna", "", key, "", "", "", "both", "", ""), lambda prompt: "", say=said.append)
        self.assertEqual((answers["sshKey"], answers["outputs"]), (key, ("keyboard", "serial")))
        self.assertTrue(any("could never log in" in line for line in said))

    def test_what_the_image_knows_is_asked_again_too(self):
        said = []
        system = System("arm64", "Debian", b"", {}, {"daemon": 1}, False, lambda zone: zone == "Europe/Berlin")
        answers = asking.ask(system, terminal("", "daemon", "anna", "", "", "Mars/Olympus", "Europe/Berlin", "", "", ""), terminal("pw", "pw", ""), say=said.append)
        self.assertEqual((answers["user"], answers["timeZone"]), ("anna", "Europe/Berlin"))
        self.assertEqual(len([line for line in said if "system's own" in line or "knows no zone" in line]), 2)


class Texts(unittest.TestCase):
    def test_quotes(self):
        for text, value in {"plain # remark": "plain", "a#b": "a#b", "'it''s'": "it's", '"a \\"b\\" \\\\ #"': 'a "b" \\ #', "": "", "# only": ""}.items():
            self.assertEqual(unquote(text), value)
        for text in ("'open", '"a" b', '"\\n"'):
            self.assertRaises(Refused, unquote, text)

    def test_host_names_that_would_do(self):
        for text, advice in {"Büro 2": "buero-2", "Straße": "strasse", "_a_": "a", "x" * 70: "x" * 63}.items():
            with self.assertRaisesRegex(Refused, f'"{advice}" would do'):
                host_name(text)
        self.assertEqual(host_name("Lager-1"), "lager-1")

    def test_a_good_key_is_left_as_it_is(self):
        line = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8mYpPqWkzHqTnQpSbFz4dQv0n3Qv7p1r2s3t4u5v6w anna@pc"
        self.assertEqual(ssh_key(line + "\n"), line)

    def test_keys_of_every_kind_are_whole_or_damaged(self):
        for kind, fields in {"ssh-ed25519": [b"k" * 32], "ssh-rsa": [b"\1\0\1", b"\0\xff" + b"n" * 127], "ecdsa-sha2-nistp256": [b"nistp256", b"\4" + b"p" * 64],
                             "ecdsa-sha2-nistp384": [b"nistp384", b"\4" + b"p" * 96], "ecdsa-sha2-nistp521": [b"nistp521", b"\4" + b"p" * 132],
                             "sk-ssh-ed25519@openssh.com": [b"k" * 32, b"ssh:"],
                             "sk-ecdsa-sha2-nistp256@openssh.com": [b"nistp256", b"\4" + b"p" * 64, b"ssh:"]}.items():
            good = blob(kind.encode(), *fields)
            line = f"{kind} {base64.b64encode(good).decode()} anna@pc"
            self.assertEqual(ssh_key(line), line)
            # Base64 that was cut off may end anywhere; three bytes are four of its letters.
            bad = [good[:end] for end in range(0, len(good), 3)] + [good + b"x", good + b"\0\0\0\0", good + blob(b"more"), blob(b"ssh-dss", *fields)]
            bad += [blob(kind.encode(), *fields[:-1], fields[-1][:-1])] if not kind.startswith("sk-") else [blob(kind.encode(), *fields[:-1])]
            for data in bad:
                with self.subTest(kind=kind, data=data), self.assertRaisesRegex(Refused, "damaged or cut off.* whole line"):
                    ssh_key(f"{kind} {base64.b64encode(data).decode()} anna@pc")
        for kind, *fields in (("ssh-rsa", b"\1\0\1", b"\xff" * 128), ("ssh-rsa", b"\1", b"\0" + b"\xff" * 128), ("ecdsa-sha2-nistp256", b"nistp384", b"\4" + b"p" * 96),
                              ("ecdsa-sha2-nistp256", b"p256", b"\4" + b"p" * 64), ("ecdsa-sha2-nistp256", b"nistp256", b"\2" + b"p" * 64)):
            with self.subTest(kind=kind, fields=fields), self.assertRaises(Refused):
                ssh_key(f"{kind} {base64.b64encode(blob(kind.encode(), *fields)).decode()}")

    @unittest.skipUnless(shutil.which("ssh-keygen"), "no ssh-keygen here")
    def test_keys_of_ssh_keygen_are_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            for kind, bits in (("ed25519", "256"), ("rsa", "1024"), ("rsa", "3072"), ("ecdsa", "256"), ("ecdsa", "384"), ("ecdsa", "521")):
                path = os.path.join(folder, kind + bits)
                subprocess.run(["ssh-keygen", "-q", "-t", kind, "-b", bits, "-N", "", "-C", "anna@pc", "-f", path], check=True)
                self.assertRegex(ssh_key(path + ".pub"), r"^[a-z].* AAAA\S+ anna@pc$")

    def test_a_key_with_a_character_that_can_t_be_seen(self):
        line = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8mYpPqWkzHqTnQpSbFz4dQv0n3Qv7p1r2s3t4u5v6w"
        for text, number in ((f"{line} an\x7fna", "U\\+007F"), (f"{line} an\x9bna", "U\\+009B"), (line.replace(" ", "\x85"), "U\\+0085"), (f"{line} \x1b[0m", "U\\+001B")):
            with self.subTest(text=text), self.assertRaisesRegex(Refused, f"can't be seen \\({number}\\)"):
                ssh_key(text)
        self.assertEqual(ssh_key(f"{line}\tJürgen 🔑"), f"{line}\tJürgen 🔑")

    def test_empty_outputs_are_none(self):
        self.assertEqual(from_texts({"outputs": "[]"}, "here")["outputs"], ())


class Hashes(unittest.TestCase):
    def test_wifi_key_is_ieee_80211_s_own_example(self):
        # IEEE 802.11, annex J.4.2.
        self.assertEqual(hashes.wifi_key("IEEE", "password"), "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e")
        self.assertEqual(hashes.wifi_key("any", "AB" * 32), "ab" * 32)

    def test_login_hash(self):
        self.assertRegex(hashes.login_hash("päss"), r"^\$6\$[./A-Za-z0-9]{8,16}\$[./A-Za-z0-9]{86}$")
        made = "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7"
        self.assertEqual(hashes.login_hash(made), made)

    def test_console_hash_is_scrypt_of_the_password(self):
        empty, name, costs, salt, derived = hashes.console_hash("tell nobody").split("$")
        self.assertEqual((empty, name, costs), ("", "scrypt", "ln=14,r=8,p=5"))
        again = hashlib.scrypt(b"tell nobody", salt=base64.b64decode(salt + "=="), n=1 << 14, r=8, p=5, maxmem=64 << 20, dklen=32)
        self.assertEqual(base64.b64decode(derived + "="), again)


class Files(unittest.TestCase):
    def test_config_txt_without_an_end_of_line(self):
        once = config_txt("a=1", ("serial",), "active")
        self.assertEqual(config_txt(once, ("serial",), "active"), once)
        self.assertTrue(once.startswith("a=1\n# >>>"))

    def test_cmdline_gives_back_what_it_took(self):
        line, taken = cmdline_txt("console=ttyAMA0,115200 quiet\n", [], ("serial",))
        self.assertEqual((line, taken), ("quiet\n", ["console=ttyAMA0,115200"]))
        self.assertEqual(cmdline_txt(line, taken, ()), ("console=ttyAMA0,115200 quiet\n", []))

    def test_outputs_in_the_middle_are_replaced(self):
        answers = from_texts({"outputs": "keyboard", "profile": "station"}, "here")
        text = with_outputs("name: x\n\noutputs:\n  - serial:\n      device: /dev/serial0\n\n  # more\n\nlog:\n  level: info\n", answers)
        self.assertEqual(needed_outputs(text), ("keyboard",))
        self.assertIn("log:\n  level: info\n", text)
        self.assertNotIn("name:", text)

    def test_each_key_of_the_real_profiles_stays_one(self):
        for profile in [name for name in asking.PROFILES if name != "camera"]:
            for outputs in ("none", "serial", "keyboard", "serial, keyboard"):
                for buzzer in asking.BUZZERS:
                    with self.subTest(profile=profile, outputs=outputs, buzzer=buzzer):
                        text = with_outputs(real_profile(profile), from_texts({"profile": profile, "outputs": outputs, "buzzer": buzzer}, "here"))
                        keys = re.findall(r"^([A-Za-z]+):", text, re.MULTILINE)
                        self.assertEqual(sorted(set(keys)), sorted(keys))
                        self.assertEqual("pwm:" in re.sub("#.*", "", text), buzzer == "passive")
                        if outputs != "none":
                            self.assertEqual(needed_outputs(text), tuple(sorted(outputs.split(", "))))

    def test_the_keyboard_has_the_layout_of_the_computer(self):
        for given in ({"profile": "till"}, {"profile": "station", "outputs": "keyboard"}):
            with self.subTest(given=given):
                text = with_outputs(real_profile(given["profile"]), from_texts({**given, "keyboardLayout": "DE"}, "here"))
                self.assertEqual(re.findall(r"^ +layout: (.*?) *(?:#.*)?$", text, re.MULTILINE), ["de"])
        with self.assertRaises(Problem):
            from_texts({"keyboardLayout": "qwertz"}, "here")
        with open(os.path.join(SOURCES, "Settings/Outputs/KeyboardSettings.swift"), encoding="utf-8") as file:
            cases = re.search(r"enum Layout: .* \{ case (.*) \}", file.read()).group(1)
        self.assertEqual(asking.LAYOUTS, tuple(cases.split(", ")))

    def test_remarks_open_no_port(self):
        self.assertEqual(needed_outputs("#outputs:\n  #- serial:\n"), ())
