"""Power cuts while it scans: what beeped is in the journal, and is delivered."""

import os
import random
import subprocess
import time

from virtual_pi.agent import AgentError, is_scan, station_event
from virtual_pi.disk import ForgetfulDisk
from virtual_pi.lines import BUZZER
from virtual_pi.pi import QUIET_START
from virtual_pi.scenario import expect, scenario

STATE = "/var/lib/scanstation"
MOUNT = f"/dev/disk/by-id/virtio-state {STATE} ext4 defaults,nofail 0 2\n"
# One line of JSON a scan, which the host keeps: what was delivered.
DELIVERY = """\
name: virtual-pi
capture: {{preset: low, frameRate: 30}}
buzzer: {{line: GPIO18}}
indicators: {{good: GPIO22}}
trigger: {{mode: presentation, sameSymbolTimeout: 100ms}}
outputs:
  - serial: {{device: {serial}, template: '{{id}} {{seq}}<LF>'}}
    name: till
"""
NO_SYNC = "[Service]\nEnvironment=LD_PRELOAD=/lab/no-sync.so\n"
NOISE_BYTES = 1 << 20


def noise(path):
    """A command for somebody else who writes to the same disk and never flushes, so that it always has something to forget."""
    return f"""[ -e {path} ] || {{ dd if=/dev/zero of={path} bs={NOISE_BYTES} count=1 status=none && sync; }}
exec python3 -c '
import mmap, os, random, time
page = mmap.mmap(-1, 4096)
file = os.open("{path}", os.O_WRONLY | os.O_DIRECT)
while True:
    page[:8] = random.randbytes(8)
    os.pwrite(file, page, 4096 * random.randrange({NOISE_BYTES // 4096}))
    time.sleep(0.01)
'"""


class Cuts:
    """Boots, scans, cuts the power, boots again, and compares; as often as asked."""

    def __init__(self, bench, name, *, flushes, seed):
        self.bench = bench
        self.flushes = flushes
        self.random = random.Random(seed)
        folder = os.path.join(bench.folder, name)
        self.disk = ForgetfulDisk(folder, bench.plugin)
        self.disk.make_file_system()
        self.pi = bench.machine(name, state=self.disk.socket)
        self.rows = []
        # Ids of scans that a person or the host has heard of, and those that have come to the host on the serial line.
        self.told = {}
        self.delivered = set()
        self.journal = {}
        self.booted = []
        # Beeps of each life, by the id of its boot.
        self.beeps = {}
        self.prepare()

    def prepare(self):
        """The state is on the disk that forgets; the root file system, which isn't what is tried, on one that doesn't."""
        self.disk.power_on()
        pi = self.pi
        pi.power_on()
        pi.agent.run(f"systemctl stop scanstation; rm -rf {STATE}/*; echo '{MOUNT.strip()}' >>/etc/fstab; "
                     f"mount {STATE} && chown scanstation:scanstation {STATE} && chmod 750 {STATE}")
        pi.show("cuts")
        pi.configure(QUIET_START + DELIVERY.format(serial=pi.serial_device))
        if not self.flushes:
            pi.override("no-sync", NO_SYNC)
        pi.agent.run("sync")
        pi.power_off()
        self.disk.cut()

    def boot(self, keep):
        self.disk.power_on(keep=keep, seed=self.random.randrange(1 << 30))
        started = time.monotonic()
        self.pi.power_on()
        self.pi.watch()
        return started

    def scan_and_cut(self, number):
        """One life of the machine: what was promised before is checked, it scans, and the power goes."""
        keep = self.random.choice([0, 50])
        started = self.boot(keep)
        lost = self.check()
        pi = self.pi
        pi.agent.start("noise", noise(f"{STATE}/noise"))
        boot = pi.wait_scan(since=0, timeout=240)["boot"]
        self.booted.append(time.monotonic() - started)
        # At any moment of the next seconds: within a commit, between two, or while an output is being served.
        enough = self.random.randrange(3, 12)
        for _ in range(240):
            if len(pi.scans()) >= enough:
                break
            time.sleep(0.25)
        time.sleep(self.random.random() * 0.4)
        serial = pi.serial
        pi.cut()
        forgotten = self.disk.cut()
        self.note(serial)
        self.beeps[boot] = beeps = len([value for _, value in pi.lines.steps(BUZZER) if value == 1])
        row = {"cut": number, "keep": keep, "scans": len(pi.scans()), "beeps": beeps, **forgotten, "lost before": len(lost)}
        self.rows.append(row)
        return lost

    def note(self, serial):
        """Everything that was heard before the cut: events on the socket, whole lines on the serial port."""
        for told in self.pi.scans():
            self.told[told["id"]] = told["seq"]
        for line in serial.received.split(b"\n")[:-1]:
            words = line.decode(errors="replace").split()
            if len(words) == 2:
                self.delivered.add(words[0])
                self.told.setdefault(words[0], int(words[1]))

    def check(self):
        """After a boot: scans that were told of and are neither in the journal nor were they delivered and dropped from it."""
        pi = self.pi
        pi.agent.run("for i in $(seq 300); do systemctl is-active -q scanstation && exit; sleep 0.2; done; exit 1", timeout=90)
        pi.agent.wait(lambda e: station_event(e).get("part") == "journal" and station_event(e).get("state") == "ready"
                      or is_scan()(e) or e.get("state") == "connected", "the station's journal", timeout=120)
        mounted = pi.agent.run(f"findmnt -n -o FSTYPE,SOURCE {STATE}").out.split()
        expect(mounted and mounted[0] == "ext4", f"the state isn't on the disk that forgets: {mounted}")
        rows = pi.journal()
        self.journal = {row["id"]: row["seq"] for row in rows}
        for boot, beeps in self.beeps.items() if self.flushes else ():
            kept = sum(row["boot"] == boot for row in rows)
            expect(beeps <= kept, f"there were {beeps} beeps between two cuts, and the journal has {kept} scans of that time")
        return sorted(set(self.told) - set(self.journal))

    def finish(self):
        """The last boot: what is in the journal has been delivered, all of it."""
        self.boot(0)
        lost = self.check()
        pi = self.pi
        deadline = time.monotonic() + 120
        while True:
            self.note(pi.serial)
            missing = set(self.told) & set(self.journal) - self.delivered
            if not missing or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        verified = pi.agent.run("scanstation journal verify", check=False)
        pi.power_off()
        self.disk.cut()
        return lost, sorted(missing), verified


