"""Updates from a signed apt repository: in the middle of scanning, to a version that never gets ready, and with power cuts."""

import os
import random
import re
import shutil
import subprocess
import time

from virtual_pi.agent import AgentError, is_scan, station_event
from virtual_pi.cuts import learn
from virtual_pi.disk import ForgetfulDisk
from virtual_pi.pi import QUIET_START
from virtual_pi.scenario import expect, scenario

from .console import read_console
from .power import DELIVERY, noise

STATE = "/var/lib/scanstation-update"
PREVIOUS = "/usr/lib/scanstation/previous"
SOURCES = "/etc/apt/sources.list.d/scanstation.sources"
# From our list alone: the machine has no network for the others.
OURS = f"-o Dir::Etc::SourceList={SOURCES} -o Dir::Etc::SourceParts=- -o APT::Get::List-Cleanup=0"
INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get -y -q install scanstation"
# A start of the service, on an emulated machine that others use, too: 32 s were seen.
LONGEST_PAUSE_SECONDS = 90
# An update proves itself for a minute after it is ready.
PROVING_SECONDS = 75


def follow(pi, folder):
    """What docs/installing.md says, each station once."""
    pi.agent.run(f"install -m 644 /lab/{folder}/scanstation-archive-keyring.gpg /usr/share/keyrings/ && "
                 f"install -m 644 /lab/{folder}/scanstation.sources {SOURCES} && apt-get -q update {OURS}", timeout=600)


def installed(pi):
    return pi.agent.run("dpkg-query -W -f '${Status} ${Version}' scanstation").out


def note(pi, told, delivered):
    """Everything that was heard so far: events on the socket, whole lines on the serial port."""
    for scan in pi.scans():
        told[scan["id"]] = scan["seq"]
    for line in pi.serial.received.split(b"\n")[:-1]:
        words = line.decode(errors="replace").split()
        if len(words) == 2 and words[1].isdigit():
            delivered.add(words[0])
            told.setdefault(words[0], int(words[1]))


def wait_delivered(pi, told, delivered, timeout=180):
    """Everything in the journal comes to the host in the end, and everything that was told is in it."""
    deadline = time.monotonic() + timeout
    while True:
        note(pi, told, delivered)
        journal = {row["id"]: row["seq"] for row in pi.journal()}
        note(pi, told, delivered)
        missing = set(journal) - delivered
        if not missing or time.monotonic() > deadline:
            break
        time.sleep(1)
    lost = sorted(set(told) - set(journal))
    expect(not lost, f"lost: {[(scan, told[scan]) for scan in lost]}")
    expect(not missing, f"in the journal, and not delivered: {sorted(missing)}")
    return journal


def scanning(pi, timeout=300):
    """A scan that is new."""
    mark = pi.agent.mark()
    return pi.wait_scan(since=mark, timeout=timeout)


