"""A machine in QEMU: disks, serial line, agent; power on, power off, power cut."""

import os
import re
import shutil
import socket
import subprocess
import threading
import time

from .agent import Agent, AgentError, remove

BOOT_TIMEOUT = 300


class Accelerator:
    """KVM where a kernel really boots with it, else QEMU's own translator. Tried once a run."""

    chosen = {}

    @classmethod
    def name(cls, arch, kernel):
        if arch not in cls.chosen:
            cls.chosen[arch] = "kvm" if cls.kvm_works(arch, kernel) else "tcg"
        return cls.chosen[arch]

    @staticmethod
    def kvm_works(arch, kernel):
        if arch != "amd64" or os.uname().machine != "x86_64" or not os.access("/dev/kvm", os.W_OK):
            return False
        # Without a disk the kernel panics: that is as far as it has to come.
        try:
            tried = subprocess.run(
                ["qemu-system-x86_64", "-accel", "kvm", "-cpu", "host", "-m", "256", "-nographic", "-nodefaults",
                 "-serial", "stdio", "-no-reboot", "-kernel", kernel, "-append", "console=ttyS0 panic=-1"],
                stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False)
        except subprocess.TimeoutExpired:
            return False
        return b"Kernel panic" in tried.stdout


class SerialLine:
    """The host's end of the virtual Pi's serial port: what it has sent so far."""

    def __init__(self, path):
        self.path = path
        self.received = b""
        self.news = threading.Condition()
        self.socket = None

    def connect(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(self.path)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            try:
                chunk = self.socket.recv(65536)
            except OSError:
                return
            if not chunk:
                return
            with self.news:
                self.received += chunk
                self.news.notify_all()

    def wait(self, wanted, timeout=60, since=0):
        """Waits until these bytes have come after the first `since` bytes."""
        with self.news:
            if not self.news.wait_for(lambda: wanted in self.received[since:], timeout):
                raise AgentError(f"waited {timeout} s for {wanted!r} on the serial line; it has {self.received[since:]!r}")

    def close(self):
        if self.socket:
            self.socket.close()


class Machine:
    """One virtual Pi. `disk` is a qcow2 file of its own, or what `root_socket` serves; everything it says is kept in `folder`."""

    def __init__(self, folder, *, arch, kernel, disk, lab_disk, state=None, memory=1024, command_line="root=/dev/vda rw", root_socket=None,
                 device_timeout=300):
        self.folder = folder
        self.arch = arch
        self.kernel = kernel
        self.disk = disk
        self.lab_disk = lab_disk
        self.state = state
        self.memory = memory
        self.command_line = command_line
        self.root_socket = root_socket
        # Seconds that units wait for a device. Emulated ones may come late.
        self.device_timeout = device_timeout
        self.process = None
        self.agent = None
        self.serial = None
        self.started_at = None
        self.boots = 0
        self.console_read = 0
        os.makedirs(folder, exist_ok=True)

    @property
    def accelerator(self):
        return Accelerator.name(self.arch, self.kernel)

    @property
    def serial_device(self):
        """The port of the Pi's header: the first UART is the console's. The aarch64 machine has that one only, and a card."""
        return "/dev/ttyS1" if self.arch == "amd64" else "/dev/ttyS0"

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _command(self):
        accelerator = self.accelerator
        if self.arch == "amd64":
            command = ["qemu-system-x86_64", "-machine", "q35",
                       "-cpu", "host" if accelerator == "kvm" else "max"]
            console = "ttyS0"
            serial = ["-serial", "chardev:serial"]
        else:
            command = ["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72"]
            console = "ttyAMA0"
            serial = ["-device", "pci-serial,chardev=serial"]
        command += ["-accel", "kvm" if accelerator == "kvm" else "tcg,thread=multi",
                    "-smp", "2", "-m", str(self.memory), "-display", "none", "-nodefaults", "-nic", "none",
                    "-no-user-config", "-no-reboot", "-kernel", self.kernel, "-append",
                    f"console={console} {self.command_line} panic=-1 quiet mitigations=off audit=0 "
                    "systemd.show_status=0 systemd.default_timeout_start_sec=300 "
                    f"systemd.default_device_timeout_sec={self.device_timeout}",
                    "-chardev", f"file,id=console,path={self._path('console.log')},append=on",
                    "-serial", "chardev:console",
                    "-chardev", f"socket,id=serial,path={self._path('serial')},server=on,wait=off", *serial,
                    "-device", "virtio-rng-pci",
                    "-device", "virtio-serial-pci",
                    "-chardev", f"socket,id=agent,path={self._path('agent')},server=on,wait=off",
                    "-device", "virtserialport,chardev=agent,name=lab.agent",
                    *self._root_drive(),
                    "-drive", f"file={self.lab_disk},format=raw,if=none,id=lab,readonly=on",
                    "-device", "virtio-blk-pci,drive=lab,serial=lab"]
        if self.state:
            # "writeback": the guest is told that this disk has a cache, and must flush it.
            command += ["-drive", f"driver=nbd,server.type=unix,server.path={self.state},if=none,id=state,"
                                  "cache.direct=off,cache.no-flush=off,discard=ignore",
                        "-device", "virtio-blk-pci,drive=state,serial=state,write-cache=on"]
        return command

    def _root_drive(self):
        if self.root_socket:
            return ["-drive", f"driver=nbd,server.type=unix,server.path={self.root_socket},if=none,id=root,"
                              "cache.direct=off,cache.no-flush=off,discard=ignore",
                    "-device", "virtio-blk-pci,drive=root,serial=root,write-cache=on"]
        return ["-drive", f"file={self.disk},format=qcow2,if=none,id=root,cache=unsafe", "-device", "virtio-blk-pci,drive=root,serial=root"]

    def power_on(self, timeout=BOOT_TIMEOUT):
        for name in ("agent", "serial"):
            remove(self._path(name))
        self.boots += 1
        log = open(self._path("qemu.log"), "ab")
        self.started_at = time.monotonic()
        self.process = subprocess.Popen(self._command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.close()
        self.agent = Agent(self._path("agent"), open(self._path("agent.log"), "ab"))
        self.serial = SerialLine(self._path("serial"))
        self.agent.connect(time.monotonic() + 30)
        self.serial.connect()
        self.wait_ready(timeout)

    def wait_ready(self, timeout=BOOT_TIMEOUT, since=0):
        deadline = time.monotonic() + timeout
        while True:
            try:
                self.agent.wait(lambda e: e.get("from") == "agent", "the virtual Pi to boot", since=since, timeout=2)
                return
            except AgentError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise AgentError(
                        f"the virtual Pi didn't boot within {timeout} s:\n{self.console_tail()}") from None

    def watch(self):
        """Begins to listen: to what the lines are told and to the station's socket."""
        self.agent.ask({"lines": True}, 60)
        self.agent.ask({"follow": "/run/scanstation/station.sock"}, 60)

    def crashes(self):
        """Programs that crashed since this was last asked: what guest/lab/keep-core has said on the console."""
        try:
            with open(self._path("console.log"), "rb") as file:
                file.seek(self.console_read)
                text = file.read()
        except OSError:
            return []
        whole = text.rfind(b"\n") + 1
        self.console_read += whole
        return [found.decode() for found in re.findall(rb"lab: crashed: ([^\r\n]*)", text[:whole])]

    def console_tail(self, lines=25):
        try:
            with open(self._path("console.log"), errors="replace") as file:
                return "".join(file.readlines()[-lines:])
        except OSError:
            return ""

    def reboot(self):
        """Begins it; the agent may be ended before it can answer."""
        try:
            self.agent.run("systemctl --no-block reboot", check=False)
        except AgentError:
            pass

    def power_off(self, timeout=240):
        """Services are stopped, file systems unmounted. QEMU runs with -no-reboot: a reboot ends it, on every machine."""
        if self.process and self.process.poll() is None:
            self.reboot()
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.cut()
                raise AgentError(f"the virtual Pi didn't end within {timeout} s:\n{self.console_tail(5)}") from None
        self._put_away()

    def cut(self):
        """The power is gone, at once: nothing of the guest's memory survives."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._put_away()

    def _put_away(self):
        for part in (self.agent, self.serial):
            if part:
                part.close()


def make_overlay(base, path, base_format="qcow2"):
    remove(path)
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", os.path.abspath(base), "-F", base_format, path],
                   check=True)
    return path


def copy_disk(source, target):
    shutil.copyfile(source, target)
    return target
