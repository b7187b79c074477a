"""The virtual Pi with ScanStation on it: its configuration, its pictures, its service."""

import json
import time

from .agent import AgentError, is_scan, is_state, station_event
from .lines import Lines
from .machine import Machine
from .scenario import expect

UNIT = "scanstation.service"
CONFIGURATION = "/etc/scanstation/station.yaml"
# What the virtual pipeline reads, and nothing overrides.
VIRTUAL_CAMERA = "/usr/share/libcamera/pipeline/virtual/virtual.yaml"
SOCKET = "/run/scanstation/station.sock"

# A start that can be heard would count as beeps of scans.
QUIET_START = "feedback: {patterns: {ready: []}}\n"
# The reference wiring of hardware/README.md, whole, and the serial line to the host.
WIRING = """\
name: virtual-pi
capture: {{preset: low, frameRate: 10}}
torch: {{line: GPIO17}}
buzzer: {{line: GPIO18}}
indicators: {{good: GPIO22, error: GPIO23, ready: GPIO24}}
relay: {{line: GPIO26, pulse: 500ms}}
confirmation: {{button: {{line: GPIO5}}}}
trigger: {{mode: {mode}, button: {{line: GPIO27}}}}
outputs:
  - serial: {{device: {serial}, template: '{{text}}<CR><LF>'}}
    name: till
"""

CAMERA = """\
%YAML 1.1
---
"Virtual0":
  supported_formats:
  - width: 640
    height: 480
    frame_rates:
    - 30
  - width: 960
    height: 540
    frame_rates:
    - 30
  frames:
    path: "{folder}"
  location: "CameraLocationBack"
  model: "virtual camera of the lab"
"""


class Pi(Machine):
    """A machine with the station; `lines` are watched and the station's socket is followed from `watch` on."""

    def power_on(self, *arguments, **more):
        super().power_on(*arguments, **more)
        self.lines = Lines(self.agent)

    def wiring(self, mode="presentation", *, start_is_heard=False):
        return ("" if start_is_heard else QUIET_START) + WIRING.format(mode=mode, serial=self.serial_device)

    def show(self, folder):
        """What the virtual camera shows from its next start on: a folder of JPEGs of the lab's disk; None: no such camera."""
        if folder is None:
            self.agent.run(f"rm -f {VIRTUAL_CAMERA}")
        else:
            self.agent.write(VIRTUAL_CAMERA, CAMERA.format(folder=f"/lab/frames/{folder}/"))

    def configure(self, text):
        self.agent.write(CONFIGURATION, text)
        checked = self.agent.run(f"scanstation config check {CONFIGURATION}", check=False)
        expect(checked.code == 0, f"the lab's configuration is refused: {checked}")

    def restart(self, *, camera="running", timeout=120):
        """A fresh start of the service; returns the place in the events where it began."""
        self.agent.run("systemctl stop scanstation; systemctl reset-failed scanstation", check=False)
        mark = self.agent.mark()
        self.agent.run("systemctl start scanstation")
        if camera:
            self.wait_camera(camera, since=mark, timeout=timeout)
        return mark

    def set_up(self, pictures, configuration=None, **more):
        """Shows pictures to a station that starts with this configuration."""
        # One that just boots would read the new pictures, too, and deliver them by its own configuration.
        self.agent.run("systemctl stop scanstation", check=False)
        self.show(pictures)
        self.configure(configuration or self.wiring())
        return self.restart(**more)

    # What the station says

    def wait_camera(self, state, *, since, timeout=120):
        """Waits until the camera has this state, or had it already."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                return station_event(self.agent.wait(
                    is_state("camera", state), f"the camera to be {state}", since=since, timeout=3))
            except AgentError:
                status = self.status(check=False)
                if status.get("camera", {}).get("state") == state:
                    return status["camera"]
                if time.monotonic() > deadline:
                    raise AgentError(f"waited {timeout} s for the camera to be {state}; "
                                     f"it is {status.get('camera', 'unknown')}\n{self.log_tail()}") from None

    def wait_state(self, part, state, *, since, timeout=180, **more):
        return station_event(self.agent.wait(
            is_state(part, state, **more), f"{part} to be {state}", since=since, timeout=timeout))

    def wait_scan(self, text=None, *, since, timeout=120):
        return station_event(self.agent.wait(is_scan(text), f"a scan of {text or 'anything'}", since=since, timeout=timeout))

    def scans(self, since=0):
        return [told for event in self.agent.since(since, "socket")
                if (told := station_event(event)).get("type") == "scan"]

    def ctl(self, arguments, check=True):
        return self.agent.run(f"scanstation ctl {arguments}", check=check)

    def status(self, check=True):
        outcome = self.agent.run(f"scanstation ctl status --json --socket {SOCKET}", check=check)
        try:
            return json.loads(outcome.out)
        except ValueError:
            if check:
                raise
            return {}

    def journal(self):
        """The scans in the journal, oldest first."""
        out = self.agent.run("scanstation journal list --after 0 --limit 1000000 --json").out
        return [json.loads(line) for line in out.splitlines() if line.strip()]

    # The service

    def property(self, *names):
        out = self.agent.run(f"systemctl show {UNIT} " + " ".join(f"-p {name}" for name in names)).out
        return dict(line.split("=", 1) for line in out.splitlines() if "=" in line)

    def main_pid(self):
        return int(self.property("MainPID")["MainPID"])

    def wait_restarts(self, more_than, timeout=120):
        """Waits until systemd has restarted the service and it is up."""
        deadline = time.monotonic() + timeout
        while True:
            now = self.property("NRestarts", "ActiveState", "MainPID")
            if int(now["NRestarts"]) > more_than and now["ActiveState"] == "active":
                return now
            if time.monotonic() > deadline:
                raise AgentError(f"waited {timeout} s for systemd to start the service again: {now}\n{self.log_tail()}")
            time.sleep(0.3)

    def log_tail(self, lines=25):
        return self.agent.run(f"journalctl -u {UNIT} --no-pager -o cat -n {lines}", check=False).out

    def override(self, name, text):
        """A drop-in of the administrator; None takes it away."""
        path = f"/etc/systemd/system/scanstation.service.d/{name}.conf"
        if text is None:
            self.agent.run(f"rm -f {path}")
        else:
            self.agent.write(path, text)
        self.agent.run("systemctl daemon-reload")