@scenario("update", needs="disk", arch=("amd64", "arm64"), needs_updates=True)
def update(bench):
    """An update from the signed folder in the middle of scanning loses nothing; the new version proves itself, and the old one is kept."""
    pi = bench.machine("update")
    pi.power_on()
    follow(pi, "repository")
    pi.watch()
    pi.set_up("cuts", QUIET_START + DELIVERY.format(serial=pi.serial_device))
    told, delivered = {}, set()
    scanning(pi)
    pid = pi.main_pid()
    mark = pi.agent.mark()
    started = time.monotonic()
    pi.agent.start("update", f"{INSTALL} 2>&1; echo ended $?")
    ended = pi.agent.wait(lambda e: e.get("from") == "update" and e.get("line", "").startswith("ended"), "apt to end", since=mark, timeout=900)
    took = time.monotonic() - started
    expect(ended["line"] == "ended 0", f"apt failed: {[e.get('line') for e in pi.agent.since(mark, 'update')][-20:]}")
    expect(installed(pi) == f"install ok installed {bench.newer}", f"dpkg says: {installed(pi)}")
    expect(pi.main_pid() != pid, "the service wasn't restarted")
    scanning(pi)
    expect(bench.program_version(pi) == bench.newer, f"the program that runs is {bench.program_version(pi)}'s")
    times = [event["host"] for event in pi.agent.since(mark, "socket") if is_scan()(event)]
    gap = max(later - earlier for earlier, later in zip(times, times[1:]))
    during = sum(event < started + took for event in times)
    expect(during > 0, "nothing was scanned while apt worked")
    expect(gap < LONGEST_PAUSE_SECONDS, f"it paused for {gap:.0f} s")

    kept = pi.agent.run(f"cat {PREVIOUS}/VERSION; ls {PREVIOUS}; {PREVIOUS}/scanstation --version; cat {STATE}/trial").out
    expect(kept.startswith(bench.version + "\n") and "scanstation-reader" in kept and "libcamera-0.4.so" in kept, f"what was kept: {kept}")
    on_trial = pi.status().get("versionNote", "")
    expect(bench.newer in on_trial and "on trial" in on_trial, f"status says of its version: {on_trial!r}")
    waited = time.monotonic()
    confirmed = pi.agent.run(f"for i in $(seq 300); do cat {STATE}/confirmed 2>/dev/null && exit; sleep 1; done; exit 1", timeout=330).out
    expect(confirmed == bench.newer + "\n", f"confirmed is {confirmed!r}")
    waited = time.monotonic() - waited
    # The next start knows it. The scene stands still meanwhile, so that everything can be delivered.
    pi.show(None)
    pi.restart(camera=None)
    expect("versionNote" not in pi.status(), f"a confirmed version is on trial: {pi.status().get('versionNote')}")
    doctor = pi.agent.run("scanstation doctor", check=False).out
    expect(re.search(rf"OK +version +{re.escape(bench.newer)}; it has proved itself", doctor), f"doctor says:\n{doctor}")
    journal = wait_delivered(pi, told, delivered)
    expect(sorted(journal.values()) == list(range(min(journal.values()), max(journal.values()) + 1)), "sequence numbers are missing")
    bench.update_seconds = took
    bench.figures["update: longest pause between scans"] = f"{gap:.1f} s"
    return (f"{bench.version} to {bench.newer} in {took:.0f} s, {during} scans meanwhile, longest pause {gap:.1f} s; {len(told)} scans told, all of "
            f"them in the journal and delivered; confirmed {waited:.0f} s after that, {bench.version} kept")


