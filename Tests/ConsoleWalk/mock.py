"""A console without a station: the HTTP API of the real one, with a world that tests can change.

Run by itself it shows a scene with a scan now and then:  python3 Tests/ConsoleWalk/mock.py [PORT]
"""

import base64
import http.server
import json
import mimetypes
import pathlib
import queue
import secrets
import socket
import sys
import threading
import time
import urllib.parse

import segno

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import scene as scenes  # noqa: E402

WEB = pathlib.Path(__file__).resolve().parents[2] / "Sources/scanstation-console/Web"
CSP = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; "
       "form-action 'self'; frame-ancestors 'none'")
ALL = ["view", "preview", "operate", "manage"]
PASSWORD = "correct horse"
JOURNAL = "01a1fd0d-e1c3-7b02-9c11-0b6f5d0e8a41"
WHOLE = {"x": 0, "y": 0, "width": 1, "height": 1, "rule": "centre"}
SETTABLE_COMMANDS = {"torch", "trigger", "release", "confirm", "focus", "viewport", "pause", "resume", "identify", "aim"}


def now(ago=0.0):
    seconds = time.time() - ago
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds % 1 * 1000):03d}Z"


def key(name, kind, default, text, **more):
    return {"key": name, "section": name.split(".")[0], "type": kind, "default": default, "value": default, "help": text, "whileRunning": True,
        **more}


def keys():
    return [
        key("capture.viewport", "text", "full", "Only codes inside it count."),
        key("capture.exposure.maxTime", "duration", "5ms", "Longest automatic exposure. 5 ms, because hands shake."),
        key("capture.exposure.gain", "text", "auto", "Analogue gain: a number from 1 to 64, or auto."),
        key("capture.focus.mode", "choice", "onTrigger",
            "onTrigger focuses once when a run or session starts; manual keeps lensPosition, for fixed mounts.",
            choices=["onTrigger", "continuous", "manual"]),
        key("capture.focus.lensPosition", "number", None, "Dioptres (1 / metres) for “mode: manual”.", minimum=0, maximum=32),
        key("capture.focus.followsViewport", "switch", True, "Focuses on what the viewport shows."),
        key("capture.orientation.rotation", "choice", 0, "Degrees clockwise.", choices=[0, 90, 180, 270]),
        key("capture.orientation.mirrored", "switch", False, "Swaps left and right, before the rotation."),
        key("capture.frameRate", "number", 30, "Frames a second; overrides the preset's.", minimum=0.1, maximum=240, unit="1/s"),
        key("torch.mode", "choice", "off", "What lights the torch.", choices=["off", "on", "auto", "session"]),
        key("torch.autoLuma", "number", 60, "auto lights it when the picture's mean is below.", minimum=0, maximum=255),
        key("trigger.mode", "choice", "presentation", "What begins and ends sessions.",
            choices=["presentation", "level", "pulse", "continuous", "host"]),
        key("trigger.timeout", "duration", "5s", "A session without a result ends after this time."),
        key("trigger.maxScans", "integer", 1, "A session ends after this many scans.", minimum=1, maximum=64),
        key("trigger.sameSymbolTimeout", "duration", "500ms", "A code must be out of view this long before it counts again."),
        key("log.level", "choice", "info", "How much the log says.", choices=["trace", "debug", "info", "notice", "warning", "error", "critical"]),
    ]


KINDS = [
    {"kind": "serial", "what": "A serial device: the Pi's UART, a USB adapter, or a gadget.", "starter": "- serial:\n    device: /dev/serial0"},
    {"kind": "unix", "what": "A Unix socket besides the control socket.", "starter": "- unix:\n    path: /run/scanstation/scans.sock"},
    {"kind": "stdout", "what": "Standard output.", "starter": "- stdout:\n    format: json"},
    {"kind": "tcp", "what": "TCP, as a client or a server.", "starter": "- tcp:\n    host: 192.168.1.20        # the computer that listens\n    port: 9100"},
    {"kind": "mqtt", "what": "An MQTT broker.", "starter": "- mqtt:\n    host: homeassistant.local"},
    {"kind": "webhook", "what": "HTTP POST requests.", "starter": "- webhook:\n    url: https://stock.example/scans"},
    {"kind": "keyboard", "what": "A USB keyboard: scans are typed into the computer that the Pi is plugged into.", "starter": "- keyboard:\n    layout: us"},
    {"kind": "file", "what": "A file, with rotation.", "starter": "- file:\n    path: /var/lib/scanstation/scans.txt\n    lines: template"},
]


