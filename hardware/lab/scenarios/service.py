"""systemd and the station: the watchdog, the hardening, a bad configuration."""

import re
import time

from virtual_pi.lines import TORCH
from virtual_pi.scenario import expect, scenario


# What the scan loop does for each frame, edge and command, in its turn and nobody else's: Station.apply(_:).
SCAN_LOOP_STEP = "$s7StationAAC5applyyySay8ScanCore0C7MachineV6ActionOGF"


@scenario("watchdog", aborts=True)
def watchdog(bench, pi):
    """The scan loop alone stands still and all other threads go on: the watchdog isn't fed, the torch goes off, the service is back."""
    address = bench.address_of(SCAN_LOOP_STEP)

    def hold(pid):
        mark = pi.agent.mark()
        pi.agent.start("hold", f"exec /lab/hold-at {pid} {address} 2>&1")
        pi.agent.wait(lambda e: e.get("from") == "hold" and e.get("line", "").startswith("held"), "the scan loop to be held", since=mark)
        states = pi.agent.run(f"sed -n 's/^State:.//p' /proc/{pid}/task/*/status").out.splitlines()
        held = [state for state in states if state.startswith("t")]
        expect(len(held) == 1 and len(states) > 4, f"one thread of several should be held: {states}")
        return f"1 thread of {len(states)} held"

    # The thread that says this isn't the scan loop, and doesn't feed the watchdog in its place.
    return until_watchdog(pi, hold, "the scan loop hasn't answered for .* the watchdog isn't fed")


@scenario("watchdog-process", aborts=True)
def watchdog_process(bench, pi):
    """A process that stands still (SIGSTOP) is ended by systemd's watchdog, its torch goes off, and the service is back."""
    def stop(pid):
        pi.agent.run(f"kill -STOP {pid}")
        return "SIGSTOP"

    return until_watchdog(pi, stop)


def until_watchdog(pi, stand_still, told=None):
    """Makes a station with its torch lit stand still, and sees what comes of it."""
    pi.set_up("03-code128")
    pi.ctl("torch on")
    pi.lines.wait_level(TORCH, 1)
    facts = pi.property("Type", "WatchdogUSec", "NRestarts", "MainPID")
    expect(facts["Type"] == "notify" and facts["WatchdogUSec"] not in ("0", "infinity"), f"the unit has no watchdog: {facts}")
    mark = pi.agent.mark()
    how = stand_still(int(facts["MainPID"]))
    stopped = time.monotonic()
    pi.lines.wait_driven(TORCH, 0, since=mark, timeout=150)
    off = time.monotonic() - stopped
    pi.wait_restarts(int(facts["NRestarts"]))
    pi.wait_camera("running", since=mark)
    pi.wait_scan(since=mark)
    back = time.monotonic() - stopped
    log = pi.agent.run("journalctl -u scanstation --no-pager -o cat -n 80").out
    expect(re.search("[Ww]atchdog timeout", log), f"systemd's log doesn't say that it was the watchdog:\n{log}")
    expect(told is None or re.search(told, log), f"the station didn't say \"{told}\":\n{log}")
    return (f"WatchdogSec {facts['WatchdogUSec']}: {how}; torch off after {off:.0f} s, reading again after {back:.0f} s, "
            "log: \"Watchdog timeout\"" + (", and before it that the scan loop doesn't answer" if told else ""))


@scenario("crash")
def crash(bench, pi):
    """The program crashes: systemd starts it again, its torch goes off, it reads on. The lab has heard of it, as it must of any crash."""
    pi.set_up("03-code128")
    pi.ctl("torch on")
    pi.lines.wait_level(TORCH, 1)
    facts = pi.property("NRestarts", "MainPID")
    mark = pi.agent.mark()
    pi.agent.run(f"kill -SEGV {facts['MainPID']}")
    pi.lines.wait_driven(TORCH, 0, since=mark)
    pi.wait_restarts(int(facts["NRestarts"]))
    pi.wait_scan(since=mark)
    # Asked here, so that it isn't held against this scenario.
    told = pi.crashes()
    expect(told == [f"scanstation, process {facts['MainPID']}, signal 11"], f"the lab heard of these crashes: {told}")
    pi.agent.run("rm -r /var/lib/lab-cores")
    return f"\"{told[0]}\"; torch off, reading again"


