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
        browser.until("it has loaded", lambda: not {"Loading…", "Asking the station…"} & set(browser.text("main").splitlines()))
        if name == "live":
            browser.reads("2 codes read")
        if name in ("scans", "scan"):
            browser.reads("6 scans", ".list-status")
        if name == "aim":
            browser.until("it has a verdict", lambda: browser.text(".verdict-word") == "Good")
        keep(browser, folder / f"{name}-{size[0]}{'-dark' if dark else ''}.png")
    browser.look(PHONE, dark=False)
    trial(browser, world, address)
    keep(browser, folder / "settings-trial-360.png")
    first_password(browser, world, address)
    keep(browser, folder / "first-password-360.png")
    server.shutdown()


def trial(browser, world, address):
    """A change that asks to be kept."""
    browser.enter(address, world, "live")
    browser.reads("2 codes read")
    world.try_settings({"trigger.timeout": "8s"}, "phone in the office")
    browser.reads("on trial", ".trial-bar")


def first_password(browser, world, address):
    """The code that a phone shows to a station without a password."""
    world.end_trial(False)
    world.password, world.button = None, {"open": True, "why": None}
    browser.driver.delete_all_cookies()
    browser.driver.get("about:blank")
    browser.driver.get(address)
    browser.click("Show the code")
    browser.reads("Hold the station's button now", ".first-password-step")


def keep(browser, path):
    picture = Image.open(io.BytesIO(browser.picture())).convert("RGB")
    # 192 colours are enough for pages in one accent colour, and half of the bytes.
    picture.quantize(192, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
