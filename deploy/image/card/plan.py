"""What is to be written onto the boot partition, all of it known before the first write, and the writing."""

import os
from dataclasses import dataclass, field

from . import firmware, repository, seeds, station
from .hashes import console_hash
from .problem import BROKEN_IMAGE, NO_ROOM, Problem

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = "scanstation"
# Names in directories take room, too.
DIRECTORIES = 64 * 1024


@dataclass
class Plan:
    """`files`: bytes by path, in the order of writing; the last ones are what makes the card act. `stale`: what an earlier run has left.

    `limits`: what the station can't do later, whose remedy is now; to be said last.
    """

    files: dict = field(default_factory=dict)
    stale: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    limits: list = field(default_factory=list)
    written: list = field(default_factory=list)

    @property
    def size(self):
        return sum(len(data) for data in self.files.values())

    def check_room(self, fat, free):
        wanted = sum(fat.room_for(len(data)) for data in self.files.values()) + DIRECTORIES
        there = sum(fat.room_for(len(old)) for path in self.files if (old := fat.read(path)) is not None)
        if wanted - there > free:
            raise Problem(NO_ROOM, f"{fat.name}: its boot partition has {free / 1e6:.1f} MB left, and {(wanted - there) / 1e6:.1f} MB are needed. "
                                   "Delete what isn't needed there, or take a fresh copy of the image. Nothing was changed.")

    def carry_out(self, fat, settle, progress=lambda path: None):
        """`settle` sees to it that what is read afterwards comes from the card itself."""
        for path, data in self.files.items():
            if fat.write(path, data):
                self.written.append(path)
                progress(path)
        for path in self.stale:
            fat.delete(path)
        settle()
        for path, data in self.files.items():
            if fat.read(path) != data:
                raise Problem(BROKEN_IMAGE, f"{fat.name}: {path} doesn't read back as it was written: the card is broken, or its reader. Take another one.")


def make_plan(fat, system, answers, package, debs):
    plan = Plan()
    yaml = station.configuration(package.path, answers)
    outputs = station.needed_outputs(yaml)
    old = _settings(fat)

    index = repository.packages_index(debs)
    for path in debs:
        with open(path, "rb") as file:
            plan.files[f"{OURS}/apt/{repository.file_name(path)}"] = file.read()
    plan.files[f"{OURS}/apt/Packages"] = index
    plan.files[f"{OURS}/apt/Release"] = repository.release(index)
    for name in ("first-boot", "first-boot.service"):
        with open(os.path.join(HERE, name), "rb") as file:
            plan.files[f"{OURS}/{name}"] = file.read()
    if yaml:
        plan.files[f"{OURS}/station.yaml"] = yaml.encode()
    if answers["consolePassword"]:
        plan.files[f"{OURS}/console-password"] = console_hash(answers["consolePassword"]).encode() + b"\n"

    cmdline, taken = firmware.cmdline_txt(_text(fat, "cmdline.txt"), old.get("cmdline", "").split(), outputs)
    settings = {"version": package.version, "user": answers["user"], "ssh": "yes" if answers["user"] else "no", "outputs": " ".join(outputs),
                "cmdline": " ".join(taken)}
    plan.files[f"{OURS}/settings"] = "".join(f"{key}={value}\n" for key, value in settings.items()).encode()
    plan.files["config.txt"] = firmware.config_txt(_text(fat, "config.txt"), outputs, answers["buzzer"]).encode()
    plan.files["cmdline.txt"] = cmdline.encode()
    network = seeds.network_config(answers, _text(fat, "network-config"))
    if network is not None:
        plan.files["network-config"] = network.encode()
    with open(os.path.join(HERE, "boothook"), encoding="utf-8") as file:
        plan.files["vendor-data"] = seeds.vendor_data(answers, file.read()).encode()

    plan.stale = [path for path in fat.list(OURS) if path not in plan.files]
    if fat.read("SCANSTATION.TXT") is not None:
        plan.stale.append("SCANSTATION.TXT")
    _notes(plan, fat, system, answers, outputs, package)
    return plan


def _settings(fat):
    text = (fat.read(f"{OURS}/settings") or b"").decode(errors="replace")
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def _text(fat, path):
    return (fat.read(path) or b"").decode(errors="replace").replace("\r\n", "\n")


def _notes(plan, fat, system, answers, outputs, package):
    user_data = _text(fat, "user-data")
    told = [line for line in user_data.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if told:
        plan.notes.append("user-data (Raspberry Pi Imager's answers) has settings of its own: where both say something, it wins")
    if system.booted:
        plan.notes.append("this card has been booted: packages, configuration and host name change at its next start; user, time zone and Wi-Fi only with a new card")
    there = system.installed.get("scanstation")
    if there == package.version:
        plan.notes.append(f"ScanStation {there} is installed already: the next start installs it again if its files differ from the package's")
    elif repository.has_newer(system, package):
        plan.notes.append(f"ScanStation {there} is installed already, and stays: it is newer than {package.version}, which needs the card to be written again")
    library = system.libcamera()
    if library is None:
        plan.notes.append("the image has no libcamera: only a USB camera will work")
    elif (fitting := station.camera_plugins(package.path)) and library not in fitting:
        plan.notes.append(f"the image has {library}, and the package's plugins are for {' and '.join(fitting)}: pictures come through rpicam-vid, later and with "
                          "fewer settings, until a plugin is built on the Pi (docs/camera.md)")
    if "keyboard" in outputs and "keyboardLayout" not in answers.given:
        plan.notes.append("the USB keyboard types with the layout \"us\": keyboardLayout is the answer for another one (uk, de, fr)")
    if answers["wifiName"] and answers["wifiPassword"]:
        plan.notes.append("the Wi-Fi's key is for WPA2 and for WPA2/WPA3 together; a network of WPA3 alone doesn't take it")
    if answers["wifiName"] and not answers["wifiPassword"]:
        plan.notes.append("the Wi-Fi has no password: an open network")
    if answers["profile"] == "door":
        plan.notes.append("the door opens for nobody until somebody logs in and writes its allow-list, /etc/scanstation/allowed.txt, one text per line")
    if not answers["user"] and not told:
        if not system.booted:
            plan.limits.append("No user was named: nobody can log in, and it takes no updates. Name one (here, or when Imager asks). Without one, "
                               "put the card into a PC again for a newer version, and write it again for another Wi-Fi (docs/flashing.md).")
        if answers["profile"] == "camera" and not answers["consolePassword"] and not outputs:
            plan.notes.append("nothing will show a scan: no user, no password of the station's page, no LED, buzzer or output; give one of them")
