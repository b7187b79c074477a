"""The disk for power cuts: an nbdkit plugin of ours that forgets what was not flushed."""

import json
import os
import subprocess
import time

from .agent import AgentError, remove


class ForgetfulDisk:
    """A disk with a write cache: an empty one, or `image`. `cut` loses what the cache held."""

    def __init__(self, folder, plugin, size="128M", image=None):
        self.image = image or os.path.join(folder, "state.img")
        self.socket = os.path.join(folder, "state")
        self.log = os.path.join(folder, "state.log")
        self.plugin = plugin
        self.process = None
        os.makedirs(folder, exist_ok=True)
        if image is None:
            remove(self.image)
            subprocess.run(["truncate", "-s", size, self.image], check=True)

    def make_file_system(self):
        subprocess.run(["mke2fs", "-q", "-t", "ext4", "-L", "state", self.image], check=True)

    def power_on(self, keep=0, seed=1):
        """`keep`: of 100 sectors that are in the cache at a cut, how many reach the disk all the same, at random."""
        remove(self.socket)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                ["nbdkit", "--foreground", "--exit-with-parent", "-U", self.socket, self.plugin, f"image={self.image}",
                 f"keep={keep}", f"seed={seed}"], stdin=subprocess.DEVNULL, stderr=log)
        deadline = time.monotonic() + 30
        while not os.path.exists(self.socket):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AgentError(f"nbdkit didn't start: see {self.log}")
            time.sleep(0.02)

    def cut(self):
        """Ends the disk; says what became of what it had in its cache: writes, flushes, forgotten, kept."""
        if not self.process:
            return {}
        self.process.terminate()
        self.process.wait(60)
        self.process = None
        with open(self.log) as log:
            reports = [line for line in log if line.startswith("{")]
        return json.loads(reports[-1]) if reports else {}
