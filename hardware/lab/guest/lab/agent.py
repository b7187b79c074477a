"""Runs in the virtual Pi: does what the host asks for on a virtio port, and sends what happens, as lines of JSON.

Requests have an "id", which the answer repeats:
  run: a shell command to its end   input: its standard input   timeout: seconds   user: who runs it
  start: a name; run: a command whose lines of output are sent as they come, as {"from": name, "line": …, "at": …}
  stop: a name; signal: by which signal
  follow: the path of a socket of the station; its lines are sent from "socket", and it is connected again when it ends
  write: a path; data: base64; mode: octal
  lines: true sends what the GPIO chip and the PWM are told, as {"from": "lines", "line": offset, "value": 0|1, "by": program,
    "at": …}; a channel of the PWM is line "pwm0", "pwm1", its value whether it sounds, and "hertz" its pitch
"at" is CLOCK_MONOTONIC in seconds, which is the clock of the trace, too.
"""

import base64
import glob
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time

TRACING = "/sys/kernel/tracing"
PORT_NAME = "lab.agent"
# Line 0 of the only chip: the kernel's first dynamic number.
GPIO_BASE = 512
EVENT = re.compile(r"^\s*(?P<by>.+?)-(?P<pid>\d+)\s.*?\s(?P<at>\d+\.\d+): (?P<event>\w+): (?P<rest>.*)$")
GPIO_EVENT = re.compile(r"(\d+)\s+(\S+)(?:\s+(\d+|\(-?\d+\)))?")
PWM_EVENT = re.compile(r"pwmchip\d+\.(\d+): period=(\d+) duty_cycle=(\d+) polarity=\d+ enabled=(\d+) err=0")


def port():
    """The host's port, whatever udev has made of it."""
    while True:
        for name in glob.glob("/sys/class/virtio-ports/*/name"):
            if open(name).read().strip() == PORT_NAME:
                device = "/dev/" + os.path.basename(os.path.dirname(name))
                if os.path.exists(device):
                    return open(device, "r+b", buffering=0)
        time.sleep(0.05)


class Agent:
    def __init__(self):
        self.port = port()
        self.writing = threading.Lock()
        self.processes = {}

    def send(self, message):
        data = json.dumps(message).encode() + b"\n"
        with self.writing:
            while data:
                data = data[self.port.write(data):]

    def serve(self):
        self.send({"from": "agent", "line": "ready", "at": time.monotonic()})
        pending = b""
        while True:
            chunk = self.port.read(65536)
            if not chunk:  # The host isn't there.
                time.sleep(0.05)
                continue
            pending += chunk
            while b"\n" in pending:
                line, pending = pending.split(b"\n", 1)
                if line.strip():
                    threading.Thread(target=self.answer, args=(json.loads(line),), daemon=True).start()

    def answer(self, request):
        try:
            result = self.perform(request)
        except Exception as error:  # Whatever it was, the host is told, and decides.
            result = {"error": f"{type(error).__name__}: {error}"}
        self.send({"id": request["id"], **result})

    def perform(self, request):
        if "start" in request:
            return self.start(request["start"], request["run"], request.get("user"))
        if "run" in request:
            return self.run(request)
        if "stop" in request:
            return self.stop(request["stop"], request.get("signal", "TERM"))
        if "follow" in request:
            threading.Thread(target=self.follow, args=(request["follow"],), daemon=True).start()
            return {}
        if "write" in request:
            return self.write(request)
        if "lines" in request:
            threading.Thread(target=self.trace, daemon=True).start()
            return {}
        return {"error": "unknown request"}

    @staticmethod
    def command(line, user):
        # A login of the user's own: with the groups of now, and $USER.
        return ["runuser", "-l", user, "-c", line] if user else ["bash", "-c", line]

    def run(self, request):
        given = request.get("input")
        process = subprocess.Popen(
            self.command(request["run"], request.get("user")),
            stdin=subprocess.PIPE if given is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = process.communicate(base64.b64decode(given) if given else None, request.get("timeout", 60))
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            code = "timeout"
        return {"code": code, "out": out.decode(errors="replace"), "err": err.decode(errors="replace")}

    def start(self, name, line, user):
        process = subprocess.Popen(
            self.command(line, user), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        self.processes[name] = process
        threading.Thread(target=self.pump, args=(name, process), daemon=True).start()
        return {"pid": process.pid}

    def pump(self, name, process):
        for line in process.stdout:
            self.send({"from": name, "line": line.decode(errors="replace").rstrip("\n"), "at": time.monotonic()})
        self.send({"from": name, "exit": process.wait(), "at": time.monotonic()})

    def stop(self, name, number):
        process = self.processes[name]
        try:
            os.killpg(process.pid, getattr(signal, "SIG" + number))
        except ProcessLookupError:
            pass
        return {"code": process.wait(20) if number != "STOP" else None}

    def follow(self, path):
        """A lost connection means that the station has ended or starts again: both are worth a line."""
        while True:
            try:
                with socket.socket(socket.AF_UNIX) as client:
                    client.connect(path)
                    self.send({"from": "socket", "state": "connected", "at": time.monotonic()})
                    with client.makefile("rb") as lines:
                        for line in lines:
                            self.send({"from": "socket", "line": line.decode(errors="replace"), "at": time.monotonic()})
                    self.send({"from": "socket", "state": "closed", "at": time.monotonic()})
            except OSError:
                pass
            time.sleep(0.1)

    @staticmethod
    def write(request):
        path = request["write"]
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(request["data"]))
        os.chmod(path, int(request.get("mode", "644"), 8))
        return {}

    def trace(self):
        """The kernel's own record of what drivers are told, in the order in which it happened."""
        def put(file, value):
            with open(f"{TRACING}/{file}", "w") as target:
                target.write(value)

        put("trace_clock", "mono")
        put("events/gpio/enable", "1")
        put("events/pwm/pwm_apply/enable", "1")
        with open(f"{TRACING}/trace_pipe") as lines:
            for line in lines:
                event = EVENT.match(line)
                told = event and self.told(event["event"], event["rest"])
                if told:
                    self.send({"from": "lines", "by": event["by"], "pid": int(event["pid"]), "at": float(event["at"]), **told})

    @staticmethod
    def told(event, rest):
        """What a line of the trace says that a line was told; None: something else."""
        if event in ("gpio_value", "gpio_direction") and (found := GPIO_EVENT.match(rest)):
            number, word, value = found.groups()
            return {"what": event.removeprefix("gpio_"), "line": int(number) - GPIO_BASE, "word": word,
                    "value": int(value) if value and value.isdigit() else None}
        if event == "pwm_apply" and (found := PWM_EVENT.match(rest)):
            channel, period, duty, enabled = map(int, found.groups())
            return {"what": "value", "line": f"pwm{channel}", "word": "set", "value": int(enabled and duty > 0),
                    "hertz": round(1e9 / period) if period else None}
        return None


def keep_cores():
    """Of a program that crashes, whatever its own limit of a core is: a pipe isn't held to it."""
    with open("/proc/sys/kernel/core_pattern", "w") as pattern:
        pattern.write("|/lab/keep-core %f %p %s")


keep_cores()
Agent().serve()
