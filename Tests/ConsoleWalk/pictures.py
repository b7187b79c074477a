"""The pictures of the documentation: what people see, at a phone's, a tablet's and a desk's width."""

import io

from PIL import Image

import mock
from browser import DESK, PHONE, TABLET

# Every page at every width. A few of them dark: they follow the device's colours.
PAGES = ["live", "aim", "scans", "scan", "outputs", "settings", "health", "account"]
DARK = {("live", TABLET), ("aim", PHONE), ("scan", DESK), ("health", TABLET), ("scans", TABLET), ("account", PHONE)}
SHOTS = [(page, size, (page, size) in DARK) for page in PAGES for size in (PHONE, TABLET, DESK)]


def make(browser, folder):
    folder.mkdir(parents=True, exist_ok=True)
    # Still, as a shelf is: what isn't read is outlined only where nothing moves.
    world = mock.World(speed=0)
    # Streams of the pages before this one, which the mock hasn't missed yet.
    world.viewers = 1
    mock.shelf_day(world)
    server, address = mock.serve(world)
    world.tokens = [{"id": "a", "name": "stock program", "scopes": ["view", "operate"], "expires": "2027-01-31T12:00:00.000Z"}]
    for name, size, dark in SHOTS:
        # By finger, as on the device that is so wide.
        browser.look(size, dark=dark, touch=size != DESK)
        browser.enter(address, world, f"scans/{world.scans[2]['id']}" if name == "scan" else name)
        browser.until("it has loaded", lambda: not {"Loading…", "Asking the station…"} & set(browser.text("main").splitlines()))
        if name == "live":
            browser.reads("2 codes read, 1 not read in view")
            shown = world.seq
            browser.until("what isn't read is outlined", lambda: int(browser.script("return document.querySelector('.stage').dataset.seq")) > shown + 40)
        if name in ("scans", "scan"):
            browser.reads("6 scans", ".list-status")
        if name == "aim":
            browser.until("it has a verdict", lambda: browser.text(".verdict-word") == "Good")
        keep(browser, folder / f"{name}-{size[0]}{'-dark' if dark else ''}.png")
    for size in (PHONE, TABLET, DESK):
        browser.look(size, dark=False, touch=size != DESK)
        sign_in(browser, address)
        keep(browser, folder / f"sign-in-{size[0]}.png")
    browser.look(PHONE, dark=False, touch=True)
    trial(browser, world, address)
    keep(browser, folder / "settings-trial-360.png")
    first_password(browser, world, address)
    keep(browser, folder / "first-password-360.png")
    server.shutdown()


def sign_in(browser, address):
    browser.driver.delete_all_cookies()
    browser.driver.get("about:blank")
    browser.driver.get(address)
    browser.labelled("Password")


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
    browser.until("its pictures are there", lambda: browser.script("return [...document.images].every((one) => one.complete && one.naturalWidth)"))
    picture = Image.open(io.BytesIO(browser.picture())).convert("RGB")
    # 192 colours are enough for pages in one accent colour, and half of the bytes.
    picture.quantize(192, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