@scenario("fallback", needs="disk", arch=("amd64", "arm64"), needs_updates=True)
def fallback(bench):
    """A new version never gets ready: after three starts the one before it scans again. Without the fallback, nothing scans."""
    pi = bench.machine("fallback")
    pi.power_on()
    follow(pi, "broken-repository")
    pi.watch()
    pi.set_up("cuts", QUIET_START + DELIVERY.format(serial=pi.serial_device))
    told, delivered = {}, set()
    scanning(pi)
    mark = pi.agent.mark()
    started = time.monotonic()
    # Its first start hangs until systemd ends it; the others end at once.
    pi.agent.run(f"{INSTALL}; touch /run/lab-ends-at-once", timeout=900, check=False)
    expect(installed(pi) == f"install ok installed {bench.broken}", f"dpkg says: {installed(pi)}")
    expect("fallback" not in pi.agent.run(f"cat {STATE}/trial").out, "one start was enough to give it up")
    pi.wait_camera("running", since=mark, timeout=400)
    scanning(pi)
    took = time.monotonic() - started
    status = pi.status()
    expect(status["version"] == bench.version and bench.broken in status.get("versionNote", ""),
           f"status says {status['version']}, {status.get('versionNote')!r}")
    expect(bench.program_version(pi) == bench.version, f"the program that runs is {bench.program_version(pi)}'s")
    program = pi.agent.run(f"readlink /proc/{pi.main_pid()}/exe; readlink /proc/$(pgrep -o scanstation-rea)/exe").out.split()
    expect(len(program) == 2 and all(path.startswith("/usr/lib/scanstation/.previous-") for path in program), f"what runs is {program}")
    log = pi.log_tail(60)
    expect("scanstation-launch: " in log and "runs in its place" in log, f"the log doesn't say why:\n{log}")
    doctor = pi.agent.run("scanstation doctor", check=False).out
    line = next((text for text in doctor.splitlines() if " version " in text), "")
    expect(line.startswith("WARN") and f"{bench.version} runs" in line, f"doctor says:\n{doctor}")
    expect(installed(pi) == f"install ok installed {bench.broken}", "the launcher changed what is installed")
    # The page is of the version that runs.
    console = pi.agent.run("for i in $(seq 60); do readlink /proc/$(systemctl show -P MainPID scanstation-console)/exe | grep -F /.previous- && exit; "
                           "sleep 1; done; exit 1", timeout=90, check=False).out
    expect(console, "the console didn't go back to the version that runs")
    # Who has no terminal hears of it, too.
    state, health = read_console(pi, "/state", "/health")
    seen = state["station"]["version"], bench.broken in state["station"].get("versionNote", ""), state["console"]["version"]
    expect(seen == (bench.version, True, bench.version), f"the console says {state}")
    expect(any(one["check"] == "version" and f"{bench.version} runs" in one["text"] for one in health["findings"]), f"its page Health says {health}")

    # It stays so over a restart and a boot. What the host got until then is lost with the machine's serial line.
    note(pi, told, delivered)
    serial = pi.serial
    pi.power_off()
    for line in serial.received.split(b"\n")[:-1]:
        delivered.update(word for word in line.decode(errors="replace").split()[:1])
    pi.power_on()
    pi.watch()
    scanning(pi)
    expect(pi.status()["version"] == bench.version, "after a boot it is another version")

    # With the fallback switched off, this scenario must see nothing scan.
    pi.override("no-fallback", "[Service]\nEnvironment=SCANSTATION_FALLBACK=off\n")
    pi.agent.run("touch /run/lab-ends-at-once; systemctl restart scanstation", check=False)
    mark = pi.agent.mark()
    pi.agent.run("sleep 60", timeout=90)
    expect(not [event for event in pi.agent.since(mark, "socket") if is_scan()(event)], "it scans without its fallback")
    expect(not pi.status(check=False), "a station answers without its fallback")
    restarts = pi.property("NRestarts")["NRestarts"]
    pi.override("no-fallback", None)
    pi.agent.run("systemctl restart scanstation", timeout=200)
    scanning(pi)

    # What was kept isn't given up for the version that failed; a good one is tried again, by itself.
    follow(pi, "repository")
    pi.agent.run("SCANSTATION_ALLOW_DOWNGRADE=1 DEBIAN_FRONTEND=noninteractive apt-get -y -q --allow-downgrades install "
                 f"scanstation={bench.newer}", timeout=900)
    scanning(pi)
    expect(pi.agent.run(f"cat {PREVIOUS}/VERSION").out == bench.version + "\n", "what had failed is kept in place of what worked")
    expect("on trial" in pi.status().get("versionNote", ""), f"the next version isn't on trial: {pi.status().get('versionNote')}")
    pi.show(None)
    pi.restart(camera=None)
    wait_delivered(pi, told, delivered)
    bench.figures["fallback: update to scanning again"] = f"{took:.0f} s"
    return (f"{bench.broken} hung once and ended twice: {bench.version} scans again {took:.0f} s after the update began, with its own reader; a boot "
            f"changes nothing; without the fallback: no scan in 60 s, {restarts} restarts; the next good version is on trial, {len(told)} scans, none lost")


def begin_of_updates(bench, name):
    """A folder, and an image in it of a disk with a configured station that follows the repository and has no scans yet."""
    pi = bench.machine(f"{name}-prepare")
    pi.power_on()
    follow(pi, "repository")
    pi.agent.run("systemctl stop scanstation")
    pi.show("cuts")
    pi.configure(QUIET_START + DELIVERY.format(serial=pi.serial_device))
    pi.agent.run("rm -rf /var/lib/scanstation/*; sync")
    pi.power_off()
    folder = os.path.join(bench.folder, name)
    os.makedirs(folder, exist_ok=True)
    image = os.path.join(folder, "begin.img")
    subprocess.run(["qemu-img", "convert", "-O", "raw", pi.disk, image], check=True)
    return folder, image


