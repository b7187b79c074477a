"""The host's end of the agent that runs in the virtual Pi (guest/lab/agent.py)."""

import base64
import json
import os
import socket
import threading
import time


class AgentError(Exception):
    """The virtual Pi didn't do, or didn't answer, what was asked of it."""


class Outcome:
    """What a command in the virtual Pi came to."""

    def __init__(self, command, answer):
        self.command = command
        self.code = answer["code"]
        self.out = answer["out"]
        self.err = answer["err"]

    def __str__(self):
        return f"$ {self.command}\n{self.out}{self.err}[exit {self.code}]"


class Agent:
    """Sends requests, and keeps every event in `events`, in the order in which they came."""

    def __init__(self, path, log):
        self.path = path
        self.log = log
        self.events = []
        self.news = threading.Condition()
        self.answers = {}
        self.last_id = 0
        self.writing = threading.Lock()
        self.is_closed = False
        self.socket = None

    def connect(self, deadline):
        """QEMU makes the socket; the agent's own word that it is ready comes later."""
        while True:
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(self.path)
                break
            except OSError as error:
                self.socket.close()
                if time.monotonic() > deadline:
                    raise AgentError(f"QEMU's socket {self.path} doesn't answer: {error}") from error
                time.sleep(0.05)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with self.socket.makefile("rb") as lines:
            try:
                for line in lines:
                    self._take(line)
            except OSError:
                pass
        with self.news:
            self.is_closed = True
            self.news.notify_all()

    def _take(self, line):
        self.log.write(line)
        self.log.flush()
        try:
            message = json.loads(line)
        except ValueError:  # Half a line: the power was cut in the middle of it.
            return
        with self.news:
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                message["host"] = time.monotonic()
                self.events.append(message)
            self.news.notify_all()

    def ask(self, request, timeout):
        with self.writing:
            self.last_id += 1
            number = self.last_id
            data = json.dumps({"id": number, **request}).encode() + b"\n"
            self.log.write(b"> " + data[:2000].rstrip(b"\n") + b"\n")
            try:
                self.socket.sendall(data)
            except OSError as error:
                raise AgentError(f"the virtual Pi is gone: {error}") from error
        with self.news:
            if not self.news.wait_for(lambda: number in self.answers or self.is_closed, timeout):
                raise AgentError(f"no answer within {timeout} s to {str(request)[:200]}")
            if number not in self.answers:
                raise AgentError(f"the virtual Pi ended while it was asked {str(request)[:200]}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise AgentError(f"{answer['error']}, asked {str(request)[:200]}")
        return answer

    def run(self, command, *, check=True, timeout=120, user=None, input=None):
        """Runs a command to its end. With `check`, anything but exit code 0 is an error with the whole output."""
        request = {"run": command, "timeout": timeout}
        if user:
            request["user"] = user
        if input is not None:
            request["input"] = base64.b64encode(input).decode()
        outcome = Outcome(command, self.ask(request, timeout + 30))
        if check and outcome.code != 0:
            raise AgentError(f"failed in the virtual Pi:\n{outcome}")
        return outcome

    def start(self, name, command, user=None):
        request = {"start": name, "run": command}
        if user:
            request["user"] = user
        return self.ask(request, 60)["pid"]

    def stop(self, name, signal="TERM"):
        return self.ask({"stop": name, "signal": signal}, 60)["code"]

    def write(self, path, data, mode="644"):
        if isinstance(data, str):
            data = data.encode()
        self.ask({"write": path, "data": base64.b64encode(data).decode(), "mode": mode}, 60)

    def send_file(self, source, path, mode="644"):
        with open(source, "rb") as file:
            self.write(path, file.read(), mode)

    # Events

    def mark(self):
        """The place in `events` from which on a later `wait` looks."""
        with self.news:
            return len(self.events)

    def since(self, mark, origin=None):
        with self.news:
            return [event for event in self.events[mark:] if origin in (None, event.get("from"))]

    def wait(self, wanted, what, *, since=0, timeout=180):
        """The first event for which `wanted` holds. `what` is for people: what was waited for."""
        deadline = time.monotonic() + timeout
        place = since
        with self.news:
            while True:
                while place < len(self.events):
                    if wanted(self.events[place]):
                        return self.events[place]
                    place += 1
                left = deadline - time.monotonic()
                if left <= 0 or self.is_closed:
                    raise AgentError(f"waited {timeout} s for {what}" + (", but the machine ended" if self.is_closed else ""))
                self.news.wait(left)

    def close(self):
        if self.socket:
            try:
                self.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            self.socket.close()


def station_event(event):
    """The event of the station in an event from its socket, or an empty one."""
    if event.get("from") != "socket" or "line" not in event:
        return {}
    try:
        return json.loads(event["line"])
    except ValueError:
        return {}


def is_state(part, state, **more):
    """For `Agent.wait`: the station says that this part has this state."""
    def wanted(event):
        told = station_event(event)
        return (told.get("type") == "state" and told.get("part") == part and told.get("state") == state
                and all(told.get(key) == value for key, value in more.items()))
    return wanted


def is_scan(text=None):
    def wanted(event):
        told = station_event(event)
        return told.get("type") == "scan" and text in (None, told.get("text"))
    return wanted


def remove(path):
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
