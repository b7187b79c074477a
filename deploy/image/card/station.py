"""The station's configuration for the card: a profile of the package, with the outputs that were asked for."""

import re

from .problem import NO_INPUT, Problem, run

PROFILE_FOLDER = "./usr/share/doc/scanstation/examples/profiles"
OUTPUTS = {
    "keyboard": "  - keyboard:\n      device: /dev/hidg0\n      layout: us\n",
    "serial": "  - serial:\n      device: /dev/serial0\n      template: '{text}<CR><LF>'\n",
}
PASSIVE_BUZZER = "buzzer:\n  pwm: {chip: 0, channel: 0}   # a Pi 5: channel 2\n"


def configuration(package, answers):
    """station.yaml for these answers; None where the package's own does."""
    profile, outputs = answers["profile"], answers["outputs"]
    if profile == "camera" and not outputs and answers["buzzer"] == "active":
        return None
    path = "./etc/scanstation/station.yaml" if profile == "camera" else f"{PROFILE_FOLDER}/{profile}.yaml"
    return with_outputs(from_package(package, path), answers)


def with_outputs(text, answers):
    """The host has the station's name. Outputs that were asked for take the place of the profile's; a profile's alone stay."""
    text = re.sub(r"^name: .*\n\n?", "", text, flags=re.MULTILINE)
    if answers["buzzer"] == "passive":
        text = re.sub(r"^buzzer:\n(?:[ \t].*\n)*", "", text, flags=re.MULTILINE).rstrip("\n") + "\n\n" + PASSIVE_BUZZER
    if answers["outputs"]:
        text = re.sub(r"^outputs:(?:[ \t]*\[\])?[ \t]*(?:#.*)?\n(?:(?:[ \t]|- ).*\n|\n(?=[ \t]))*", "", text + "\n", flags=re.MULTILINE).rstrip("\n") + "\n"
        text += "\noutputs:\n" + "".join(OUTPUTS[name] for name in answers["outputs"])
    # The answers' own, or the profile's; not in a remark.
    text = re.sub(r"^( +layout: )[a-z]+", rf"\g<1>{answers['keyboardLayout']}", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", text)


def needed_outputs(text):
    """Which of the Pi's own ports the configuration uses, be it by the answers or by the profile: config.txt must open them."""
    return tuple(name for name in sorted(OUTPUTS) if re.search(rf"^ *- {name}:", text or "", re.MULTILINE))


def camera_plugins(package):
    """The libraries that the package has a plugin for, such as libcamera0.7."""
    listed = tar(package, "-t").stdout.decode()
    return sorted(f"libcamera{version}" for version in re.findall(r"^\./usr/lib/scanstation/libcamera-([0-9.]+)\.so$", listed, re.MULTILINE))


def from_package(package, path):
    done = tar(package, "-xO", path)
    if done.returncode != 0 or not done.stdout:
        raise Problem(NO_INPUT, f"{package} has no {path}: it isn't ScanStation's package, or broken. Build it: make deb")
    return done.stdout.decode()


def tar(package, *options):
    """What tar makes of the files in a package."""
    return run(["bash", "-c", 'set -o pipefail; dpkg-deb --fsys-tarfile "$1" | tar "${@:2}"', "bash", package, *options], check=False)
