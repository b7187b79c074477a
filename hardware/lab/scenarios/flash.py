"""From a blank card to a first scan: deploy/image/prepare, as a person runs it, and the first boot that it has prepared.

The card is the lab's own (hardware/lab/card). The machine has no network device at all.
"""

import os
import random
import shutil
import subprocess
import time

from virtual_pi.agent import AgentError
from virtual_pi.cuts import learn
from virtual_pi.disk import ForgetfulDisk
from virtual_pi.readme import commands, steps
from virtual_pi.scenario import Failed, expect, scenario
from virtual_pi.workbench import CUT_TEXTS, REPOSITORY

from .console import read_console
from .power import noise
from .update import note

FIRMWARE = "/boot/firmware"
BOOT_START = 8 << 20
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8mYpPqWkzHqTnQpSbFz4dQv0n3Qv7p1r2s3t4u5v6w anna@pc"
SECRETS = ("correct horse", "battery staple", "tell nobody")
ANSWERS = f"""\
hostName: lager-1
user: anna
userPassword: {SECRETS[0]}
sshKey: {KEY}
wifiName: Bob's "fast" net
wifiPassword: {SECRETS[1]}
wifiCountry: DE
timeZone: Europe/Berlin
outputs: [serial]
consolePassword: {SECRETS[2]}
"""
NEW_PASSWORD = "another one of the page"
# Emulated, a first boot takes minutes; on a machine that others use too, many.
DONE_SECONDS = 2400


