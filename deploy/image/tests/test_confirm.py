"""Before a card is written to: two questions, or --yes, and a second look at the device. The device is made up; what is on it is an image file."""

import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import tempfile
import unittest
from dataclasses import replace
from unittest import mock

from card.devices import Device
from card.problem import NOT_OURS, USAGE, Problem

from . import made_up


def load():
    """The command as a module."""
    loader = importlib.machinery.SourceFileLoader("prepare", made_up.PREPARE)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("prepare", loader))
    loader.exec_module(module)
    return module


prepare = load()
CARD = Device("/dev/sdb", "Generic Card Reader, 31.9 GB, /dev/sdb", 31_900_000_000, ("/sys/block/sdb", 31_900_000_000, "Generic Card Reader", "1", "7"))
ANOTHER = replace(CARD, description="Generic Card Reader, 15.9 GB, /dev/sdb", identity=(*CARD.identity[:-1], "8"))


class Confirmed(unittest.TestCase):
    def confirm(self, *typed, yes=None, again=CARD):
        """What was asked. Raises what confirm raises."""
        with mock.patch("builtins.input", side_effect=typed) as asked, mock.patch.object(prepare.devices, "look", return_value=again) as look:
            try:
                prepare.confirm(argparse.Namespace(yes=yes, target=CARD.path), CARD)
            finally:
                self.looks = look.call_count
        return [call.args[0] for call in asked.call_args_list]

    def refused(self, code, *words, **more):
        with self.assertRaises(Problem) as caught:
            self.confirm(*more.pop("typed", ()), **more)
        self.assertEqual(caught.exception.code, code)
        for word in (*words, "nothing was written"):
            self.assertIn(word, str(caught.exception))

    def test_it_is_asked_twice_and_looked_at_again(self):
        asked = self.confirm(" Yes ", CARD.path)
        self.assertEqual(len(asked), 2)
        self.assertIn(CARD.description, asked[0])
        self.assertIn(CARD.path, asked[1])
        self.assertEqual(self.looks, 1)

    def test_anything_but_yes_and_its_name_is_a_no(self):
        for typed in (("",), ("y",), ("no",)):
            self.refused(USAGE, "not confirmed", typed=typed)
        for name in ("", "yes", "sdb", "/dev/sda", "/dev/sdb1"):
            self.refused(USAGE, "another name", typed=("yes", name))
        self.assertEqual(self.looks, 0)

    def test_yes_asks_nothing_and_looks_again(self):
        self.assertEqual(self.confirm(yes=CARD.path), [])
        self.assertEqual(self.looks, 1)

    def test_another_card_in_the_meantime(self):
        self.refused(NOT_OURS, "another card than a moment ago", ANOTHER.description, typed=("yes", CARD.path), again=ANOTHER)
        self.refused(NOT_OURS, "another card than a moment ago", yes=CARD.path, again=ANOTHER)


class ACardAsAFile(unittest.TestCase):
    """The whole command, with an image file that stands for a card."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="confirm-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.ours = made_up.packages(os.path.join(cls.folder, "debs"))
        cls.path = made_up.image(cls.folder)

    def run_it(self, *arguments, looks=(), typed=()):
        """Exit code, standard output and error, with what the first and the second look at the device say."""
        devices, command = iter(looks), ["prepare", self.path, "--defaults", "--package", self.ours, "--packages", os.path.dirname(self.ours), *arguments]
        with mock.patch.object(prepare.devices, "is_device", lambda path: path == self.path), mock.patch.object(prepare.devices, "look", lambda path: next(devices)), \
                mock.patch("sys.argv", command), mock.patch("builtins.input", side_effect=typed), contextlib.redirect_stdout(io.StringIO()) as out, \
                contextlib.redirect_stderr(io.StringIO()) as err:
            code = prepare.main()
        return code, out.getvalue(), err.getvalue()

    def data(self):
        with open(self.path, "rb") as file:
            return file.read()

    def test_nothing_is_written_before_it_is_confirmed(self):
        card = replace(CARD, path=self.path)
        before = self.data()
        for how in ({"arguments": ("--yes", self.path), "looks": (card, ANOTHER)}, {"typed": ("yes", self.path), "looks": (card, ANOTHER)},
                    {"typed": ("yes", "/dev/sda"), "looks": (card,)}, {"typed": ("no",), "looks": (card,)}, {"typed": EOFError, "looks": (card,)},
                    {"arguments": ("--yes", "/dev/sda"), "looks": (card,)}):
            with self.subTest(**how):
                code, _, err = self.run_it(*how.pop("arguments", ()), **how)
                self.assertNotEqual(code, 0)
                self.assertIn("nothing was written", err)
                self.assertEqual(self.data(), before)
        code, out, err = self.run_it("--yes", self.path, looks=(card, card))
        self.assertEqual((code, err), (0, ""))
        self.assertIn("put the card into the Pi", out)
        self.assertNotIn("This image", out)
        self.assertNotEqual(self.data(), before)

    def test_an_image_is_never_asked_about(self):
        done = made_up.prepare(self.path, "--defaults", "--yes", self.path)
        self.assertEqual((done.returncode, "--yes is for a card" in done.stderr), (64, True), done.stderr)
