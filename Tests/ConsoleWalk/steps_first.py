"""The first password, from end to end: the code that a browser shows is seen by the camera of a real station, whose button a key of its panel
holds."""

import scene
from browser import PHONE
from steps import check, step

PASSWORD = "four words are better"
# Every such code begins with this. What the journal keeps is looked through for it, byte by byte.
CODE = "SCANSTATION:PASSWORD:"


class Told:
    """What the station says of the first password, in order. A word that nobody expects is a fault, too."""

    def __init__(self, station):
        self.station, self.count = station, 0

    def all(self):
        return [f"{event['state']} {event.get('reason') or ''}".strip() for event in self.station.states if event["part"] == "firstPassword"]

    def hears(self, *expected):
        self.station.wait(f"it says {expected}", lambda: len(self.all()) >= self.count + len(expected))
        said = self.all()[self.count:]
        check(said == list(expected), f"it says {said}, not {expected}")
        self.count += len(expected)


def opened(b, house):
    """As anybody in the network opens it."""
    b.look(PHONE)
    b.driver.get("about:blank")
    b.cdp("Network.clearBrowserCookies")
    b.driver.get(house.address)
    b.reads("One step first")


def code_shown(b, button="Show the code"):
    """Asks for a code. A picture of the page with it, as a phone shows it that nobody has scrolled."""
    b.click(button)
    b.reads("Hold the station's button now", ".first-password-step")
    left, top, width, height = b.place(b.one(".first-password-code"))
    check(left >= 0 and top >= 0 and left + width <= PHONE[0] and top + height <= PHONE[1],
        f"the code isn't on the screen as a whole: {width}×{height} at {left}, {top}")
    return b.picture()


def view_is_clear(house):
    """Nothing is before the camera. It shows what was there for a few frames more, and they would make a hold void: thirty are enough."""
    house.station.shows(scene.Scene.of().picture(0))
    frames = lambda: house.station.status()["camera"]["framesDelivered"]
    before = frames()
    house.browsers.until("the camera shows an empty shelf", lambda: frames() >= before + 30)


def camera_sees(house, photo, text):
    """The phone, and beside it a label that is new to the station: once that is a scan, a frame with both was read."""
    house.station.shows(scene.Scene.of(scene.phone(photo), scene.sticker(text)).picture(0))
    house.station.wait(f"{text} is read", lambda: text in house.station.scans)


def held(station, told, news="held"):
    """Down until the station says what came of it: five seconds, by its clock."""
    station.press("h")
    told.hears(news)
    station.press("h")


def tries_to_set(b, credentials="same-origin"):
    """The console's answer to a browser whose page doesn't offer it."""
    return b.driver.execute_async_script("""const done = arguments[arguments.length - 1];
        fetch("/api/v1/first-password", {method: "PUT", credentials: arguments[0], headers: {"Content-Type": "application/json"},
          body: JSON.stringify({password: "whoever comes first"})}).then((answer) => done(answer.status), (error) => done(String(error)));""", credentials)


def is_set(b):
    return b.driver.execute_async_script("""const done = arguments[arguments.length - 1];
        fetch("/api/v1/session").then((answer) => answer.json()).then((session) => done(session.passwordSet));""")


def is_no_scan(station, labels):
    """Labels that were read are where scans are; the code is nowhere."""
    check(station.scans == labels, f"scans: {station.scans}, not {labels}")
    check(not station.journal(CODE) and len(station.journal("BOX-")) == len(labels), f"in the journal: {station.journal('')}")
    kept = {path.name: path.read_bytes() for path in (*(station.folder / "journal").rglob("*"), station.folder / "scans.txt") if path.is_file()}
    check(any(labels[0].encode() in data for data in kept.values()), f"not even {labels[0]} is found in {list(kept)}")
    found = [name for name, data in kept.items() if CODE.encode() in data]
    check(not found, f"the code is in {found}")


@step("the first password: the station's camera sees the code on the phone's screen, the button is held and pressed, and that phone alone may "
    "set it, once", station=True)
