"""What the lines do: levels over time, as the kernel records them, against the patterns of docs/journal.md."""

import time

from virtual_pi.lines import BUZZER, ERROR, GOOD, READY, RELAY, TORCH, matches, parts
from virtual_pi.scenario import Failed, expect, scenario

# Milliseconds that a part of a pattern may be too long or, as a late beginning shortens it, too short, on an emulated machine
# whose host others use, too: one of 80 ms took 114 beside a build. The number of pulses tells the patterns apart all the same.
LATE, EARLY = 60, 15
TRIES = 4
# Nothing may follow a pattern for this long.
SILENCE = 0.5
# docs/journal.md, "What the beep means", and FeedbackPattern.swift: milliseconds high, low, high, …
SOUNDS = {
    "ready": [60, 40, 60, 40, 60],
    "kept": [80],
    "accepted": [40, 40, 40],
    "refused": [300, 100, 300],
    "cannotKeep": [200, 100, 200, 100, 200, 100, 200],
}
NO_READ_LIGHT = [120, 120, 120]
# The passive buzzer's channel; Hertz of the pattern `ready`, and of the buzzer itself.
PWM, PWM_FILES = "pwm1", "/sys/class/pwm/pwmchip0/pwm1"
TONES, OWN_PITCH = [1400, 2000, 2700], 2400


def hear(pi, line, wanted, since, what, timeout=30):
    """Waits until the pattern has been played on the line, and nothing but the pattern; returns the measured parts."""
    deadline = time.monotonic() + timeout
    while 2 * len(pi.lines.pulses(line, since)) < len(wanted):
        heard = [round(part) for part in parts(pi.lines.pulses(line, since))]
        expect(time.monotonic() < deadline, f"waited {timeout} s for {what}, {wanted} ms; there was {heard}")
        time.sleep(0.1)
    pi.agent.run(f"sleep {SILENCE}")
    pulses = pi.lines.pulses(line, since)
    heard = [round(part) for part in parts(pulses)]
    expect(matches(pulses, wanted, EARLY, LATE), f"{what} should be {wanted} ms, and was {heard}")
    return heard


@scenario("patterns")
def patterns(bench, pi):
    """Beeps and lights of a scan, the host's answers, a session without a code, and a journal that is full."""
    heard, tries = at_some_try(lambda: play_all(pi))
    return f"milliseconds high, low, …{tries}: " + "; ".join(f"{name} {parts}" for name, parts in heard.items())


def at_some_try(play):
    """What `play` returns, and which try it was, in words. A machine that others use, too, may play a pattern late; a wrong one it
    doesn't get right at any try."""
    for attempt in range(1, TRIES + 1):
        try:
            return play(), f" (try {attempt})" if attempt > 1 else ""
        except Failed:
            if attempt == TRIES:
                raise


def play_all(pi):
    """The whole, once: for each cue, the measured milliseconds."""
    heard = {}
    forget_journal(pi)
    mark = pi.set_up("03-code128", pi.wiring("pulse", start_is_heard=True))
    pi.lines.wait_level(READY, 1)
    heard["ready"] = hear(pi, BUZZER, SOUNDS["ready"], mark, "the beeps of a station that can scan")

    mark = pi.agent.mark()
    pi.lines.press()
    pi.wait_scan(since=mark)
    pi.lines.release()
    heard["kept"] = hear(pi, BUZZER, SOUNDS["kept"], mark, "the beep of a scan")
    lit = pi.lines.wait_driven(GOOD, 1, since=mark)["at"]
    beeped = pi.lines.wait_driven(BUZZER, 1, since=mark)["at"]
    expect(lit <= beeped, "the beep came before the light: it must wait for the disk")

    for answer, line in (("accept", GOOD), ("refuse", ERROR)):
        mark = pi.agent.mark()
        pi.lines.press()
        scan = pi.wait_scan(since=mark)
        pi.lines.release()
        hear(pi, BUZZER, SOUNDS["kept"], mark, "the beep of a scan")
        mark = pi.agent.mark()
        # An emulated machine may be later than host.timeout: then the command says so, and the answer is heard all the same.
        pi.ctl(f"{answer} {scan['id']}", check=False)
        name = {"accept": "accepted", "refuse": "refused"}[answer]
        heard[name] = hear(pi, BUZZER, SOUNDS[name], mark, f"the beeps of an answer: {name}")
        expect(any(value == 1 for _, value in pi.lines.steps(line, mark)), f"no light with the answer {answer}")

    pi.show("05-empty")
    pi.restart()
    pi.ctl("set trigger.timeout 1s")
    mark = pi.agent.mark()
    pi.lines.press()
    pi.lines.release()
    heard["noRead light"] = hear(pi, ERROR, NO_READ_LIGHT, mark, "the red blinks of a session without a code")
    expect(not pi.lines.pulses(BUZZER, mark), "a session without a code is silent")

    # A required output that never answers, and a journal with room for one scan.
    pi.set_up("03-code128", pi.wiring("pulse").replace("outputs:", "journal: {maxScans: 1}\noutputs:")
              + "  - tcp: {host: 127.0.0.1, port: 9}\n    name: nobody\n    required: on\n")
    mark = pi.agent.mark()
    pi.lines.press()
    pi.wait_scan(since=mark)
    pi.lines.release()
    pi.wait_state("session", "ended", since=mark)
    # That it is full now is heard, too, after the scan's own beep.
    pi.wait_state("journal", "full", since=mark)
    pi.agent.run("sleep 3")
    mark = pi.agent.mark()
    pi.lines.press()
    pi.lines.release()
    heard["cannotKeep"] = hear(pi, BUZZER, SOUNDS["cannotKeep"], mark, "the four beeps of a full journal")
    expect(not pi.scans(mark), "a scan was told that could not be kept")
    pi.lines.wait_level(BUZZER, 0)
    forget_journal(pi)
    return heard