@scenario("update-full", needs="disk", arch=("amd64", "arm64"), needs_updates=True)
def update_full(bench):
    """The disk is full in the middle of an update: the message says so, the station goes on scanning as it was, and with room the update goes through."""
    folder, image = begin_of_updates(bench, "update-full")
    # ext4's reserve is root's, whatever is set in the running system: dpkg would have room where the station has none.
    subprocess.run(["tune2fs", "-m", "0", image], check=True, stdout=subprocess.DEVNULL)
    pi = bench.card_machine("update-full", image, "root=/dev/vda rw")
    pi.power_on()
    pi.watch()
    told, delivered = {}, set()
    scanning(pi)
    pid = pi.main_pid()
    # Less than the package takes, and enough for the journal.
    room = int(bench.package_field("Installed-Size")) * 1024 // 2
    pi.agent.run(f"free=$(($(stat -f -c '%a * %S' /))) && fallocate -l $((free - {room})) /var/tmp/filler && sync", timeout=120)
    scanning(pi)
    mark = pi.agent.mark()
    # apt's own caches would be what doesn't fit.
    tried = pi.agent.run(f"{INSTALL} -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= 2>&1", timeout=900, check=False)
    expect(tried.code != 0, f"an update went through with {room >> 20} MB of room: this proves nothing:\n{tried.out}")
    said = next((line for line in tried.out.splitlines() if "No space left on device" in line and not line.startswith("E: ")), None)
    expect(said, f"apt doesn't say why:\n{tried.out}")
    expect("Unpacking scanstation" in tried.out and "dpkg: error" in tried.out, f"dpkg wasn't in the middle of it: this proves nothing:\n{tried.out}")
    expect(installed(pi) == f"install ok installed {bench.version}", f"dpkg says: {installed(pi)}\n{tried.out}")
    expect(not pi.agent.run("dpkg --audit").out.strip(), "dpkg isn't content")
    damaged = pi.agent.run("dpkg --verify scanstation | grep -v '/usr/share/\\| c /' || true").out.strip()
    expect(not damaged, f"files aren't what they were: {damaged}")
    expect(pi.main_pid() == pid, f"the service was started again\n{pi.log_tail()}")
    marks = pi.agent.run("ls /usr/lib/scanstation/unpacking /usr/lib/scanstation/again", check=False).out
    expect(not marks, f"marks of an update are left: {marks}")
    scanning(pi)
    refused = [event for event in pi.agent.since(mark, "socket") if station_event(event).get("state") == "full"]
    # A start finds the same version, and nothing on trial.
    pi.restart()
    scanning(pi)
    expect(bench.program_version(pi) == bench.version, f"the program that runs is {bench.program_version(pi)}'s")
    expect("versionNote" not in pi.status(), f"status says {pi.status().get('versionNote')!r}")

    pi.agent.run("rm /var/tmp/filler")
    pi.agent.run(INSTALL, timeout=900)
    expect(installed(pi) == f"install ok installed {bench.newer}", f"dpkg says: {installed(pi)}")
    scanning(pi)
    expect(bench.program_version(pi) == bench.newer, f"the program that runs is {bench.program_version(pi)}'s")
    pi.show(None)
    pi.restart(camera=None)
    wait_delivered(pi, told, delivered)
    pi.power_off()
    shutil.rmtree(folder, ignore_errors=True)
    return (f"{room >> 20} MB of room: \"{said.strip()}\"; {bench.version} went on scanning as it was, the journal was full {len(refused)} times meanwhile; "
            f"with room, {bench.newer} scans; {len(told)} scans told, none lost")


def check_trial(bench, pi):
    """Whatever files a cut has left: the new program runs only as one that is on trial, or has proved itself."""
    version = bench.program_version(pi)
    if version != bench.version:
        record = pi.agent.run(f"cat {STATE}/trial {STATE}/confirmed", check=False).out
        expect(record.startswith(version) or f"\n{version}\n" in record, f"{version} runs as if it had proved itself: {record!r}")