class World:
    """All that the console would know. `lock` around each change."""

    def __init__(self, stamped=False, speed=1.0, **fields):
        self.lock = threading.RLock()
        # Told by each event.
        self.changed = threading.Condition(self.lock)
        self.scene = scenes.Scene(stamped, speed, **fields)
        self.start = time.monotonic()
        self.away, self.dead, self.subscribers = None, False, []
        # A network that is gone: nothing is answered, and streams stay open without a word, even when it is back.
        self.cut = False
        self.version = "0.1.0"
        # An older station: what isn't in its answers.
        self.lacks = set()
        # Streams and states that were asked for so far.
        self.streams = self.states = 0
        self.password, self.oneTimeKeys, self.sessions, self.wrongTries = PASSWORD, {"one-time-key"}, {}, 0
        self.tokens, self.scans, self.sequence, self.received = [], [], 0, []
        # By output: what becomes of a test scan there. Without one, it waits.
        self.receipts_of_tests = {}
        self.revision, self.keys, self.viewport = 1, keys(), dict(WHOLE)
        # Scans that one question looks at, and how often one was asked.
        self.looks, self.questions = 2000, 0
        self.scopes, self.failing, self.viewers = list(ALL), {}, None
        self.trial, self.trialSeconds, self.changes, self.notes = None, 60.0, [], []
        # The first password by the button: whether it may be, and how far this world's only code is.
        self.button, self.first = {"open": False, "why": "no trigger button is wired (trigger.button), so the first password isn't set by the button: use `scanstation console password` on the station's machine"}, None
        self.commands = {"password": "sudo scanstation console password", "link": "sudo scanstation console link", "terminal": False}
        self.outputs = [
            {"name": "stock", "kind": "webhook", "place": "https://stock.example", "state": "ready", "mode": "durable", "required": True, "cursor": 417, "lag": 0, "delivered": 417,
                "refused": 1, "dropped": 0, "queued": 0, "bytes": 181000},
            {"name": "broker", "kind": "mqtt", "place": "10.0.0.5:1883", "state": "waiting", "mode": "durable", "required": True, "cursor": 383, "lag": 34, "delivered": 383,
                "refused": 0, "dropped": 0, "queued": 0, "bytes": 160000,
             "lastError": "10.0.0.5:1883 refuses the connection: is the broker running, and does it listen on this port?", "lastErrorTime": now(90),
             "detail": "10.0.0.5:1883 refuses the connection: is the broker running, and does it listen on this port?", "advice": "start the broker; Debian's mosquitto listens on 127.0.0.1 only until it is given a listener"},
            {"name": "archive", "kind": "file", "place": "/var/lib/scanstation/scans.txt", "state": "ready", "mode": "durable", "required": False, "cursor": 417, "lag": 0, "delivered": 417,
                "refused": 0, "dropped": 0, "queued": 0, "bytes": 212000},
        ]
        self.findings = [
            {"check": "config", "verdict": "ok", "text": "no problems found"},
            {"check": "camera", "verdict": "ok", "text": "running, 1280x720 GREY"},
            {"check": "clock", "verdict": "warning", "text": "not synchronised: scans are marked `\"clock\":\"unsynced\"`",
                "advice": "timedatectl set-ntp true, and check the network; scans are ordered by seq either way"},
            {"check": "outputs", "verdict": "fails", "text": "34 scans wait for the output broker: it refuses the connection",
                "advice": "start the broker, or set required: off for that output"},
            {"check": "disk", "verdict": "ok", "text": "/var/lib/scanstation: 24 GiB free"},
        ]
        self.status = {
            "name": "dock-1", "version": "0.1.0", "mode": "presentation", "paused": False, "uptimeSeconds": 86_512, "clock": "synced", "session": None, "awaitingConfirmation": None,
            "camera": {"state": "running", "model": "imx708", "resolution": "1280x720", "frameRate": 30.0, "framesDelivered": 2_595_360,
                "framesDropped": 3, "framesDamaged": 0, "restarts": 0, "skipped": []},
            "configuration": {"file": "/etc/scanstation/station.yaml", "exists": True, "service": True, "program": "scanstation"}, "simulated": False,
            "machine": {"celsius": 58.4, "throttled": False, "underVoltage": False, "memoryAvailable": 301_000_000},
            "torch": {"hasTorch": True, "isTorchAvailable": True, "isTorchActive": False, "mode": "off"},
            "journal": {"state": "ready", "scans": 417, "bytes": 1_871_200, "id": JOURNAL}, "counters": {"scans": 417, "sessions": 0, "noReads": 0,
                "accepted": 0, "refused": 0, "notKept": 0},
            "readers": {"framesRead": 1_740_220, "gatedUnchanged": 833_110, "droppedBusy": 1200, "crashed": 0, "timedOut": 0},
            "days": [{"date": f"2026-11-{day}", "sessions": 0, "scans": scans, "noReads": causes,
                "timeToRead": {"count": scans, "medianMs": median, "p95Ms": median * 4}}
                     for day, scans, causes, median in [(18, 310, {}, 190), (19, 402, {"tooSmall": 4}, 212), (20, 388, {"blurred": 2}, 205),
                         (21, 120, {}, 198), (22, 20, {}, 230), (23, 417, {"tooSmall": 5, "nothingSeen": 3}, 208), (24, 231, {"glare": 1}, 201)]],
        }

    # The frame that the camera has now

    @property
    def seq(self):
        return int((time.monotonic() - self.start) * 10) + 1

    def frame_after(self, seq, patience=1.0):
        """The number of the first frame after this one; None when none comes for `patience` seconds."""
        end = time.monotonic() + patience
        with self.changed:
            while not self.away:
                runs = self.status["camera"]["state"] == "running" and not self.status["paused"]
                if runs and self.seq > seq:
                    return self.seq
                now = time.monotonic()
                if now >= end:
                    break
                # The camera's next frame has its time; whatever else may happen is told.
                due = min(end, self.start + max(seq, self.seq) / 10) if runs else end
                self.changed.wait(max(due - now, 0.001))
        return None

    def unread(self):
        if self.status["camera"]["state"] != "running" or self.status["paused"]:
            return []
        return [{"corners": corners, **item.unread} for item, corners in self.scene.truth(self.seq) if item.unread]

    # What happens

    def emit(self, kind, body, identity=None):
        with self.lock:
            for subscriber in self.subscribers:
                subscriber.put((kind, body, identity))
            self.changed.notify_all()

    def scan(self, text, symbology="ean_13", payload=None, receipts=None, ago=0.0, quiet=False, answer=None, **more):
        with self.lock:
            self.sequence += 1
            known = next((corners for item, corners in self.scene.truth(self.seq) if item.code and item.code["text"] == text),
                [[0.42, 0.36], [0.57, 0.35], [0.574, 0.61], [0.42, 0.61]])
            scan = {
                "v": 1, "type": "scan", "id": f"01a1fd0d-f607-7d19-8e75-{self.sequence:012d}", "journal": JOURNAL, "seq": self.sequence, "time": now(ago), "clock": "synced", "station": "dock-1",
                "trigger": "presentation", "session": 0, "symbology": symbology, "aim": "]E0" if symbology == "ean_13" else "]Q1", "text": text, "bytes": base64.b64encode((text or "").encode("utf-8", "surrogatepass")).decode(),
                "payload": payload or {"kind": "text"}, "numericOnly": bool(text and text.isdigit()), "corners": known, "inverted": False, "reads": 2, "decodeMs": 1.4,
                "frame": {"seq": self.seq, "latencyMs": 21.3}, **more,
            }
            kept = {**scan, "receipts": receipts if receipts is not None else [{"output": "stock", "outcome": "accepted", "time": now(ago)},
                {"output": "archive", "outcome": "accepted", "time": now(ago)}], "answer": answer}
            self.scans.insert(0, kept)
        if not quiet:
            self.emit("scan", scan, f"{JOURNAL}:{scan['seq']}")
            for receipt in kept["receipts"]:
                # What waits is nobody's answer.
                if receipt["outcome"] == "waiting":
                    continue
                self.emit("receipt", {"type": "receipt", "scan": scan["id"], "seq": scan["seq"], "accepted": receipt["outcome"] == "accepted",
                    **receipt})
        return kept

    def camera(self, state, reason=None, detail=None):
        with self.lock:
            self.status["camera"].update(state=state)
            for name, value in (("reason", reason), ("detail", detail)):
                self.status["camera"].pop(name, None)
                if value:
                    self.status["camera"][name] = value
        self.emit("state", {"type": "state", "part": "camera", "state": state, **({"reason": reason} if reason else {}),
            **({"detail": detail} if detail else {})})

    def torch(self, mode=None, **fields):
        with self.lock:
            torch = self.status["torch"]
            if mode:
                torch.update(mode=mode, isTorchActive=mode == "on" and torch["isTorchAvailable"])
            torch.update(fields)
            told = dict(torch)
        self.emit("state", {"type": "state", "part": "torch", "state": "on" if told["isTorchActive"] else "off", **told})

    def leave(self, why):
        self.away = why
        self.emit("away", {"type": "away", "message": why})

    def drop_silently(self):
        """Streams look open, and bring nothing any more: as after a power cut, which tells nobody."""
        self.subscribers.clear()

    def come_back(self):
        self.away = None
        self.emit("back", {"type": "back"})

    def command(self, body):
        """What the station replies: fields, or a text that says no."""
        name = body.get("command")
        with self.lock:
            self.received.append(body)
            if name not in SETTABLE_COMMANDS:
                return f"the console may not send {name}"
            if name in self.failing:
                return self.failing[name]
            if name == "torch":
                if body["mode"] == "on" and not self.status["torch"]["isTorchAvailable"]:
                    return "the torch can't be lit: " + self.status["torch"].get("detail", "")
                self.torch(body["mode"])
            elif name == "viewport":
                self.viewport = {**WHOLE, **{field: body[field] for field in WHOLE if field in body}}
                self.status["camera"]["viewport"] = self.viewport
                self.emit("state", {"type": "state", "part": "camera", "state": self.status["camera"]["state"]})
            elif name in ("pause", "resume"):
                self.status["paused"] = name == "pause"
                self.camera("suspended" if name == "pause" else "running")
            elif name == "trigger":
                self.status["session"] = {"id": 7, "trigger": self.status["mode"]}
                self.emit("state", {"type": "state", "part": "session", "state": "started", "session": 7, "trigger": self.status["mode"]})
            elif name == "release":
                self.status["session"] = None
                self.emit("state", {"type": "state", "part": "session", "state": "ended", "session": 7, "reason": "released"})
            elif name == "confirm":
                text, self.status["awaitingConfirmation"] = self.status["awaitingConfirmation"], None
                self.emit("state", {"type": "state", "part": "confirmation", "state": "ended", "reason": "confirmed"})
                self.scan(text, "code_128")
        return {}

    # Settings on trial

    def trial_form(self):
        if not self.trial:
            return None
        return {"values": self.trial["values"], "before": self.trial["before"], "author": self.trial["author"],
            "leftMs": max(0, round((self.trial["until"] - time.monotonic()) * 1000))}

    def settings(self):
        with self.lock:
            return {"revision": str(self.revision), "keys": self.keys, "trial": self.trial_form(), "changes": self.changes, "notes": self.notes,
                "file": "/var/lib/scanstation/console.yaml"}

    def written(self, value):
        return "on" if value is True else "off" if value is False else str(value)

    def try_settings(self, values, author):
        with self.lock:
            before = {one["key"]: one["value"] for one in self.keys if one["key"] in values}
            earlier = self.trial or {"raw": {}, "values": {}, "before": {}, "timer": None}
            if earlier["timer"]:
                earlier["timer"].cancel()
            timer = threading.Timer(self.trialSeconds, self.end_trial, (False, "timeout"))
            timer.daemon = True
            self.trial = {"author": author, "until": time.monotonic() + self.trialSeconds, "timer": timer, "raw": {**before, **earlier["raw"]},
                "values": {**earlier["values"], **{name: self.written(value) for name, value in values.items()}},
                "before": {**{name: self.written(value) for name, value in before.items()}, **earlier["before"]}}
            timer.start()
            change_settings(self, values)
            self.tell_trial("onTrial")

    def end_trial(self, isKept, reason="asked"):
        with self.lock:
            trial, self.trial = self.trial, None
            if not trial:
                return
            trial["timer"].cancel()
            # One time for all of them, as with the station: by it they belong together.
            ended = now()
            if isKept:
                self.changes[:0] = [{"time": ended, "author": trial["author"], "key": name, "from": trial["before"][name], "to": value}
                    for name, value in trial["values"].items()]
            else:
                change_settings(self, trial["raw"])
                if reason != "asked":
                    self.changes[:0] = [{"time": ended, "author": trial["author"], "key": name, "from": trial["before"][name], "to": value, "back": reason}
                        for name, value in trial["values"].items()]
            # A station that ended says nothing of it.
            if reason != "ended":
                self.tell_trial("kept" if isKept else "takenBack", reason)

    def tell_trial(self, state, reason=None):
        self.status["settings"] = {"revision": str(self.revision), "trial": self.trial_form()}
        self.emit("state", {"type": "state", "part": "settings", "state": state, "settings": self.status["settings"],
            **({"reason": reason} if reason else {})})

    def wait_for_confirmation(self, text):
        with self.lock:
            self.status["awaitingConfirmation"] = text
        self.emit("state", {"type": "state", "part": "confirmation", "state": "waiting", "symbology": "code_128", "text": text})


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    world: World

    def log_message(self, *_):
        pass

    # Answers

    def answer(self, status, body=b"", kind="application/json", headers=None):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if status != 204:
            self.wfile.write(body)

    def fail(self, status, code, message, headers=None):
        self.answer(status, {"error": {"code": code, "message": message}}, headers=headers)

    # Who asks

    @property
    def session(self):
        for part in self.headers.get("Cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == "session" and value in self.world.sessions:
                return value
        return None

    def allowed(self, scope):
        if not self.session:
            self.fail(401, "signedOut", "You are signed out. Sign in again.")
            return False
        if scope not in self.world.scopes:
            self.fail(403, "scope", f"This sign-in may not do that: it lacks the scope “{scope}”.")
            return False
        return True

    def there(self):
        if self.world.away:
            self.fail(503, "stationAway", self.world.away)
            return False
        return True

    # Requests

    def handle_one(self, method):
        if self.world.dead or self.world.cut:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        url = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(url.query))
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        self.body = json.loads(raw) if raw else {}
        if method != "GET" and self.headers.get("Sec-Fetch-Site") != "same-origin":
            return self.fail(403, "origin", "This write didn't come from the console's own page.")
        if not url.path.startswith("/api/v1/"):
            return self.static(url.path)
        name, *rest = [urllib.parse.unquote(part) for part in url.path.removeprefix("/api/v1/").split("/")]
        handler = getattr(self, f"{method.lower()}_{name.replace('-', '_')}", None)
        if handler is None:
            return self.fail(404, "unknown", "There is no such thing here.")
        handler(*rest)

    def do_GET(self):
        self.handle_one("GET")

    def do_POST(self):
        self.handle_one("POST")

    def do_PUT(self):
        self.handle_one("PUT")

    def do_PATCH(self):
        self.handle_one("PATCH")

    def do_DELETE(self):
        self.handle_one("DELETE")

    def static(self, path):
        file = (WEB / ("index.html" if path == "/" else path.lstrip("/"))).resolve()
        if not file.is_file() or WEB not in file.parents:
            return self.fail(404, "unknown", "There is no such file.")
        kind = "text/javascript" if file.suffix == ".js" else mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        self.answer(200, file.read_bytes(), kind + "; charset=utf-8", {"Cache-Control": "no-cache", "Content-Security-Policy": CSP})

    # Sessions

    def get_session(self):
        signed = bool(self.session)
        self.answer(200, {"signedIn": signed, "scopes": self.world.scopes if signed else [], "passwordSet": self.world.password is not None,
            "station": "dock-1", "howTo": "", "commands": self.world.commands, "firstPassword": self.world.button if self.world.password is None else None})

    def enter(self):
        token = secrets.token_urlsafe(16)
        self.world.sessions[token] = True
        self.answer(204, headers={"Set-Cookie": f"session={token}; HttpOnly; SameSite=Strict; Path=/"})

    def post_session(self):
        world = self.world
        if "key" in self.body:
            if self.body["key"] in world.oneTimeKeys:
                world.oneTimeKeys.discard(self.body["key"])
                return self.enter()
            return self.fail(401, "wrongKey", "This link was used already, or is too old.")
        if world.wrongTries >= 3:
            return self.fail(429, "tooMany", "Too many tries.", {"Retry-After": "2"})
        if world.password is not None and self.body.get("password") == world.password:
            return self.enter()
        world.wrongTries += 1
        self.fail(401, "wrongPassword", "That isn't the password.")

    def delete_session(self):
        self.world.sessions.pop(self.session, None)
        self.answer(204)

    def delete_sessions(self):
        self.world.sessions.clear()
        self.answer(204)

    def put_password(self):
        if not self.allowed("manage"):
            return
        if self.world.password is not None and self.body.get("old") != self.world.password:
            return self.fail(403, "wrongPassword", "The old password isn't right.")
        self.world.password = self.body["password"]
        self.answer(204)

    def post_first_password(self):
        if self.world.failing.get("firstPassword"):
            return self.fail(409, "refused", self.world.failing["firstPassword"])
        self.world.first = {"stage": "waiting", "leftMs": 60_000, "why": None}
        rows = ["".join(map(str, row)) for row in segno.make("SCANSTATION:PASSWORD:" + secrets.token_hex(16).upper(), error="m", micro=False).matrix]
        self.answer(201, {**self.world.first, "code": rows})

    def get_first_password(self):
        self.answer(200, self.world.first) if self.world.first else self.fail(404, "noCode", "This browser has no code.")

    def put_first_password(self):
        if len(self.body["password"]) < 8:
            return self.fail(400, "badPassword", "the password has less than 8 characters")
        self.world.password = self.body["password"]
        self.enter()

    def delete_first_password(self):
        self.world.first = None
        self.answer(204)

    # The station

    def get_state(self):
        if not self.allowed("view"):
            return
        world = self.world
        with world.lock:
            world.states += 1
            last = {"lastScan": {name: world.scans[0][name] for name in ("id", "seq", "symbology")}} if world.scans else {}
            station = None if world.away else self.known({**world.status, **last, "unread": world.unread(),
                "settings": {"revision": str(world.revision), "trial": world.trial_form()}})
            viewers = world.viewers if world.viewers is not None else max(1, len(world.subscribers))
            self.answer(200, {"station": station, "stationAway": world.away, "console": {"version": world.version, "viewers": viewers, "door": False}})

    def known(self, fields):
        return {name: value for name, value in fields.items() if name not in self.world.lacks}

    def get_events(self):
        if not self.allowed("view"):
            return
        mine = queue.Queue()
        session = self.session
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        self.world.subscribers.append(mine)
        self.world.streams += 1
        try:
            self.wfile.write(b": hello\n\n")
            self.wfile.flush()
            while not self.world.dead and session in self.world.sessions:
                try:
                    kind, body, identity = mine.get(timeout=0.5)
                except queue.Empty:
                    self.wfile.write(b":\n\n")
                    self.wfile.flush()
                    continue
                text = f"event: {kind}\n" + (f"id: {identity}\n" if identity else "") + f"data: {json.dumps(body)}\n\n"
                self.wfile.write(text.encode())
                self.wfile.flush()
        except OSError:
            pass
        finally:
            # It may have been dropped.
            if mine in self.world.subscribers:
                self.world.subscribers.remove(mine)

    def get_scans(self, identity=None, *_):
        if not self.allowed("view"):
            return
        if identity == "export":
            lines = "".join(json.dumps(scan) + "\n" for scan in self.world.scans)
            return self.answer(200, lines.encode(), "application/x-ndjson", {"Content-Disposition": "attachment; filename=scans.ndjson"})
        if not self.there():
            return
        if identity:
            scan = next((one for one in self.world.scans if one["id"] == identity), None)
            return self.answer(200, scan) if scan else self.fail(404, "unknown", "There is no such scan.")
        query, found = self.query, self.world.scans
        self.world.questions += 1
        if "before" in query:
            found = [scan for scan in found if scan["seq"] < int(query["before"])]
        if "text" in query:
            found = [scan for scan in found if query["text"].lower() in (scan["text"] or "").lower()]
        if "kind" in query:
            found = [scan for scan in found if scan["payload"]["kind"] == query["kind"]]
        if "from" in query:
            found = [scan for scan in found if scan["time"] >= query["from"]]
        if "to" in query:
            found = [scan for scan in found if scan["time"] <= query["to"]]
        if "receipt" in query:
            found = [scan for scan in found if any(receipt["outcome"] == query["receipt"] for receipt in scan["receipts"])]
        # As a station does: it looks at a limited number, and answers with a limited number of those that match.
        older = [scan for scan in self.world.scans if scan["seq"] < int(query.get("before", 1 << 62))]
        looked, limit = older[:self.world.looks], int(query.get("limit", 50))
        fitting = [scan for scan in found if scan in looked]
        last = fitting[limit - 1] if len(fitting) >= limit else looked[-1] if looked else None
        self.answer(200, {"scans": fitting[:limit], "more": bool(last) and last is not older[-1], "before": last["seq"] if last else 1,
            "reached": last["time"] if last else None})

    def post_scans(self, identity, action):
        if not self.allowed("operate") or not self.there():
            return
        scan = next(one for one in self.world.scans if one["id"] == identity)
        receipt = next(one for one in scan["receipts"] if one["output"] == self.body["output"])
        receipt.update(outcome="accepted", time=now())
        receipt.pop("reason", None)
        self.world.received.append({"send": identity, **self.body})
        self.answer(204)

    def post_commands(self):
        if not self.allowed("operate") or not self.there():
            return
        reply = self.world.command(self.body)
        if isinstance(reply, str):
            return self.fail(409, "refused", reply)
        self.answer(200, {"v": 1, "type": "reply", "command": self.body["command"], "ok": True, **reply})

    def get_preview(self, *_):
        if not self.allowed("preview") or not self.there():
            return
        world = self.world
        seq = world.frame_after(int(self.query.get("after", -1)))
        if seq is None:
            return self.answer(204, headers={"X-Camera-State": world.status["camera"]["state"]})
        meta, jpeg = world.scene.preview(seq, world.viewport)
        self.answer(200, scenes.packed(meta, jpeg), "application/vnd.scanstation.preview")

    def get_outputs(self):
        if self.allowed("view") and self.there():
            self.answer(200, self.known({"outputs": self.world.outputs, "kinds": KINDS}))

    def post_outputs(self, name, action):
        if self.allowed("operate") and self.there():
            self.world.received.append({"test": name})
            scan = f"test-{len(self.world.received)}"
            # As with the station, the receipt may be there before the answer.
            if name in self.world.receipts_of_tests:
                self.world.emit("receipt", {"type": "receipt", "scan": scan, "seq": 0, "output": name, **self.world.receipts_of_tests[name]})
            self.answer(200, {"ok": True, "scan": scan, "output": name, "text": "SCANSTATION-TEST"})

    def get_settings(self):
        if self.allowed("view") and self.there():
            with self.world.lock:
                self.answer(200, self.world.settings())

    def patch_settings(self):
        if not self.allowed("manage") or not self.there():
            return
        world = self.world
        with world.lock:
            if self.headers.get("If-Match") != str(world.revision):
                return self.fail(412, "changedMeanwhile", "The settings were changed meanwhile. Look at them again.")
            if world.trial and world.trial["author"] != "this browser":
                return self.fail(409, "onTrial", f"another change of settings, by {world.trial['author']}, is on trial: "
                    "it has to be kept or taken back first")
            for name, value in self.body["values"].items():
                if name == "trigger.timeout" and value == "soon":
                    return self.fail(409, "refused", "trigger.timeout: \"soon\" isn't a time from 100ms to 1h, such as 5s")
            world.try_settings(self.body["values"], "this browser")
            self.answer(200, world.settings())

    def post_settings(self, how):
        if not self.allowed("manage") or not self.there():
            return
        with self.world.lock:
            if not self.world.trial:
                return self.fail(409, "nothingOnTrial", "no change of settings is on trial: it was kept, taken back, or its time was up")
            if "settings" in self.world.failing:
                return self.fail(409, "refused", self.world.failing["settings"])
            self.world.end_trial(how == "keep")
            self.answer(200, self.world.settings())

    def get_health(self):
        if self.allowed("view") and self.there():
            self.answer(200, {"findings": self.world.findings,
                "figures": self.known({"days": self.world.status["days"], "counters": self.world.status["counters"]})})

    # Tokens

    def get_tokens(self):
        if self.allowed("manage"):
            self.answer(200, {"tokens": self.world.tokens})

    def post_tokens(self):
        if self.allowed("manage"):
            self.world.tokens.append({"id": secrets.token_hex(4), "name": self.body["name"], "scopes": self.body["scopes"],
                "expires": self.body.get("expires")})
            self.answer(200, {"token": "sst_" + secrets.token_urlsafe(24)})

    def delete_tokens(self, identity):
        if self.allowed("manage"):
            self.world.tokens = [token for token in self.world.tokens if token["id"] != identity]
            self.answer(204)


