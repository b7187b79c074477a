#!/usr/bin/env python3
"""Draws wiring.svg: the reference wiring of hardware/README.md.

Needs schemdraw (pip install schemdraw==0.23). The lines are those of the profiles in Sources/Configuration/Profiles.
"""

import pathlib
import re

import schemdraw
from schemdraw import elements as elm

INK = "#1b1f24"
GREY = "#6a737d"
ROLES = {  # physical pin: (what is written beside it, colour)
    2: ("5 V", "#c62828"),
    4: ("5 V", "#c62828"),
    6: ("GND", "#424242"),
    8: ("UART out (TXD)", "#6a1b9a"),
    9: ("GND", "#424242"),
    10: ("UART in (RXD)", "#6a1b9a"),
    11: ("GPIO17  torch", "#ef6c00"),
    12: ("GPIO18  buzzer", "#00838f"),
    13: ("GPIO27  trigger", "#1565c0"),
    14: ("GND", "#424242"),
    15: ("GPIO22  good", "#2e7d32"),
    16: ("GPIO23  error", "#b71c1c"),
    18: ("GPIO24  ready", "#a57c00"),
    20: ("GND", "#424242"),
    25: ("GND", "#424242"),
    29: ("GPIO5  confirm", "#1565c0"),
    30: ("GND", "#424242"),
    34: ("GND", "#424242"),
    37: ("GPIO26  relay", "#4527a0"),
    39: ("GND", "#424242"),
}


def header(x, y):
    """The 40-pin header seen from above, pin 1 at the top left, as SVG."""
    pitch, radius = 23, 8
    out = [
        f'<text x="{x + pitch / 2}" y="{y - 42}" class="title" text-anchor="middle">40-pin header</text>',
        f'<text x="{x + pitch / 2}" y="{y - 24}" class="note" text-anchor="middle">from above, USB ports below</text>',
        f'<rect x="{x - 15}" y="{y - 15}" width="{pitch + 30}" height="{19 * pitch + 30}" rx="4" '
        f'fill="#eceff1" stroke="{GREY}"/>',
    ]
    for pin in range(1, 41):
        left = pin % 2 == 1
        px = x if left else x + pitch
        py = y + (pin - 1) // 2 * pitch
        text, colour = ROLES.get(pin, (None, None))
        fill = colour or "#ffffff"
        ink = "#ffffff" if colour else GREY
        if pin == 1:
            out.append(
                f'<rect x="{px - radius}" y="{py - radius}" width="{2 * radius}" height="{2 * radius}" '
                f'fill="{fill}" stroke="{INK}"/>'
            )
        else:
            out.append(f'<circle cx="{px}" cy="{py}" r="{radius}" fill="{fill}" stroke="{INK}"/>')
        out.append(f'<text x="{px}" y="{py + 3}" class="pin" text-anchor="middle" fill="{ink}">{pin}</text>')
        if text:
            anchor, tx = ("end", px - 22) if left else ("start", px + 22)
            out.append(f'<text x="{tx}" y="{py + 4}" class="role" text-anchor="{anchor}" fill="{colour}">{text}</text>')
    return "\n".join(out)


def sheet():
    d = schemdraw.Drawing(show=False, canvas="svg")
    d.config(unit=2.2, fontsize=11, font="sans-serif", lw=1.4, color=INK)
    return d


def pin_in(d, at, text, pin):
    """A wire that comes from the header."""
    role = ROLES[pin][1]
    d += elm.Tag(width=2.75, height=0.62).at(at).left().label(f"{text} · pin {pin}", fontsize=10).color(role)


def supply(d, at, text="+5 V"):
    d += elm.Vdd().at(at).label(text, fontsize=10)


def beside(d, transistor, text):
    d += elm.Label().at((transistor.drain.x + 0.25, -0.12)).label(text, loc="right", halign="left")


def torch(d):
    pin_in(d, (0, 0), "GPIO17", 11)
    d += elm.Resistor().at((0, 0)).right().label("R1\n220 Ω", loc="top")
    d += (gate := elm.Dot())
    d += elm.Line().right().length(0.5)
    d += (q := elm.NFet(bulk=True).reverse().anchor("gate").theta(0))
    beside(d, q, "Q1\nAO3400A")
    d += elm.Resistor().at(gate.center).down().length(1.9).label("R2\n100 kΩ", loc="top")
    d += elm.Ground()
    d += elm.Line().at(q.source).down().toy((0, -1.9))
    d += elm.Ground()
    d += elm.LED().at((q.drain.x, 3.4)).down().toy(q.drain).label("D1 white, 150 mA", loc="bottom")
    d += elm.Resistor().at((q.drain.x, 5.4)).down().toy((0, 3.4)).label("R3\n12 Ω ½ W", loc="bottom")
    supply(d, (q.drain.x, 5.4))


def buzzer(d):
    pin_in(d, (0, 0), "GPIO18", 12)
    d += elm.Resistor().at((0, 0)).right().label("R4\n1 kΩ", loc="top")
    d += (base := elm.Dot())
    d += elm.Line().right().length(0.5)
    d += (q := elm.BjtNpn(circle=True).anchor("base").label("Q2\nBC337", loc="right", ofst=0.1))
    d += elm.Resistor().at(base.center).down().length(1.9).label("R5\n10 kΩ", loc="top")
    d += elm.Ground()
    d += elm.Line().at(q.emitter).down().toy((0, -1.9))
    d += elm.Ground()
    top, low = 4.6, 1.7
    d += elm.Line().at(q.collector).up().toy((0, low))
    d += (n := elm.Dot())
    d += elm.RBox().at((n.center.x, low)).up().toy((0, top)).label("BZ1  5 V, ≤ 30 mA", loc="top", rotate=True)
    d += (m := elm.Dot())
    d += elm.Line().at(n.center).right().length(1.3)
    d += elm.Diode().up().toy((0, top)).label("D2\n1N4148", loc="bottom")
    d += elm.Line().left().tox(m.center)
    supply(d, m.center)


