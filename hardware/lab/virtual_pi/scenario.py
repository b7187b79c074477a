"""Scenarios: what one is, and what becomes of it."""

import time
import traceback


class Failed(Exception):
    """A scenario saw something else than it must."""


def expect(holds, message):
    if not holds:
        raise Failed(message)


class Scenario:
    """A function that returns what was seen, as one line for people; anything it raises is a failure."""

    def __init__(self, function, name, needs, arch, needs_updates):
        self.function = function
        self.name = name
        self.needs = needs
        self.arch = arch
        self.needs_updates = needs_updates
        self.seconds = 0.0
        self.passed = None
        self.seen = ""

    def perform(self, bench, station=None):
        """`station`: gives the machine that it is shown, starting one if there is none."""
        started = time.monotonic()
        try:
            self.seen = (self.function(bench, station()) if station else self.function(bench)) or ""
            self.passed = True
        except Exception as error:  # A failure of whatever kind is a verdict; the rest goes on.
            self.passed = False
            self.seen = str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
            self.trace = traceback.format_exc()
        self.seconds = time.monotonic() - started
        return self.passed

    @property
    def verdict(self):
        first, _, rest = self.seen.partition("\n")
        line = f"{'PASS' if self.passed else 'FAIL'}  {self.name:<22} {self.seconds:6.1f} s  {first}"
        return line + ("\n" + "\n".join("      " + text for text in rest.splitlines()) if rest else "")


SCENARIOS = []


def scenario(name, *, needs="station", arch=("amd64",), needs_updates=False):
    """`needs`: "station", a machine that is up, with the package installed and the lab's configuration (shared with the
    scenarios around it); "disk", the disk that this machine starts from; "card", neither, as it begins with a blank card; "nothing": it makes that disk. `needs_updates`:
    the lab's disk has repositories with newer versions, too."""
    def register(function):
        SCENARIOS.append(Scenario(function, name, needs, arch, needs_updates))
        return function
    return register