def change_settings(world, values):
    with world.lock:
        world.revision += 1
        for one in world.keys:
            if one["key"] in values:
                one["value"] = values[one["key"]]


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, *_):
        pass


def serve(world, port=0):
    """Starts a server for a world; its address."""
    server = Server(("127.0.0.1", port), type("Bound", (Handler,), {"world": world}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


def shelf_day(world):
    """Scans as a shelf has them, for people and pictures."""
    url = "https://example.com/shelf/12?item=417"
    link = {"kind": "url", "url": url, "scheme": "https", "host": "example.com"}
    world.scan("BOX-2026-00411", "code_128", ago=5200, quiet=True,
               receipts=[{"output": "stock", "outcome": "accepted", "time": now(5200)}, {"output": "broker", "outcome": "waiting", "time": None}])
    world.scan("0109506000134352172612", "data_matrix", {"kind": "gs1", "source": "elementString", "gtin": "09506000134352", "elements": [
        {"ai": "01", "title": "GTIN", "value": "09506000134352"}, {"ai": "17", "title": "USE BY or EXPIRY", "value": "261200", "date": "2026-12-31",
            "wholeMonth": True}]}, ago=3100, quiet=True)
    world.scan(None, "qr_code", {"kind": "wifi", "ssid": "Lager", "security": "wpa", "password": "(redacted)", "hidden": False}, ago=1900,
        quiet=True, withheld=True)
    world.scan("TICKET-0042", "code_128", ago=800, quiet=True,
        receipts=[{"output": "stock", "outcome": "refused", "reason": "sold out", "time": now(800)},
        {"output": "archive", "outcome": "accepted", "time": now(800)}],
               answer={"verdict": "refused", "reason": "sold out", "by": "stock", "late": False, "relay": False})
    world.scan(url, "qr_code", link, ago=95, quiet=True)
    world.scan("4006381333931", "ean_13", {"kind": "product", "gtin": "04006381333931", "number": "4006381333931", "checkDigit": True}, ago=12,
        quiet=True)


if __name__ == "__main__":
    world = World()
    shelf_day(world)
    server, address = serve(world, int(sys.argv[1]) if len(sys.argv) > 1 else 8090)
    print(f"{address}/#key=one-time-key   or the password “{PASSWORD}”", flush=True)
    try:
        while True:
            # By hand, at a desk: there is nothing to wait for, a code just comes now and then.
            time.sleep(6)
            world.scan("4006381333931", "ean_13", {"kind": "product", "gtin": "04006381333931", "number": "4006381333931", "checkDigit": True})
    except KeyboardInterrupt:
        server.shutdown()