def relay(d):
    pin_in(d, (0, 0), "GPIO26", 37)
    d += elm.Resistor().at((0, 0)).right().label("R9\n220 Ω", loc="top")
    d += (gate := elm.Dot())
    d += elm.Line().right().length(0.5)
    d += (q := elm.NFet(bulk=True).reverse().anchor("gate").theta(0))
    beside(d, q, "Q3\nAO3400A")
    d += elm.Resistor().at(gate.center).down().length(1.9).label("R10\n10 kΩ", loc="top")
    d += elm.Ground()
    d += elm.Line().at(q.source).down().toy((0, -1.9))
    d += elm.Ground()
    top, low = 4.6, 1.7
    d += elm.Line().at(q.drain).up().toy((0, low))
    d += (n := elm.Dot())
    d += elm.Inductor2(loops=4).at((n.center.x, low)).up().toy((0, top)).label("K1 coil\n5 V, 70 mA", loc="top")
    d += (m := elm.Dot())
    d += elm.Line().at(n.center).right().length(1.1)
    d += elm.Diode().up().toy((0, top)).label("D3\n1N4007", loc="bottom")
    d += elm.Line().left().tox(m.center)
    supply(d, m.center)
    # The contact, with a supply of its own.
    x = n.center.x + 3.3
    d += elm.Switch().at((x, low)).up().toy((0, top)).label("K1\ncontact", loc="bottom")
    d += elm.Dot(open=True).at((x, top)).label("NO", loc="right", fontsize=10)
    d += elm.Dot(open=True).at((x, low)).label("COM", loc="right", fontsize=10)
    d += elm.Label().at((x + 0.2, low - 1.3)).label("door strike with\nits own supply", fontsize=10, color=GREY)


def leds(d):
    rows = [("GPIO22", 15, "R6", "D4 green: good"), ("GPIO23", 16, "R7", "D5 red: error"), ("GPIO24", 18, "R8", "D6 yellow: ready")]
    for row, (line, pin, r, led) in enumerate(rows):
        y = -row * 2.1
        pin_in(d, (0, y), line, pin)
        d += elm.Resistor().at((0, y)).right().label(f"{r}  330 Ω", loc="top")
        d += elm.LED().right()
        d += elm.Line().right().length(0.3)
        d += (ground := elm.Ground())
        # Beside the LED, not above or below it: viewers place the lines of a text differently.
        d += elm.Label().at((ground.start.x + 0.5, y)).label(led, loc="right", halign="left")


def buttons(d):
    rows = [("GPIO27", 13, "R11", "C1", "S1 trigger"), ("GPIO5", 29, "R12", "C2", "S2 confirm")]
    for row, (line, pin, r, c, name) in enumerate(rows):
        y = -row * 3.4
        pin_in(d, (0, y), line, pin)
        d += elm.Line().at((0, y)).right().length(0.7)
        d += (n := elm.Dot())
        d += elm.Capacitor().at(n.center).down().length(1.7).label(f"{c}\n100 nF", loc="bottom").style(color=GREY)
        d += elm.Ground()
        d += elm.Resistor().at(n.center).right().label(f"{r}  1 kΩ", loc="top").color(GREY)
        d += elm.Button().right().label(name, loc="top")
        d += elm.Line().right().length(0.3)
        d += elm.Ground()


def circuit(build, title, note, x, y):
    """One circuit as a nested SVG, and its height."""
    d = sheet()
    build(d)
    svg = d.get_imagedata("svg").decode()
    inner = re.search(r"<svg[^>]*>(.*)</svg>", svg, re.S).group(1)
    box = re.search(r'viewBox="([^"]+)"', svg).group(1)
    _, _, width, height = (float(v) for v in box.split())
    scale = 0.78
    lines = "".join(
        f'<text x="{x}" y="{y + 17 + 15 * i}" class="note">{line}</text>' for i, line in enumerate(note.split("\n"))
    )
    top = y + 24 + 15 * note.count("\n")
    return (
        f'<text x="{x}" y="{y}" class="title">{title}</text>{lines}'
        f'<svg x="{x}" y="{top}" width="{width * scale:.0f}" height="{height * scale:.0f}" viewBox="{box}" overflow="visible">{inner}</svg>'
    )


def main():
    width, height = 1420, 760
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif">',
        "<title>ScanStation: reference wiring</title>",
        f"<style>.title{{font-size:16px;font-weight:bold;fill:{INK}}}.note{{font-size:12px;fill:{GREY}}}"
        ".role{font-size:12px;font-weight:bold}.pin{font-size:9px}</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        '<text x="30" y="40" font-size="22" font-weight="bold" fill="#1b1f24">ScanStation reference wiring</text>',
        header(165, 160),
        circuit(torch, "Torch", "Off until the station runs: R2 holds the gate low.", 410, 100),
        circuit(buzzer, "Buzzer", "Active: line. Passive: PWM on the same pin.", 735, 100),
        circuit(relay, "Relay", "Contact open until the station runs: R10 holds it.", 1050, 100),
        circuit(leds, "Indicators", "About 4 mA each.", 410, 480),
        circuit(buttons, "Buttons", "To ground; the pin pulls up. Grey: for cables\nlonger than some 20 cm.", 735, 480),
        "</svg>",
    ]
    pathlib.Path(__file__).with_name("wiring.svg").write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
