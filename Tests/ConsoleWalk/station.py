"""A real station and the real console, as a desk has them: in a folder of their own, with pictures that stand in for the camera."""

import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import threading
import time

from browser import PATIENCE

ROOT = pathlib.Path(__file__).resolve().parents[2]
# It logs this when it listens; with a panel it logs nothing of it, but then the panel names its keys.
RUNS, HAS_KEYS = "the station runs", "hold"
LINK = re.compile(r"(http://[^/\s]*)/#key=(\w+)")
PROGRAMS = ("scanstation", "scanstation-console", "scanstation-reader", "scanstation-picture-reader")
# Diagnoses are off unless a step is about them: they come and go with the time that is left, and draw over the number in the picture. A camera that is
# gone is looked for each second, so that nobody waits for it.
CONFIGURATION = """\
name: walk
capture:
  source: replay
  replay: {{paths: [{folder}/scene], framesPerPicture: {frames_per_picture}}}
  retryMax: 1s
reading: {{diagnoses: {diagnoses}}}
torch: {{line: GPIO17}}
journal: {{folder: {folder}/journal}}
outputs:
  - file: {{path: {folder}/scans.txt}}
"""


def missing(folder):
    """The programs that a build lacks."""
    return [program for program in PROGRAMS if not os.access(folder / program, os.X_OK)]


def find_build():
    """The programs that are built: those that people get, else those that tests use."""
    folders = (ROOT / ".build" / configuration for configuration in ("release", "debug"))
    return next((folder for folder in folders if not missing(folder)), None)