@scenario("update-cuts", needs="disk", arch=("amd64",), needs_updates=True, cuts=True)
def update_cuts(bench):
    """The power is cut at any moment of an update, on a disk that forgets: the station scans after it, and dpkg comes to its end."""
    folder, begin = begin_of_updates(bench, "update-cuts")
    image = os.path.join(folder, "card.img")
    # How long an update takes here; another scenario may have measured it, or an earlier run.
    length = getattr(bench, "update_seconds", None) or bench.cuts.length("update-cuts", otherwise=300)
    number, rows = bench.cuts.next_life("update-cuts"), []
    first = number
    while len(rows) < bench.options.update_cuts:
        choose = random.Random(f"{bench.options.seed} {number}")
        subprocess.run(["cp", "--sparse=always", begin, image], check=True)
        disk = ForgetfulDisk(folder, bench.plugin, image=image)
        pi = bench.card_machine("update-cuts", image, "root=/dev/vda rw", root_socket=disk.socket)
        told, delivered = {}, set()
        with bench.cuts.life("update-cuts", number) as life:
            # Several cuts in one update, until it is done.
            for _ in range(min(bench.options.update_cuts - len(rows), choose.randrange(1, 7))):
                keep = choose.choice([0, 50])
                disk.power_on(keep=keep, seed=choose.randrange(1 << 30))
                pi.power_on()
                pi.watch()
                pi.wait_scan(since=0, timeout=300)
                check_trial(bench, pi)
                before = installed(pi)
                if before.startswith("install ok installed ") and before.endswith(bench.newer):
                    # In order: what the serial line has got from this boot would be lost to us otherwise, as a host would have it.
                    pi.power_off(timeout=600)
                    note(pi, told, delivered)
                    disk.cut()
                    break
                pi.agent.start("noise", noise("/var/tmp/noise"))
                mark = pi.agent.mark()
                started = time.monotonic()
                # A boot may have gone on with it already, and hold dpkg's lock.
                pi.agent.start("update", f"{INSTALL} -o DPkg::Lock::Timeout=600 2>&1; echo ended $?")
                # Now and then only once dpkg is done, while the new version proves itself.
                at = choose.uniform(0.05, 1.0) * length if choose.random() < 0.8 else length + choose.uniform(0, PROVING_SECONDS)
                try:
                    pi.agent.wait(lambda e: e.get("from") == "update" and e.get("line", "").startswith("ended"), "apt", since=mark, timeout=at)
                    done = True
                    time.sleep(max(0, at - (time.monotonic() - started)))
                except AgentError:
                    done = False
                moment = time.monotonic() - started
                pi.cut()
                forgotten = disk.cut()
                note(pi, told, delivered)
                row = {"at": round(moment), "of": round(length), "done": done, "keep": keep, "scans": len(pi.scans()), **forgotten}
                life.rows.append(row)
                rows.append(row)
            # It scans, whatever is installed; and by itself dpkg comes to an end.
            disk.power_on()
            pi.power_on()
            pi.watch()
            pi.wait_scan(since=0, timeout=300)
            check_trial(bench, pi)
            pi.agent.run("systemctl is-active -q scanstation-repair; for i in $(seq 600); do case $(systemctl show -P ActiveState scanstation-repair) in "
                         "activating) sleep 1 ;; *) exit 0 ;; esac; done; exit 1", timeout=660)
            found = installed(pi)
            repair = pi.agent.run("journalctl -b -u scanstation-repair -o cat --no-pager | tail -n 30").out
            expect(found in (f"install ok installed {bench.version}", f"install ok installed {bench.newer}"), f"dpkg says: {found}\n{repair}")
            expect(not pi.agent.run("dpkg --audit").out.strip(), f"dpkg isn't content\n{repair}")
            damaged = pi.agent.run("dpkg --verify scanstation | grep -v '/usr/share/\\| c /' || true").out.strip()
            expect(not damaged, f"files aren't what they were: {damaged}\n{repair}")
            rows[-1]["repaired"] = "going on with it" in repair
            # The update goes through now, if it hasn't.
            pi.agent.run(f"{INSTALL} -o DPkg::Lock::Timeout=600", timeout=900)
            expect(installed(pi) == f"install ok installed {bench.newer}", f"dpkg says: {installed(pi)}")
            scanning(pi)
            pi.show(None)
            pi.restart(camera=None)
            wait_delivered(pi, told, delivered)
            pi.power_off(timeout=600)
            disk.cut()
        length = max(20, learn(life.rows[0], length))
        number += 1
    shutil.rmtree(folder, ignore_errors=True)
    expect(any(row.get("forgotten") for row in rows), f"the disk had nothing to forget: this proves nothing: {rows}")
    return (f"{len(rows)} cuts, at {', '.join(str(row['at']) for row in rows)} s of some {length:.0f} (seed {bench.options.seed}, from life {first} on); "
            f"each time it scanned afterwards, {sum(row.get('repaired', False) for row in rows)} times dpkg had to be gone on with; "
            f"{sum(row['scans'] for row in rows)} scans told, none lost; {bench.cuts.in_all('update-cuts')}")
