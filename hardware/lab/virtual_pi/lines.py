"""The GPIO lines as an observer outside of the station sees them: what the chip is told, and what level a pin has. What the PWM is
told is seen in the same way: "pwm1" stands for a line that is high while that channel sounds."""

import time

from .agent import AgentError

TORCH, BUZZER, GOOD, ERROR, READY, BUTTON, CONFIRM, RELAY = 17, 18, 22, 23, 24, 27, 5, 26


class Lines:
    """Reads the trace of the kernel's GPIO requests from the agent's events, and the pins themselves from gpio-sim."""

    def __init__(self, agent):
        self.agent = agent

    def level(self, line):
        """What the pin is, no matter who drives it, or whether anybody does."""
        return int(self.agent.run(f"cat /run/header/sim_gpio{line}/value").out)

    def levels(self, *lines):
        out = self.agent.run("cat " + " ".join(f"/run/header/sim_gpio{line}/value" for line in lines)).out
        return [int(value) for value in out.split()]

    def pull(self, line, up):
        self.agent.run(f"echo pull-{'up' if up else 'down'} >/run/header/sim_gpio{line}/pull")

    def press(self, line=BUTTON):
        """The button connects the pin to ground."""
        self.pull(line, up=False)

    def release(self, line=BUTTON):
        self.pull(line, up=True)

    def wait_level(self, line, level, timeout=180):
        deadline = time.monotonic() + timeout
        while self.level(line) != level:
            if time.monotonic() > deadline:
                raise AgentError(f"waited {timeout} s for GPIO{line} to be {level}")
            time.sleep(0.1)

    def driven(self, line, since=0):
        """Every value that was driven onto a line since then: (seconds, value, program), repeats included."""
        return [(event["at"], event["value"], event["by"]) for event in self.agent.since(since, "lines")
                if event["what"] == "value" and event["word"] == "set" and event["line"] == line]

    def steps(self, line, since=0):
        """Changes of the driven value: (seconds, value)."""
        changes = []
        for at, value, _ in self.driven(line, since):
            if not changes or changes[-1][1] != value:
                changes.append((at, value))
        return changes

    def pulses(self, line, since=0):
        """Times that a line was high: (start, milliseconds). One that is still high isn't there yet."""
        changes = self.steps(line, since)
        return [(start, (end - start) * 1000)
                for (start, value), (end, _) in zip(changes, changes[1:]) if value == 1]

    def pitches(self, channel, since=0):
        """Hertz of each tone that the PWM's channel has begun to play since then."""
        changes = []
        for event in self.agent.since(since, "lines"):
            if event["line"] == channel and (not changes or changes[-1]["value"] != event["value"]):
                changes.append(event)
        return [event["hertz"] for event in changes if event["value"]]

    def wait_driven(self, line, value, *, since=0, timeout=180):
        return self.agent.wait(
            lambda e: e.get("from") == "lines" and e["what"] == "value" and e["word"] == "set" and e["line"] == line
            and e["value"] == value, f"{line if isinstance(line, str) else f'GPIO{line}'} to be driven to {value}", since=since, timeout=timeout)


def parts(pulses):
    """Milliseconds of high, low, high… of these pulses."""
    measured = []
    for number, (at, length) in enumerate(pulses):
        if number:
            before_at, before_length = pulses[number - 1]
            measured.append((at - before_at) * 1000 - before_length)
        measured.append(length)
    return measured


def matches(pulses, wanted, shorter, longer):
    """Whether exactly these pulses are the pattern `wanted` (milliseconds of high, low, high…), each part at most `shorter` ms
    shorter or `longer` ms longer."""
    measured = parts(pulses)
    return len(measured) == len(wanted) and all(-shorter <= got - want <= longer for got, want in zip(measured, wanted))