class Station:
    """Both processes. Scans that the station tells over its control socket are in `scans`, in the order in which they came, and so is in
    `states` what it says of its parts; `news` is told of all that it says there or logs, and of its end. With a panel it has a terminal, and
    keys press the simulated buttons."""

    # The walk starts the console itself, as a machine's service manager does.
    OPTIONS = ("--simulate", "--no-console")

    def __init__(self, build, pictures=(), frames_per_picture=3, panel=False, diagnoses="off"):
        self.build, self.panel, self.terminal = build, panel, None
        self.station = self.console = None
        # Short, as a socket's path has at most 107 bytes, whatever TMPDIR is.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="walk-", dir="/tmp"))
        self.socket = str(self.folder / "s.sock")
        # Whatever the walk itself runs in, the panel wants a terminal whose cursor moves.
        self.environment = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state"), "XDG_RUNTIME_DIR": str(self.folder), "TERM": "xterm"}
        self.configuration = self.folder / "station.yaml"
        self.configuration.write_text(self.configured(frames_per_picture, diagnoses))
        self.scans, self.states = [], []
        self.news = threading.Condition()
        try:
            (self.folder / "scene").mkdir()
            self.count = len(pictures)
            self.shows(*pictures)
            self.start()
            self.start_console()
        except BaseException:
            self.close()
            raise

    # The station

    def configured(self, frames_per_picture, diagnoses):
        return CONFIGURATION.format(folder=self.folder, frames_per_picture=frames_per_picture, diagnoses=diagnoses)

    def start(self):
        """Begins, or begins again, and waits until it answers."""
        self.runs, self.link = False, None
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        if self.panel:
            self.close_terminal()
            self.terminal, theirs = pty.openpty()
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
            streams = {"stdin": theirs, "stdout": theirs}
        # A group of its own: a key that ends the walk lets the walk end it.
        self.station = subprocess.Popen(
            [self.build / "scanstation", "run", *self.OPTIONS, *([] if self.panel else ["--plain"]), "--config", self.configuration, "--socket",
             self.socket, "--log-level", "notice"], **streams, stderr=subprocess.PIPE, env=self.environment, start_new_session=True)
        if self.panel:
            # Only the station has it open now, so reading ends when the station does.
            os.close(theirs)
            threading.Thread(target=self.look_at_panel, args=(self.terminal,), daemon=True).start()
        threading.Thread(target=self.keep_log, args=(self.station.stderr,), daemon=True).start()
        self.wait("the station says that it runs", lambda: self.runs)
        threading.Thread(target=self.listen, args=(self.connect(),), daemon=True).start()
        self.wait("the station has opened its journal", lambda: self.ask("scans")["ok"])

    def kill(self):
        """As a power cut for it alone: it can't say good-bye."""
        os.kill(self.station.pid, signal.SIGKILL)
        self.station.wait(PATIENCE)

    def press(self, keys):
        """Keys of the panel: h holds the button, and h again releases it."""
        os.write(self.terminal, keys.encode())

    def close_terminal(self):
        if self.terminal is not None:
            os.close(self.terminal)
            self.terminal = None

    # The scene

    def shows(self, *pictures):
        """Other pictures take the places of those that were, while the camera runs."""
        if len(pictures) != self.count:
            raise ValueError(f"a scene of {self.count} pictures doesn't become one of {len(pictures)}")
        for number, picture in enumerate(pictures):
            # Whole or not at all: it may be read at any moment.
            new = self.folder / "new.pgm"
            picture.save(new)
            new.replace(self.folder / "scene" / f"{number:03d}.pgm")

    def take_camera(self):
        """Its pictures are gone, and so the camera has failed."""
        (self.folder / "scene").rename(self.folder / "scene-away")

    def bring_camera(self):
        (self.folder / "scene-away").rename(self.folder / "scene")

    # What it says

    def connect(self):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        try:
            connection.connect(self.socket)
        except OSError:
            connection.close()
            raise
        return connection

    def ask(self, command, **fields):
        """The station's reply to a command on its control socket."""
        with self.connect() as connection, connection.makefile("rb") as lines:
            connection.sendall(json.dumps({"command": command, "tag": 1, **fields}).encode() + b"\n")
            for line in lines:
                reply = json.loads(line)
                if reply.get("type") == "reply":
                    return reply
        raise ConnectionError(f"the station closed the connection instead of answering {command}")

    def status(self):
        return self.ask("status")

    def setting(self, key):
        """What is in force."""
        return next(one for one in self.ask("schema")["keys"] if one["key"] == key)["value"]

    def journal(self, text):
        """Scans in the journal whose text contains this."""
        return self.ask("scans", text=text)["scans"]

    def origin(self, key):
        """A key's line in `scanstation config show --origin`: its value, and where that is from."""
        shown = subprocess.run([self.build / "scanstation", "config", "show", self.configuration, "--origin", "--simulated"], check=True, text=True,
            stdout=subprocess.PIPE, env=self.environment).stdout
        name = key.rsplit(".", 1)[-1]
        return next(line.strip() for line in shown.splitlines() if line.strip().startswith(f"{name}:"))

    def listen(self, connection):
        connection.settimeout(None)
        try:
            with connection, connection.makefile("rb") as lines:
                connection.sendall(b'{"command":"subscribe","types":["scan","state"]}\n')
                # The reply is news, too: what happened before it is reported to nobody, and what happens after it is.
                for line in lines:
                    event = json.loads(line)
                    with self.news:
                        if event.get("type") == "scan":
                            self.scans.append(event["text"])
                        elif event.get("type") == "state":
                            self.states.append(event)
                        self.news.notify_all()
        # It was killed; the next one is listened to by another thread.
        except OSError:
            pass

    def look_at_panel(self, terminal):
        shown = b""
        while True:
            try:
                part = os.read(terminal, 1 << 16)
            # That is how a terminal ends whose other side is closed.
            except OSError:
                return
            with self.news:
                # The word may come in two pieces, so all of it is kept until it was seen.
                shown = b"" if self.runs else shown + part
                self.runs = self.runs or HAS_KEYS.encode() in shown
                self.news.notify_all()

    def keep_log(self, lines):
        with lines, self.log("station") as log:
            for line in lines:
                log.write(line)
                log.flush()
                with self.news:
                    self.runs = self.runs or RUNS.encode() in line
                    self.link = self.link or LINK.search(line.decode(errors="replace"))
                    self.news.notify_all()
        with self.news:
            self.news.notify_all()

    def wait(self, what, question):
        """Until the station does something, while nobody looks at a page: asked again whenever there is news of it."""
        end = time.monotonic() + PATIENCE
        with self.news:
            while not (answer := question()):
                left = end - time.monotonic()
                if self.station.poll() is not None or left < 0:
                    ended = f"; it ended with {self.station.returncode}" if self.station.poll() is not None else ""
                    raise AssertionError(f"it didn't come: {what}{ended}\n{self.tail()}")
                self.news.wait(left)
        return answer

    # The console

    def start_console(self):
        self.console = subprocess.Popen(
            [self.build / "scanstation-console", "--socket", self.folder / "s-console/console.sock", "--state", self.folder / "console", "--port", "0",
             "--address", "local"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log("console"), text=True, env=self.environment,
            start_new_session=True)
        link = self.console.stdout.readline()
        found = LINK.search(link)
        if not found:
            raise AssertionError(f"the console's first line is no link: {link!r}\n{self.tail()}")
        self.url, self.key = found.groups()

    def new_key(self):
        """For somebody else, with a session of their own."""
        link = subprocess.run([self.build / "scanstation", "console", "link", "--state", self.folder / "console"], check=True, text=True,
            stdout=subprocess.PIPE, env=self.environment).stdout
        return LINK.search(link).group(2)

    def remove_password(self):
        subprocess.run([self.build / "scanstation", "console", "password", "--remove", "--state", self.folder / "console"], check=True,
            stdout=subprocess.DEVNULL, env=self.environment)

    # Its records

    def log(self, name):
        return open(self.folder / f"{name}.log", "ab")

    def tail(self):
        """The end of what both said, for people who look for a fault."""
        return "\n".join(f"--- {path.name} ---\n{path.read_text(errors='replace')[-2000:]}" for path in sorted(self.folder.glob("*.log")))

    def close(self):
        for process in (self.console, self.station):
            if process is None:
                continue
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
            if process.stdout:
                process.stdout.close()
        self.close_terminal()
        shutil.rmtree(self.folder, ignore_errors=True)


class Desk(Station):
    """As `make run` starts it where there is no Pi: the built-in scene, a simulated panel, and a console that the station starts itself."""

    OPTIONS = ("--simulate-missing",)

    def configured(self, frames_per_picture, diagnoses):
        # Its own port is 8080, which somebody may have.
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        return f"journal: {{folder: {self.folder}/journal}}\nconsole: {{port: {port}}}\n"

    def start_console(self):
        self.url, self.key = self.wait("it says where its page is", lambda: self.link).groups()
