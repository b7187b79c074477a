"""config.txt and cmdline.txt: our lines stand between two marks, and a later run replaces them."""

import re

BEGIN = "# >>> ScanStation: deploy/image/prepare writes what stands between these marks"
END = "# <<< ScanStation"


def config_txt(text, outputs, buzzer):
    lines = ["[all]", "# The ribbon cable's camera.", "camera_auto_detect=1"]
    if "serial" in outputs:
        # On a Pi 5, /dev/serial0 is the debug connector unless the UART of these pins is the console's; nothing is said there, as cmdline.txt
        # names no console on it.
        lines += ["# Serial output on pins 8 and 10. A full UART takes Bluetooth's place on the models that have one.",
                  "enable_uart=1", "dtoverlay=disable-bt", "[pi5]", "dtparam=uart0_console=on", "[all]"]
    if "keyboard" in outputs:
        lines += ["# The USB port as a device: the Pi is a keyboard.", "dtoverlay=dwc2,dr_mode=peripheral"]
    if buzzer == "passive":
        lines += ["# Passive buzzer on GPIO18; the headphone socket has the same PWM.", "dtparam=audio=off", "dtoverlay=pwm,pin=18,func=2"]
    rest = without_ours(text)
    return rest + ("" if not rest or rest.endswith("\n") else "\n") + "\n".join([BEGIN, *lines, END]) + "\n"


def without_ours(text):
    return re.sub(rf"^{re.escape(BEGIN)}$.*?^{re.escape(END)}$\n?", "", text, flags=re.MULTILINE | re.DOTALL)


def cmdline_txt(text, removed, outputs):
    """The kernel's command line, and which words it misses now.

    - Parameter removed: what an earlier run took away, which comes back first.
    """
    words = [*removed, *text.split()]
    taken = [word for word in words if re.match(r"console=(serial0|ttyAMA0|ttyS0)\b", word)] if "serial" in outputs else []
    return " ".join(word for word in words if word not in taken) + "\n", taken
