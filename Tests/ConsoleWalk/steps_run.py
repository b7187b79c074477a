"""What `make run` gives somebody who has just cloned it: the console that the station starts by itself, over the built-in scene."""

import io
import json

import numpy
import outlines
from PIL import Image
from browser import DESK
from station import ROOT
from steps import check, step

SCENE = json.loads((ROOT / "Sources/Capture/Scene/truth.json").read_text())
TEXTS = {code["text"] for codes in SCENE.values() for code in codes}


@step("make run says where its page is; the built-in scene is outlined there, the torch switched, and nothing read outside the viewport", station=True)
def made_run(b, house):
    b.look(DESK)
    house.make_run()
    station = house.station
    station.wait("a code of the scene is a scan", lambda: station.scans)
    check(set(station.scans) <= TEXTS, f"read, and not in the scene: {set(station.scans) - TEXTS}")
    house.enter(b)
    b.reads("code read")

    def stage_is_outlined():
        left, top, width, height = b.place(b.one(".stage"))
        shown = Image.open(io.BytesIO(b.picture()))
        return numpy.any(outlines.outlined(shown.crop((left, top, left + width, top + height))))

    b.until("a code is outlined", stage_is_outlined)
    b.click(b.one("label[for=torch-on]"))
    b.until("it is lit", lambda: b.text(".live-controls legend").strip() == "Torch: lit")
    check(station.status()["torch"]["isTorchActive"], "the station's torch is dark")
    # The codes are in the middle: a strip at the left edge has none.
    b.click("Viewport")
    b.drag(b.one(".grip.se"), (-round(b.place(b.one(".stage"))[2] * 0.85), 0))
    b.until("it is narrow", lambda: station.status()["camera"]["viewport"]["width"] < 0.25)
    before = len(station.scans)
    # Ten pictures, a second each: all of them pass by.
    frames = station.status()["camera"]["framesDelivered"]
    b.until("the whole scene has passed", lambda: station.status()["camera"]["framesDelivered"] >= frames + 330)
    check(len(station.scans) == before, f"read outside the viewport: {station.scans[before:]}")
    b.click("Whole picture")
    station.wait("it reads again", lambda: len(station.scans) > before)