def real_first_password(b, house):
    station = house.begin(scene.Scene.of(), panel=True, signs_in=False)
    told = Told(station)
    opened(b, house)
    other = house.another(PHONE)
    opened(other, house)

    # Two at once: neither may.
    code_shown(b)
    # Its code is void before anybody could look at it.
    other.click("Show the code")
    told.hears("asked", "ended twoAsked")
    for browser in (b, other):
        browser.reads("Another device asked", ".first-password")

    # This one alone. Its page is loaded again: the station still waits, and gets another code.
    code_shown(b)
    told.hears("asked")
    b.driver.refresh()
    b.reads("The station still waits for this browser's code.", ".first-password-step")
    photo = code_shown(b, "Show a new code")
    told.hears("ended replaced", "asked")
    held(station, told)
    camera_sees(house, photo, "BOX-1")
    told.hears("read")
    b.reads("Press its button once more", ".first-password-step")
    check(tries_to_set(b) == 409, "the password can be set without the second press")
    # Somebody who loads the page again meanwhile loses nothing.
    b.driver.refresh()
    b.reads("Press its button once more", ".first-password-step")
    station.press("hh")
    told.hears("open")
    b.labelled("New password")
    b.driver.refresh()
    b.labelled("New password").send_keys(PASSWORD)
    b.labelled("New password once more").send_keys(PASSWORD)

    # The other has a code, too, of which nothing came; and a third has none.
    check(tries_to_set(other) == 409, "a browser whose code wasn't shown can set the password")
    check(tries_to_set(other, "omit") == 404, "a browser without any code can set the password")
    check(not is_set(other), "the password is set already")
    b.click("Set the password")
    b.one("nav.tabs")
    told.hears("ended used")
    check(is_set(b), "the page goes on, and no password is set")
    other.driver.refresh()
    other.reads("Sign in")
    other.labelled("Password").send_keys("whoever comes first")
    other.click("Sign in")
    other.reads("That isn't the password")
    other.retype(other.labelled("Password"), PASSWORD)
    other.click("Sign in")
    other.one("nav.tabs")

    # Its photo is worth nothing any more, not even once the password is taken away and the same phone asks again.
    check(tries_to_set(b) == 409, "the password can be set a second time")
    camera_sees(house, photo, "BOX-2")
    station.press("hh")
    camera_sees(house, photo, "BOX-3")
    told.hears()
    station.remove_password()
    b.until("the console has no password", lambda: not is_set(b))
    opened(b, house)
    view_is_clear(house)
    code_shown(b)
    told.hears("asked")
    held(station, told)
    camera_sees(house, photo, "BOX-4")
    told.hears("ended otherCode")
    b.reads("The station saw another code", ".first-password")
    check(tries_to_set(b) == 409 and not is_set(b), "a code that was used lets a browser in")
    is_no_scan(station, ["BOX-1", "BOX-2", "BOX-3", "BOX-4"])


@step("the first password: a code that wasn't shown in time is over; a photo of it before the camera makes the next hold void, and then it works",
    station=True)
def real_first_password_late(b, house):
    station = house.begin(scene.Scene.of(), panel=True, signs_in=False)
    told = Told(station)
    opened(b, house)
    photo = code_shown(b)
    told.hears("asked")
    held(station, told)
    # A minute from asking, by the station's clock.
    told.hears("ended expired")
    b.reads("It took too long", ".first-password")
    camera_sees(house, photo, "BOX-1")
    station.press("hh")
    camera_sees(house, photo, "BOX-2")
    told.hears()
    check(tries_to_set(b) == 409 and not is_set(b), "a code that has expired lets its browser in")

    # The photo stays where it is, as a poster does.
    new = code_shown(b)
    told.hears("asked")
    held(station, told, "heldInVain")
    view_is_clear(house)
    held(station, told)
    camera_sees(house, new, "BOX-3")
    told.hears("read")
    station.press("hh")
    told.hears("open")
    b.labelled("New password")
    is_no_scan(station, ["BOX-1", "BOX-2", "BOX-3"])
