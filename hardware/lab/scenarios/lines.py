"""Lines that must be safe whatever happens, and lines that somebody else has."""

from virtual_pi.lines import RELAY, TORCH
from virtual_pi.scenario import expect, scenario

WITHOUT_STOP_POST = "[Service]\nExecStopPost=\n"


def light(pi):
    """A station with its torch lit; returns the place in the events."""
    pi.ctl("torch on")
    pi.lines.wait_level(TORCH, 1)
    return pi.agent.mark()


def last_driven(pi, since):
    """The last value that a program drove onto the torch's line since then: (value, program)."""
    driven = pi.lines.driven(TORCH, since)
    return driven[-1][1:] if driven else None


@scenario("torch-off", arch=("amd64", "arm64"))
def torch_off(bench, pi):
    """After a stop, a crash and a reboot, 0 was driven; this kernel's lines keep their level when released, as a Pi's do."""
    seen = []
    pi.set_up("05-empty")

    # That a line keeps its level here is the point: without the unit's ExecStopPost, a crash leaves the torch on.
    pi.override("lab", WITHOUT_STOP_POST + "Restart=no\n")
    pi.restart()
    light(pi)
    pi.agent.run("systemctl kill -s KILL scanstation; systemctl is-active scanstation", check=False)
    pi.agent.run("for i in $(seq 100); do systemctl is-failed -q scanstation && exit 0; sleep 0.2; done; exit 1")
    expect(pi.lines.level(TORCH) == 1, "a killed station's line fell back by itself: this proves nothing")
    seen.append("crash without ExecStopPost: the torch stays on, as on a Pi")
    pi.override("lab", None)

    mark = pi.restart()
    expect(pi.lines.level(TORCH) == 0 and last_driven(pi, mark)[0] == 0, "the torch is still on after the next start")
    seen.append("the next start drove 0")

    mark = light(pi)
    pi.agent.run("systemctl stop scanstation")
    expect(pi.lines.level(TORCH) == 0, "the torch is on after a stop")
    value, program = last_driven(pi, mark)
    expect(value == 0, f"the last value that was driven is {value}")
    seen.append(f"stop: 0 driven by {program}")

    # The service isn't started again here: a station that starts drives 0, too.
    pi.override("lab", "[Service]\nRestart=no\n")
    pi.restart()
    mark = light(pi)
    pi.agent.run("systemctl kill -s KILL scanstation")
    pi.lines.wait_driven(TORCH, 0, since=mark)
    pi.agent.run("for i in $(seq 100); do systemctl is-failed -q scanstation && exit 0; sleep 0.2; done; exit 1")
    expect(pi.lines.level(TORCH) == 0, "the torch is on after a crash")
    pi.override("lab", None)
    seen.append("SIGKILL: 0 driven by ExecStopPost: no other process was started")

    pi.restart()
    restarts = int(pi.property("NRestarts")["NRestarts"])
    mark = light(pi)
    pi.agent.run(f"kill -KILL {pi.main_pid()}")
    pi.wait_restarts(restarts)
    pi.lines.wait_level(TORCH, 0)
    seen.append("and the service is back by itself")

    pi.wait_camera("running", since=mark)
    light(pi)
    mark = pi.agent.mark()
    pi.reboot()
    off = pi.lines.wait_driven(TORCH, 0, since=mark, timeout=120)
    pi.process.wait(240)
    seen.append(f"reboot: 0 driven by {off['by']} before the machine went down")
    pi.cut()
    pi.power_on()
    pi.watch()
    pi.wait_camera("running", since=0)
    expect(pi.lines.levels(TORCH, RELAY) == [0, 0], "torch or relay are on after a reboot")
    return "; ".join(seen)


@scenario("line-taken", arch=("amd64",))
def line_taken(bench, pi):
    """Another program has the torch's line: the station says so and runs on, and takes the line when it is free."""
    pi.agent.run("systemctl stop scanstation", check=False)
    pi.agent.start("thief", "exec gpioset GPIO17=0")
    pi.agent.run("for i in $(seq 100); do gpioinfo | grep GPIO17 | grep -q consumer && exit; "
                 "sleep 0.1; done; exit 1")
    mark = pi.set_up("03-code128")
    status = pi.status()
    line = next(line for line in status["lines"] if line["role"] == "torch")
    expect(not line["held"], f"the station says it holds GPIO17: {line}")
    problem = line.get("problem") or pi.log_tail()
    expect("GPIO17" in problem and "in use by" in problem and "gpioset" in problem, f"not a clear word: {problem}")
    expect(not status["torch"]["isTorchAvailable"], "the torch is called available")
    refused = pi.ctl("torch on", check=False)
    expect(refused.code != 0, f"lighting a torch that isn't there succeeded: {refused}")
    told = pi.wait_scan(since=mark)
    mark = pi.agent.mark()
    pi.agent.stop("thief")
    pi.wait_state("line.torch", "held", since=mark, timeout=90)
    pi.ctl("torch on")
    pi.lines.wait_level(TORCH, 1)
    pi.ctl("torch off")
    pi.lines.wait_level(TORCH, 0)
    first = next((text for text in problem.splitlines() if "in use by" in text), problem).strip()
    return f"\"{first}\"; {told['text']} was read meanwhile; held and lit once it was free"
