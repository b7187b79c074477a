"""The pictures of the documentation: what people see, at a phone's, a tablet's and a desk's width."""

import io

from PIL import Image

import mock
from browser import DESK, PHONE, TABLET

SHOTS = [
    ("live", PHONE, False, "live"), ("live", TABLET, True, "live"), ("live", DESK, False, "live"),
    ("aim", PHONE, True, "aim"), ("aim", DESK, False, "aim"), ("scans", PHONE, False, "scans"), ("scan", DESK, True, "scans/{refused}"),
    ("outputs", TABLET, False, "outputs"), ("settings", PHONE, False, "settings"), ("settings", DESK, False, "settings"), ("health", TABLET, True,
        "health"), ("health", DESK, False, "health"),
]


def make(browser, folder):
    folder.mkdir(parents=True, exist_ok=True)
    world = mock.World()
    mock.shelf_day(world)
    server, address = mock.serve(world)
    for name, size, dark, page in SHOTS:
        browser.look(size, dark=dark)
        browser.enter(address, world, page.format(refused=world.scans[2]["id"]))
        browser.until("it has loaded", lambda: "Loading…" not in browser.text("main"))
        if name == "live":
            browser.reads("2 codes read")
        if name == "aim":
            browser.until("it has a verdict", lambda: browser.text(".verdict-word") == "Good")
        picture = Image.open(io.BytesIO(browser.picture())).convert("RGB")
        # 192 colours are enough for pages in one accent colour, and half of the bytes.
        picture.quantize(192, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(folder / f"{name}-{size[0]}{'-dark' if dark else ''}.png",
            optimize=True)
    server.shutdown()