@scenario("watchdog-quiet")
def quiet(bench, pi):
    """The watchdog doesn't fire on a station that has no camera, or whose camera delivers nothing new."""
    pi.show(None)
    pi.configure(pi.wiring())
    pi.restart(camera=None)
    restarts = pi.property("NRestarts", "MainPID")
    wait = 1.5 * seconds(pi.property("WatchdogUSec")["WatchdogUSec"])
    expect(wait > 0, "the unit has no watchdog")
    pi.agent.run(f"sleep {wait:.0f}", timeout=wait + 60)
    expect(pi.property("NRestarts", "MainPID") == restarts, f"it was started again:\n{pi.log_tail()}")
    state = pi.status()["camera"]["state"]
    return f"camera {state} for {wait:.0f} s: the same process"


def seconds(text):
    """systemd's "1min 20s"."""
    units = {"ms": 0.001, "s": 1, "min": 60, "h": 3600}
    return sum(float(number) * units[unit] for number, unit in re.findall(r"([\d.]+)(ms|s|min|h)", text))


@scenario("bad-configuration")
def bad_configuration(bench, pi):
    """A configuration with an error: a reload refuses it and the old one stays; a crash leaves no line on; then exit 78, once."""
    mark = pi.set_up("03-code128")
    pi.wait_scan(since=mark)
    pid = pi.main_pid()
    pi.agent.write("/etc/scanstation/station.yaml", pi.wiring().replace("torch: {line:", "torch: {lien:"))
    pi.agent.run("systemctl reload scanstation")
    pi.agent.run("for i in $(seq 100); do journalctl -u scanstation -n 40 -o cat --no-pager | grep -q lien && exit; "
                 "sleep 0.2; done; exit 1")
    expect(pi.main_pid() == pid and pi.status()["ok"], "the reload ended the station")
    # It crashes with its torch lit, and its configuration names no torch any more: the lines that it had are driven.
    pi.ctl("torch on")
    pi.lines.wait_level(TORCH, 1)
    pi.agent.run("systemctl kill -s KILL scanstation")
    pi.agent.run("for i in $(seq 100); do systemctl is-failed -q scanstation && exit; sleep 0.2; done; exit 1")
    expect(pi.lines.level(TORCH) == 0, f"the torch is on after a crash with a broken configuration\n{pi.log_tail()}")
    facts = pi.property("ExecMainStatus", "ActiveState", "NRestarts")
    expect(facts["ExecMainStatus"] == "78", f"it ended with {facts}")
    pi.agent.run("sleep 5")
    expect(pi.property("ExecMainStatus", "ActiveState", "NRestarts") == facts, "it is tried again and again")
    pi.agent.run("systemctl reset-failed scanstation")
    return "reload refused, the old one stays; SIGKILL: torch still goes off; next start: exit 78, failed, not tried again"


# As deploy/check-service has them, which looks more closely.
HIGHEST_SCORES = {"scanstation.service": 1.9, "scanstation-console.service": 1.3}


@scenario("security", arch=("amd64", "arm64"))
def security(bench, pi):
    """What `systemd-analyze security` says of the units as installed."""
    said = []
    for unit, highest in HIGHEST_SCORES.items():
        out = pi.agent.run(f"systemd-analyze security --offline=yes --no-pager {unit}", timeout=120, check=False).out
        score = re.search(r"exposure level[^:]*: ([\d.]+)", out)
        expect(score, f"no score of {unit}: {out[-500:]}")
        expect(float(score[1]) <= highest, f"the score of {unit} is {score[1]}, more than {highest}")
        said.append(f"{unit} {score[1]}")
        bench.figures[f"security score of {unit}"] = f"{score[1]} (0 is best; at most {highest})"
    return f"exposure: {', '.join(said)} (0 is best; no more wanted)"