def forget_journal(pi):
    pi.agent.run("systemctl stop scanstation; rm -rf /var/lib/scanstation/*")


@scenario("passive-buzzer", arch=("amd64", "arm64"))
def passive_buzzer(bench, pi):
    """The service plays pitches on the kernel's PWM, and a tone ends with the station, whatever ended it."""
    configuration = pi.wiring("pulse", start_is_heard=True).replace(
        "buzzer: {line: GPIO18}", f"buzzer: {{pwm: {{chip: 0, channel: 1}}, frequencyHertz: {OWN_PITCH}}}")
    (ready, kept), tries = at_some_try(lambda: play_tones(pi, configuration))
    owner = pi.agent.run(f"stat -c %U:%G:%A {PWM_FILES}/period").out.strip()
    expect(owner == "root:gpio:-rw-rw-r--", f"{PWM_FILES}/period belongs to {owner}")

    # A PWM that is left alone plays on, without end. The station is killed in the middle of a tone.
    pi.override("lab", "[Service]\nRestart=no\n")
    pi.configure(configuration + "feedback: {patterns: {ready: [], kept: [good 9s tone]}}\n")
    mark = pi.restart()
    pi.lines.press()
    pi.lines.wait_driven(PWM, 1, since=mark)
    sounding = pi.agent.mark()
    pi.lines.release()
    pi.agent.run("systemctl kill -s KILL scanstation")
    pi.agent.run("for i in $(seq 100); do systemctl is-failed -q scanstation && exit 0; sleep 0.2; done; exit 1")
    silenced = pi.lines.wait_driven(PWM, 0, since=sounding)
    enabled, duty = pi.agent.run(f"cat {PWM_FILES}/enable {PWM_FILES}/duty_cycle").out.split()
    expect((enabled, duty) == ("0", "0"), f"after a crash the PWM has enable {enabled}, duty_cycle {duty}")
    length = pi.lines.pulses(PWM, mark)[0][1]
    expect(length < 8900, f"the tone of 9 s ended after {length:.0f} ms, by itself: this proves nothing")
    pi.override("lab", None)
    return (f"start: {TONES} Hz, {ready} ms{tries}; scan: {OWN_PITCH} Hz, {kept} ms; killed in the middle of a tone of 9 s: "
            f"silent after {length:.0f} ms, by {silenced['by']} (ExecStopPost)")


def play_tones(pi, configuration):
    """The beeps of a start and of a scan on the PWM: (milliseconds, milliseconds)."""
    mark = pi.set_up("03-code128", configuration)
    ready = hear(pi, PWM, SOUNDS["ready"], mark, "the beeps of a station that can scan")
    pitches = pi.lines.pitches(PWM, mark)
    expect(pitches == TONES, f"the beeps of the start should be {TONES} Hz, and were {pitches}")
    mark = pi.agent.mark()
    pi.lines.press()
    pi.wait_scan(since=mark)
    pi.lines.release()
    kept = hear(pi, PWM, SOUNDS["kept"], mark, "the beep of a scan")
    pitches = pi.lines.pitches(PWM, mark)
    expect(pitches == [OWN_PITCH], f"the beep of a scan should be {OWN_PITCH} Hz, and was {pitches}")
    return ready, kept


@scenario("torch", arch=("amd64", "arm64"))
def torch(bench, pi):
    """On and off by command; in mode session lit while a session reads, and only then. The relay: one pulse."""
    pi.set_up("05-empty", pi.wiring("pulse"))
    seen = []
    for mode, level in (("on", 1), ("off", 0)):
        pi.ctl(f"torch {mode}")
        pi.lines.wait_level(TORCH, level)
        active = pi.status()["torch"]["isTorchActive"]
        expect(active == bool(level), f"the pin is {level}, the station says isTorchActive {active}")
        seen.append(f"{mode}: pin {level}")
    pi.ctl("torch session")
    pi.ctl("set trigger.timeout 2s")
    mark = pi.agent.mark()
    pi.lines.press()
    pi.wait_state("session", "started", since=mark)
    pi.lines.release()
    pi.wait_state("session", "ended", since=mark)
    pi.lines.wait_level(TORCH, 0)
    lit = [length for _, length in pi.lines.pulses(TORCH, mark)]
    expect(len(lit) == 1 and lit[0] > 1000, f"one session of 2 s; the torch was lit for {lit} ms")
    seen.append(f"session: lit for {lit[0]:.0f} ms of a session that timed out after 2 s")
    mark = pi.agent.mark()
    pi.ctl("relay --for 300")
    pi.lines.wait_driven(RELAY, 1, since=mark)
    pi.lines.wait_driven(RELAY, 0, since=mark)
    pulse = pi.lines.pulses(RELAY, mark)
    expect(len(pulse) == 1, f"one pulse was asked for, there were {pulse}")
    seen.append(f"relay: one pulse of {pulse[0][1]:.0f} ms")
    return "; ".join(seen)