def on_card(image, path):
    """A file of the card's FAT partition; None if it isn't there."""
    done = subprocess.run(["mtype", "-i", f"{image}@@{BOOT_START}", f"::/{path}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env={**os.environ, "MTOOLS_SKIP_CHECK": "1"}, check=False)
    return done.stdout.decode() if done.returncode == 0 else None


# As Imager 2 writes them, over whatever is there. Offline, "packages" fails, and holds apt's lock while it does.
IMAGER = {
    "user-data": """\
#cloud-config
hostname: imager-1
manage_etc_hosts: true
packages:
- avahi-daemon
apt:
  conf: |
    Acquire {
      Check-Date "false";
    };
enable_ssh: true
users:
- name: otto
  groups: users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,gpio,spi,i2c,render,sudo
  shell: /bin/bash
  lock_passwd: false
  passwd: $5$hkui88$nvZgIle31cNpryjRfO9uArF7DYiBcWEnjqq7L1AQNN3
ssh_pwauth: true
""",
    "meta-data": "instance-id: rpi-imager-1764000000000\n",
}
IMAGER_WORDS = "ds=nocloud;i=rpi-imager-1764000000000"


def page_commands():
    """README's section, to the letter: its commands name the image raspios-lite.img."""
    found = commands("README.md", "## Flash it")
    expect([command.split()[0] for command in found] == ["deploy/image/prepare", "deploy/image/manifest"], f"README's \"Flash it\" has the commands {found}")
    return found


def prepared(bench, name, answers=ANSWERS):
    """A card of its own, prepared by the very script. Returns the image and what the script said."""
    folder = os.path.join(bench.folder, name)
    os.makedirs(folder, exist_ok=True)
    image = os.path.join(folder, "card.img")
    subprocess.run(["cp", "--sparse=always", bench.card, image], check=True)
    with open(os.path.join(folder, "answers.yaml"), "w") as file:
        file.write(answers)
    said = ""
    for command, more in zip(page_commands(), (["--answers", file.name, "--package", bench.deb], [])):
        words = [image if word == "raspios-lite.img" else word for word in command.split()]
        done = subprocess.run([*words, *more], cwd=REPOSITORY, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        expect(done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        said += done.stdout
    expect(os.path.exists(image + ".rpi-imager-manifest"), "there is no manifest beside the image")
    return image, said


def as_imager(image):
    for name, text in IMAGER.items():
        subprocess.run(["mcopy", "-o", "-i", f"{image}@@{BOOT_START}", "-", f"::/{name}"], input=text.encode(), check=True)


def command_line(image):
    """What the firmware would tell the kernel; the lab has a console of its own."""
    words = on_card(image, "cmdline.txt").split()
    expect(not any(word.startswith("console=serial0") for word in words), f"the console is still on the serial port: {words}")
    return " ".join(word for word in words if not word.startswith("console="))


def wait_done(pi, timeout=DONE_SECONDS):
    """Waits until the card says that it is ready, and fails as soon as it says that it needs somebody."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            said = pi.agent.run(f"cat {FIRMWARE}/SCANSTATION.TXT; test -e {FIRMWARE}/scanstation/done && echo is-done", check=False).out
        except AgentError:
            if not restarts(pi):
                raise
            continue
        if "is-done" in said:
            return said
        check_on(pi, said, time.monotonic() < deadline, f"the first boot isn't done after {timeout} s")
        time.sleep(5)


def restarts(pi):
    """After a power cut, the first boot may start the machine once more, which ends QEMU here: it is switched on again, as a Pi does it itself."""
    try:
        pi.process.wait(60)
    except subprocess.TimeoutExpired:
        return False
    expect("Kernel panic" not in pi.console_tail(60), "the kernel has panicked")
    pi.cut()
    pi.power_on(timeout=1200)
    pi.watch()
    return True


def check_on(pi, said, in_time, otherwise):
    """Asks for the logs only when something is wrong: an emulated machine has better things to do."""
    if "NEEDS YOU" in said or not in_time:
        raise Failed(f"{'the first boot needs somebody' if 'NEEDS YOU' in said else otherwise}:\n{said}\n{first_boot_log(pi)}")


def first_boot_log(pi):
    return pi.agent.run("journalctl -u scanstation-first-boot --no-pager -o cat -n 40; tail -n 20 /run/scanstation-first-boot/log; "
                        "cloud-init status --long; systemctl list-jobs | head -n 20", check=False).out


def check_installed(bench, pi):
    installed = pi.agent.run("dpkg-query -W -f '${Status} ${Version}' scanstation").out
    expect(installed == f"install ok installed {bench.version}", f"dpkg says: {installed}")
    audit = pi.agent.run("dpkg --audit; dpkg --verify scanstation | grep -v '/usr/share/' || true").out.strip()
    expect(not audit, f"dpkg isn't content: {audit}")


def wait_first_scan(pi, timeout=600):
    """Waits for it, and fails as soon as the card says that it needs somebody."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            told = pi.wait_scan(timeout=15, since=0)
            break
        except AgentError:
            said = pi.agent.run(f"cat {FIRMWARE}/SCANSTATION.TXT", check=False, timeout=300).out
            check_on(pi, said, time.monotonic() < deadline, f"no scan after {timeout} s")
    expect(told["text"] in CUT_TEXTS and told["text"], f"it read {told['text']!r}")
    return told


@scenario("flash", needs="card", arch=("amd64", "arm64"))
def flash(bench):
    """A blank card, prepared and started: offline, without a hand at it, it becomes a station that scans; and stays one."""
    image, said = prepared(bench, "flash")
    carried = next(line for line in said.splitlines() if " now carries " in line)
    meta_data = on_card(image, "meta-data")
    with open(image, "rb") as file:
        data = file.read((512 << 20) + BOOT_START)
    expect(not any(secret.encode() in data for secret in SECRETS), "a password is on the card as it was typed")
    del data

    pi = bench.card_machine("flash", image, command_line(image))
    started = time.monotonic()
    pi.power_on(timeout=900)
    pi.watch()
    # Loopback and tunnels have no device behind them.
    expect(not pi.agent.run("ls -d /sys/class/net/*/device 2>/dev/null", check=False).out.strip(), "the machine has a network device")
    told = wait_first_scan(pi, timeout=DONE_SECONDS)
    first_scan = time.monotonic() - started
    pi.serial.wait(told["text"].encode() + b"\r\n", timeout=120)
    text = wait_done(pi)
    took = time.monotonic() - started
    bench.figures["flash: power on to first scan"] = f"{first_scan:.0f} s"
    bench.figures["flash: power on to done"] = f"{took:.0f} s"
    # The machine doesn't start again by itself: another boot would have ended it here (`restarts`).
    boots = pi.agent.run("journalctl --list-boots -q --no-pager | wc -l").out.strip()
    expect(pi.boots == 1 and boots in ("0", "1"), f"it took {pi.boots} starts; the machine's own log has {boots}")
    bench.figures["flash: boots from blank to done"] = f"{pi.boots}"
    todo = steps("README.md", "## Flash it")
    expect(1 <= len(todo) <= 3, f"README's \"Flash it\" has the steps {todo}")
    bench.figures["flash: a person's steps"] = f"{len(todo)}: {'; '.join(todo)}"
    bench.first_boot_seconds = took

    check_installed(bench, pi)
    expect(": READY" in text and "OK" in text, f"SCANSTATION.TXT says:\n{text}")
    # The lab has its kernel's console where a Pi has the serial line, and says so on the command line. Nothing else may be wrong.
    failed = [line for line in text.splitlines() if line.startswith("FAIL") and "as the kernel's console" not in line]
    expect(not failed, f"doctor finds: {failed}")
    seen = pi.agent.run("hostname; id -nG anna; cat /home/anna/.ssh/authorized_keys; readlink -f /etc/localtime; systemctl is-enabled ssh; "
                        "cat /etc/netplan/*.yaml").out
    for wanted in ("lager-1\n", "scanstation", KEY, "zoneinfo/Europe/Berlin", "enabled", "Bob's", "regulatory-domain"):
        expect(wanted in seen, f"{wanted!r} isn't in what the machine says of itself:\n{seen}")
    shadow = pi.agent.run("grep ^anna: /etc/shadow").out
    expect(shadow.startswith("anna:$6$"), f"the user's password isn't the one that was given: {shadow}")
    for seed in ("user-data", "vendor-data"):
        left = pi.agent.run(f"cat {FIRMWARE}/{seed}").out
        expect(left == "#cloud-config\n", f"{seed} still says: {left}")
    expect(pi.agent.run(f"cat {FIRMWARE}/meta-data").out == meta_data, "meta-data was changed")
    expect(pi.agent.run(f"ls {FIRMWARE}/scanstation/console-password", check=False).code != 0, "the console's password is still on the FAT partition")
    expect(pi.agent.run("systemctl cat scanstation-first-boot", check=False).code != 0, "the unit of the first boot is still there")
    # The page takes the password that was given, and shows the station.
    state, = read_console(pi, "/state", password=SECRETS[2])
    expect(state["station"]["version"] == bench.version, f"the page says {state}")
    # A later package with another configuration asks nobody: the card's stands in for it.
    diverted = pi.agent.run("dpkg-divert --list /etc/scanstation/station.yaml; cat /etc/scanstation/station.yaml").out
    expect("station.yaml.package" in diverted and "/dev/serial0" in diverted, f"the configuration isn't the card's: {diverted}")
    instance = pi.agent.run("cat /var/lib/cloud/data/instance-id").out

    # The same station at the next start, and cloud-init takes it for the same machine.
    pi.power_off()
    again = time.monotonic()
    pi.power_on(timeout=900)
    pi.watch()
    wait_first_scan(pi, timeout=900)
    again = time.monotonic() - again
    seen = pi.agent.run("cat /var/lib/cloud/data/instance-id; hostname; cat /etc/netplan/*.yaml; cat /run/cloud-init/cloud-id").out
    expect(seen.startswith(instance) and "lager-1" in seen and "Bob's" in seen, f"after the second start:\n{seen}")
    boots, pi = pi.boots - 1, again_with_other_answers(bench, pi, image)
    return (f"{carried.split(' now carries ', 1)[1]}; {boots} boot, {first_scan:.0f} s from power on to the first scan ({told['text']}), "
            f"{took:.0f} s until it was done; second start {again:.0f} s; offline; prepared again, it runs with the new answers, and keeps its scans")


def again_with_other_answers(bench, pi, image):
    """The card in a PC once more: a newer package, other outputs, another password of the page. The station takes them at its next start, by itself."""
    before = {row["id"]: row["seq"] for row in pi.journal()}
    expect(before, "the journal is empty: this proves nothing")
    pi.power_off()
    used = os.path.join(os.path.dirname(image), "used.img")
    subprocess.run(["qemu-img", "convert", "-O", "raw", pi.disk, used], check=True)
    answers = os.path.join(os.path.dirname(image), "again.yaml")
    with open(answers, "w") as file:
        file.write(f"consolePassword: {NEW_PASSWORD}\nprofile: inventory\n")
    newer = bench.newer_package
    done = subprocess.run(["deploy/image/prepare", used, "--answers", answers, "--package", newer], cwd=REPOSITORY, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"prepare ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    os.unlink(image)
    pi = bench.card_machine("flash-again", used, command_line(used))
    pi.power_on(timeout=900)
    pi.watch()
    text = wait_done(pi)
    expect(": READY" in text, f"SCANSTATION.TXT says:\n{text}")
    installed = pi.agent.run("dpkg-query -W -f '${Status} ${Version}' scanstation").out
    expect(installed == f"install ok installed {bench.newer}", f"dpkg says: {installed}")
    expect(bench.program_version(pi) == bench.newer, f"the program that runs is {bench.program_version(pi)}'s")
    mode = pi.status()["mode"]
    expect(mode == "continuous", f"it isn't the new profile that runs: {mode}")
    state, = read_console(pi, "/state", password=NEW_PASSWORD)
    expect(state["station"]["name"], f"the page says {state}")
    after = {row["id"] for row in pi.journal()}
    lost = sorted(set(before) - after)
    expect(not lost, f"lost: {lost}")
    expect(pi.agent.run("hostname").out == "lager-1\n", "it has another name")
    return pi


@scenario("flash-cuts", needs="card", arch=("amd64",), cuts=True)
def flash_cuts(bench):
    """The power is cut at any moment of the first boot, on a disk that forgets; it goes on, and in the end it scans.

    Imager's answers are on this card, too: they win, and what they don't say is ours.
    """
    image, _ = prepared(bench, "flash-cuts")
    as_imager(image)
    begin = os.path.join(bench.folder, "flash-cuts", "begin.img")
    shutil.move(image, begin)
    line = f"{command_line(begin)} {IMAGER_WORDS}"
    # How long a first boot takes here; another scenario may have measured it, or an earlier run.
    length = getattr(bench, "first_boot_seconds", None) or bench.cuts.length("flash-cuts", otherwise=450)
    number, rows = bench.cuts.next_life("flash-cuts"), []
    first = number
    while len(rows) < bench.options.flash_cuts:
        choose = random.Random(f"{bench.options.seed} {number}")
        subprocess.run(["cp", "--sparse=always", begin, image], check=True)
        disk = ForgetfulDisk(os.path.join(bench.folder, "flash-cuts"), bench.plugin, image=image)
        pi = bench.card_machine("flash-cuts", image, line, root_socket=disk.socket)
        told = {}
        with bench.cuts.life("flash-cuts", number) as life:
            # Several cuts in one first boot, until it is done.
            for _ in range(min(bench.options.flash_cuts - len(rows), choose.randrange(1, 7))):
                row = cut_once(pi, disk, choose, length, told)
                life.rows.append(row)
                rows.append(row)
                if row["done"]:
                    break
            disk.power_on()
            pi.power_on(timeout=1200)
            pi.watch()
            wait_done(pi)
            check_installed(bench, pi)
            wait_first_scan(pi)
            note(pi, told, set())
            journal = {row["id"] for row in pi.journal()}
            lost = sorted(set(told) - journal)
            expect(not lost, f"lost: {[(scan, told[scan]) for scan in lost]}")
            seen = pi.agent.run("hostname; id -nG otto; readlink -f /etc/localtime; cat /etc/netplan/*.yaml; systemctl is-enabled ssh").out
            for wanted in ("imager-1\n", "scanstation", "zoneinfo/Europe/Berlin", "Bob's", "enabled"):
                expect(wanted in seen, f"{wanted!r} isn't in what the machine says of itself:\n{seen}")
            pi.power_off(timeout=600)
            disk.cut()
        length = learn(life.rows[0], length)
        number += 1
    expect(any(row.get("forgotten") for row in rows), f"the disk had nothing to forget: this proves nothing: {rows}")
    return (f"{len(rows)} cuts, at {', '.join(str(row['at']) for row in rows)} s of some {length:.0f} (seed {bench.options.seed}, from life {first} on); "
            f"each time it went on, and scanned in the end; {sum(row['scans'] for row in rows)} scans told, none lost; {bench.cuts.in_all('flash-cuts')}")


def cut_once(pi, disk, choose, length, told):
    """One more power cut. Scans that were told before it join `told`: the station may run by then."""
    keep = choose.choice([0, 50])
    disk.power_on(keep=keep, seed=choose.randrange(1 << 30))
    # Before that, Linux hasn't written anything yet.
    at = choose.uniform(0.1, 1.0) * length
    started = time.monotonic()
    try:
        pi.power_on(timeout=max(at, 1))
        pi.agent.start("noise", noise("/var/tmp/noise"))
        pi.watch()
        time.sleep(max(0, at - (time.monotonic() - started)))
        done = pi.agent.run(f"test -e {FIRMWARE}/scanstation/done", check=False).code == 0
    except AgentError:
        # Cut while it was still booting.
        done = False
    pi.cut()
    before = len(told)
    note(pi, told, set())
    return {"scans": len(told) - before, "at": round(time.monotonic() - started), "of": round(length), "keep": keep, "done": done, **disk.cut()}
