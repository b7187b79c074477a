"""Scenarios: what one is, and what becomes of it."""

import signal
import time
import traceback


class Failed(Exception):
    """A scenario saw something else than it must."""


def expect(holds, message):
    if not holds:
        raise Failed(message)


class Scenario:
    """A function that returns what was seen, as one line for people; anything it raises is a failure."""

    def __init__(self, function, name, needs, arch, needs_updates, aborts, cuts):
        self.function = function
        self.name = name
        self.needs = needs
        self.arch = arch
        self.needs_updates = needs_updates
        self.aborts = aborts
        self.cuts = cuts
        self.seconds = 0.0
        self.passed = None
        self.seen = ""
        self.trace = ""
        self.crashed = False

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

    def judge_crashes(self, crashes):
        """Crashes of this attempt, as the machines' consoles tell them. True if they make it a failure."""
        told = [crash for crash in crashes if crash.startswith("scanstation") and not (self.aborts and crash.endswith(f"signal {int(signal.SIGABRT)}"))]
        if told:
            self.passed, self.crashed = False, True
            self.seen = f"crashed: {'; '.join(told)}" + (f"\n{self.seen}" if self.seen else "")
        return self.crashed

    @property
    def is_final(self):
        """What happens once in fifty times would pass at the second try."""
        return self.crashed or self.cuts or "lost: " in self.seen

    @property
    def verdict(self):
        first, _, rest = self.seen.partition("\n")
        line = f"{'PASS' if self.passed else 'FAIL'}  {self.name:<22} {self.seconds:6.1f} s  {first}"
        return line + ("\n" + "\n".join("      " + text for text in rest.splitlines()) if rest else "")


SCENARIOS = []


def scenario(name, *, needs="station", arch=("amd64",), needs_updates=False, aborts=False, cuts=False):
    """`needs`: "station", a machine that is up, with the package installed and the lab's configuration (shared with the
    scenarios around it); "disk", the disk that this machine starts from; "card", neither, as it begins with a blank card; "nothing": it makes that disk. `needs_updates`:
    the lab's disk has repositories with newer versions, too. `aborts`: systemd's watchdog ends the station with SIGABRT here; elsewhere a crash
    of any of the station's programs is a failure, whatever else was seen, and isn't tried again. `cuts`: it cuts the
    power at other moments each time, so a failure isn't tried again, either; nor is a lost scan anywhere."""
    def register(function):
        SCENARIOS.append(Scenario(function, name, needs, arch, needs_updates, aborts, cuts))
        return function
    return register