def describe(cuts):
    sums = {key: sum(row.get(key, 0) for row in cuts.rows) for key in ("scans", "beeps", "flushes", "forgotten", "kept")}
    return (f"{len(cuts.rows)} cuts, {sums['scans']} scans told, {sums['beeps']} beeps, {sums['flushes']} flushes; the disk forgot "
            f"{sums['forgotten']} sectors and kept {sums['kept']} unflushed ones")


@scenario("disk-forgets", needs="disk", arch=("amd64",))
def disk_forgets(bench):
    """The disk itself: what was flushed is there after a cut, what was only written is not."""
    disk = ForgetfulDisk(os.path.join(bench.folder, "forgets"), bench.plugin, "1M")
    disk.power_on()
    # "abort" ends it as a crash would: whatever it had not flushed, it doesn't flush at the end either.
    subprocess.run(
        ["qemu-io", "-f", "raw", "-t", "writeback", "-c", "write -P 1 0 64k", "-c", "flush", "-c", "write -P 2 32k 64k", "-c", "abort",
         f"nbd+unix:///?socket={disk.socket}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
    said = disk.cut()
    with open(disk.image, "rb") as file:
        data = file.read()
    expect(data[:65536] == b"\1" * 65536, "what was flushed is not there, or was written over")
    expect(data[65536:98304] == bytes(32768), "what was not flushed is there")
    expect(said["forgotten"] == 128, f"the disk says {said}")
    return "64 KiB flushed: there; 64 KiB written over and behind them, not flushed: gone"


@scenario("power-cuts", needs="disk", arch=("amd64",), cuts=True)
def power_cuts(bench):
    """The power is cut while codes are being scanned. Nothing that was told is lost."""
    cuts = Cuts(bench, "cuts", flushes=True, seed=20261121)
    for number in range(1, bench.options.cuts + 1):
        lost = cuts.scan_and_cut(number)
        expect(not lost, f"cut {number - 1} lost scans that had been told: {[(i, cuts.told[i]) for i in lost]}")
    lost, undelivered, verified = cuts.finish()
    expect(not lost, f"lost after the last cut: {lost}")
    expect(not undelivered, f"in the journal, and never delivered: {undelivered}")
    expect(verified.code == 0, f"the journal is not whole: {verified}")
    expect(sum(row["scans"] for row in cuts.rows) > 0 and sum(row["beeps"] for row in cuts.rows) > 0,
           "nothing was scanned: this proves nothing")
    expect(all(row["flushes"] > 0 for row in cuts.rows), "the disk saw no flush")
    expect(sum(row["forgotten"] for row in cuts.rows) > 0, "the disk had nothing to forget: this proves nothing")
    bench.figures["power cuts"] = cuts.rows
    bench.figures["boot to first scan"] = f"{sorted(cuts.booted)[len(cuts.booted) // 2]:.1f} s (median of {len(cuts.booted)})"
    return (describe(cuts) + f"; {len(cuts.told)} scans in the journal and {len(cuts.delivered)} delivered in the end, "
            "none lost; journal verified")


@scenario("power-cuts-mutant", needs="disk", arch=("amd64",))
def mutant(bench):
    """A station whose journal doesn't flush must be caught: fsync and fdatasync do nothing, as with synchronous=OFF."""
    cuts = Cuts(bench, "mutant", flushes=False, seed=417)
    for number in range(1, bench.options.mutant_cuts + 1):
        try:
            lost = cuts.scan_and_cut(number)
        except AgentError:
            # A journal that a cut has ruined is caught, too; anything else is a fault of the lab's.
            journal = cuts.pi.status(check=False).get("journal", {}) if number > 1 else {}
            if journal.get("state") not in ("unavailable", "full"):
                raise
            return f"caught: cut {number - 1} ruined the journal ({journal})"
        if lost:
            bench.figures["power cuts, not flushing"] = f"caught: {len(lost)} scans lost by {number - 1} cut(s)"
            return f"caught: cut {number - 1} lost {len(lost)} of {len(cuts.told)} scans that had been told"
    cuts.boot(0)
    lost = cuts.check()
    expect(lost, f"not caught: {describe(cuts)}")
    bench.figures["power cuts, not flushing"] = f"caught: {len(lost)} scans lost by {len(cuts.rows)} cut(s)"
    return f"caught: the last cut lost {len(lost)} of {len(cuts.told)} scans that had been told"
