"""The wall clock is set while the station scans: by an administrator, by a time server after a start without one."""

import time

from virtual_pi.agent import AgentError, station_event
from virtual_pi.lines import BUZZER
from virtual_pi.pi import QUIET_START
from virtual_pi.scenario import expect, scenario

# What a person, a time server or an empty battery does to a clock: `date`'s words, in the guest.
STEPS = (
    ("a day on", "-s '+1 day'"),
    ("an hour back", "-s '-1 hour'"),
    ("a year on", "-s '+365 days'"),
    ("before the first scan", "-s '-400 days'"),
    # The second day: the kernel takes no time that is less than what it has been up.
    ("1970", "-s @86400"),
    # What a time server does to a Pi without a battery.
    ("from 1970 to now", None),
    ("2105", "-s @4260000000"),
)
# Codes come again and again: the camera shows one after the other.
SCANNING = """\
trigger: {{mode: presentation, sameSymbolTimeout: 100ms}}
name: virtual-pi
capture: {{preset: low, frameRate: 30}}
buzzer: {{line: GPIO18}}
outputs:
  - serial: {{device: {serial}, template: '{{id}} {{seq}}<LF>'}}
    name: till
"""
SCANS = 3
# Within which they come; a scan takes some tenths of a second, on an emulated machine some seconds.
PATIENCE = 60
SESSION = 4


@scenario("clock")
def clock(bench, pi):
    """Steps of the kernel's clock, by a day, a year, back, to 1970: scans, beeps, sessions and the watchdog go by another one."""
    mark = pi.set_up("cuts", QUIET_START + SCANNING.format(serial=pi.serial_device))
    pi.wait_scan(since=mark)
    first = pi.journal()[-1]["seq"]
    facts = pi.property("NRestarts", "MainPID")
    told = []
    for name, words in STEPS:
        longest = step(pi, words)
        told.append(f"{name} {longest:.1f} s")
    order(pi, first)
    told.append(sessions(pi))
    # A watchdog that went by the wall clock would have fired by now; one that has stopped would not.
    expect(pi.property("NRestarts")["NRestarts"] == facts["NRestarts"], f"the service was restarted\n{pi.log_tail()}")
    set_clock(pi, None)
    return f"{SCANS} scans after each step, and beeps: " + ", ".join(told)


def set_clock(pi, words):
    """`None`: the host's time."""
    pi.agent.run(f"date {words or f'-s @{time.time():.0f}'}")


def step(pi, words):
    """Sets the clock and waits for scans that were read after that, and their beeps; returns the longest wait between two, in the
    guest's monotonic time."""
    mark = pi.agent.mark()
    set_clock(pi, words)
    pid = pi.main_pid()
    began = last = time.monotonic()
    longest = 0.0
    seen = 0
    while seen < SCANS:
        count = len(pi.scans(mark))
        if count > seen:
            longest = max(longest, time.monotonic() - last)
            last, seen = time.monotonic(), count
        if time.monotonic() - began > PATIENCE:
            raise AgentError(f"{seen} scans within {PATIENCE} s after `date {words}`\n{pi.log_tail()}")
        time.sleep(0.05)
    pi.lines.wait_driven(BUZZER, 1, since=mark, timeout=PATIENCE)
    expect(pi.main_pid() == pid, f"the station was restarted after `date {words}`\n{pi.log_tail()}")
    return longest


def order(pi, first):
    """The journal's order is the sequence, whatever the clock said; each scan of the socket is there with its number."""
    rows = pi.journal()
    numbers = [row["seq"] for row in rows]
    expect(numbers == list(range(numbers[0], numbers[0] + len(numbers))), f"the sequence has gaps: {numbers[:50]}")
    years = {row["time"][:4] for row in rows if row["seq"] > first}
    expect(len(years) >= 4, f"the clock wasn't stepped, the scans are of {sorted(years)}")
    ids = {row["id"]: row["seq"] for row in rows}
    wrong = [scan["id"] for scan in pi.scans() if ids.get(scan["id"], scan["seq"]) != scan["seq"]]
    expect(not wrong, f"scans have another number in the journal: {wrong}")


def sessions(pi):
    """A session that a button has started ends after its time, though the clock is set a year on and back meanwhile."""
    took = []
    wiring = pi.wiring("pulse").replace("mode: pulse", f"mode: pulse, timeout: {SESSION}s")
    pi.set_up("05-empty", wiring)
    for words in ("-s '+365 days'", "-s '-365 days'"):
        mark = pi.agent.mark()
        pi.lines.press()
        started = wait_session(pi, "started", mark)
        set_clock(pi, words)
        ended = wait_session(pi, "ended", mark)
        pi.lines.release()
        took.append(ended["at"] - started["at"])
    wrong = [seconds for seconds in took if not SESSION - 0.5 <= seconds <= SESSION + 3]
    expect(not wrong, f"sessions of {SESSION} s took {took}")
    return f"sessions of {SESSION} s took {took[0]:.1f} and {took[1]:.1f} s"


def wait_session(pi, state, mark):
    def wanted(event):
        told = station_event(event)
        return told.get("type") == "state" and told.get("part") == "session" and told.get("state") == state
    return pi.agent.wait(wanted, f"the session to have {state}", since=mark, timeout=PATIENCE)
