"""A simulated station with its console, and what can be asked of both, for the benchmarks beside this file."""

import http.client
import json
import os
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
CONFIGURATION = """\
trigger: {sameSymbolTimeout: 100ms}
capture: {source: replay, replay: {framesPerPicture: 6}}
outputs: []
"""
# A limit for what hangs, not for a slow machine.
PATIENCE = 60


def cpu_seconds(pids):
    total = 0
    for pid in pids:
        try:
            # The clock of that process' processor time (clock_getcpuclockid(3)), in nanoseconds: /proc tells hundredths of a second.
            total += time.clock_gettime(~pid << 3 | 2)
        except OSError:
            pass
    return total


def pss_megabytes(pid):
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1000
    return None


def latency_ratio(these, those):
    """How much longer `these` scans took than `those` of the same pictures: pictures differ by more than anything that is measured here."""
    def medians(scans):
        pictures = {}
        for label, milliseconds in scans:
            pictures.setdefault(label, []).append(milliseconds)
        return {label: statistics.median(all_of_it) for label, all_of_it in pictures.items() if len(all_of_it) >= 3}

    here, there = medians(these), medians(those)
    return statistics.median(here[label] / there[label] for label in here.keys() & there.keys())


class Control:
    """The station's control socket: asks, and hears scans."""

    def __init__(self, path):
        self.path = path
        self.latencies = []
        self.isListening = True
        threading.Thread(target=self.listen, daemon=True).start()

    def connect(self):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        connection.connect(self.path)
        return connection

    def ask(self, command):
        with self.connect() as connection:
            connection.sendall(json.dumps({"command": command, "tag": 1}).encode() + b"\n")
            for line in connection.makefile("rb"):
                reply = json.loads(line)
                if reply.get("type") == "reply":
                    return reply.get("status", reply)

    def listen(self):
        connection = self.connect()
        connection.settimeout(None)
        connection.sendall(b'{"command":"subscribe","types":["scan"]}\n')
        for line in connection.makefile("rb"):
            event = json.loads(line)
            if event.get("type") == "scan" and self.isListening:
                self.latencies.append((event["frame"]["label"], event["frame"]["latencyMs"]))


# In memory, as the disk's pace is another benchmark's matter; and a file, as a journal in the station's own memory would grow in its PSS.
STATE = "/dev/shm" if os.path.isdir("/dev/shm") else None


class House:
    def __init__(self, build, folder):
        # A journal of its own: root's would stand on the disk, and hold what runs before it wrote.
        (folder / "station.yaml").write_text(f"{CONFIGURATION}journal: {{folder: {folder / 'journal'}}}\n")
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "XDG_RUNTIME_DIR": str(folder)}
        self.socket = str(folder / "s.sock")
        self.station = subprocess.Popen(
            [build / "scanstation", "run", "--simulate", "--plain", "--no-console", "--config", folder / "station.yaml", "--socket", self.socket,
             "--log-level", "error"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment)
        self.console = None
        self.folder, self.build = folder, build
        self.wait("the station's socket", lambda: os.path.exists(self.socket))
        self.control = Control(self.socket)
        self.wait("the first scan", lambda: self.control.latencies)

    def wait(self, what, question):
        end = time.monotonic() + PATIENCE
        while not question():
            if time.monotonic() > end or self.station.poll() is not None:
                sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {what} didn't come; the station ended with {self.station.poll()}")
            time.sleep(0.02)

    def start_console(self, password=None):
        """With a session for `cookie`, from the link that the console prints."""
        state = self.folder / "console"
        if password:
            subprocess.run([self.build / "scanstation", "console", "password", "--state", state], input=password + "\n", text=True, check=True,
                stdout=subprocess.DEVNULL)
        self.console = subprocess.Popen(
            [self.build / "scanstation-console", "--socket", self.folder / "s-console/console.sock", "--state", state, "--port", "0",
             "--address", "local"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        url, key = re.search(r"(http://[^/]*)/#key=(\w+)", self.console.stdout.readline()).groups()
        self.host = url.removeprefix("http://")
        self.cookie = self.sign_in({"key": key})

    def sign_in(self, body):
        """A session of its own, as each browser has; its cookie."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        connection.request("POST", "/api/v1/session", json.dumps(body), {"Content-Type": "application/json", "Origin": f"http://{self.host}"})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status >= 300:
            sys.exit(f"signing in was refused: {answer.status} {text[:200]}")
        return answer.getheader("Set-Cookie").split(";")[0]

    def processes(self):
        """The station and its readers."""
        pids = [self.station.pid]
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and f"\nPPid:\t{self.station.pid}\n" in (entry / "status").read_text():
                    pids.append(int(entry.name))
            except OSError:
                pass
        return pids

    def observe(self, work):
        """What station and console did while `work` ran; a second is one of wall time."""
        control = self.control
        before, control.latencies = control.ask("status"), []
        begin, cpu, console = time.monotonic(), cpu_seconds(self.processes()), cpu_seconds([self.console.pid])
        work()
        took = time.monotonic() - begin
        latencies = control.latencies
        after = control.ask("status")
        return {
            "latency": statistics.median(milliseconds for _, milliseconds in latencies), "latencies": latencies, "scans": len(latencies) / took,
            "read": (after["readers"]["framesRead"] - before["readers"]["framesRead"]) / took,
            "station": (cpu_seconds(self.processes()) - cpu) / took, "console": (cpu_seconds([self.console.pid]) - console) / took,
            # Less the one that asked for this.
            "asked": (after["counters"]["commands"] - before["counters"]["commands"] - 1) / took,
        }

    def close(self):
        for process in (self.console, self.station):
            if process and process.poll() is None:
                process.terminate()
                process.wait(PATIENCE)
