"""A station of the walk's own, and the console as it is built: what pages show is compared with what the station has, and with pictures whose
codes are at known places."""

import outlines
import scene
from browser import DESK, Keys
from steps import check, step

# Frames of a scene that moves fast, four apart: an outline of the picture before or after lies beside the code.
MOVING = range(0, 96, 4)
STILL_PRODUCT, STILL_LINK = "4006381333931", "https://example.com/shelf/12?item=417"


def sees_picture(b):
    b.until("a picture is there", lambda: b.script("return document.querySelector('.stage').dataset.seq"))


def times_shown(b, text):
    """How often Live lists it, as the last scan and before that."""
    return b.script("return [...document.querySelectorAll('.live-hero .hero-text, .live-scans .scan-text')].filter((e) => e.innerText.includes(arguments[0])).length", text)


@step("the station's picture is shown, and each code in it is outlined where it is, with its text", station=True)
def real_outlines(b, house):
    b.look(DESK)
    house.begin(house.scene, numbers=[0x2A5])
    house.enter(b)
    # What is written onto the picture is in no element: as the browser is told to write it.
    b.script("""window.labels = {}; const write = CanvasRenderingContext2D.prototype.fillText;
        CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
          window.labels[text] = [(x + this.measureText(text).width / 2) / this.canvas.width, y / this.canvas.height];
          return write.call(this, text, x, y, ...rest); }""")
    b.reads("2 codes read")
    labels = b.until("both texts are written", lambda: b.script("return Object.keys(window.labels).length >= 2 ? window.labels : null"))
    # Looks at a frame take turns, so one of the codes may be missing in a frame.
    number, fits = b.until("both codes are outlined", lambda: (seen := outlines.overlaps(b.picture(), b.place(b.one(".stage")), house.scene)) and
        len(seen[1]) == 2 and seen)
    print(f"    intersection over union: {', '.join(f'{fit:.3f}' for fit in fits)}", flush=True)
    check(number == 0x2A5, f"the picture has the number {number}")
    check(min(fits) >= 0.9, f"outlines fit by {fits}")
    check(len(labels) == 2, f"texts of something else: {labels}")
    for item, corners in house.scene.truth(0):
        text, (x, y) = next((label for label in labels.items() if item.code["text"].startswith(label[0].rstrip("…"))), (None, (0, 0)))
        check(text, f"{item.code['text']} isn't written: {labels}")
        left, right, bottom = min(x for x, _ in corners), max(x for x, _ in corners), max(y for _, y in corners)
        check(left < x < right and bottom < y < bottom + 0.1, f"{text} is written at {x:.2f}, {y:.2f}, and not below {corners}")


@step("outlines are those of the very picture that the station took, in a scene that moves", station=True)
def real_hugging(b, house):
    b.look(DESK)
    house.begin(scene.Scene(stamped=True, speed=2.5, unread=False), MOVING)
    house.enter(b)
    sees_picture(b)
    fits = outlines.gather(b, house.scene, 24)
    check(fits[0] >= 0.9, f"the worst outline fits by {fits[0]:.3f} only")


@step("codes that stay in view were scanned already, and Live says so; of each scan it says what Scans says", station=True)
def real_scanned_already(b, house):
    b.look(DESK)
    house.enter(b)
    b.reads("Scanned already, at ", ".in-view")
    house.shows(product=scene.ean("200000000001"), link="OTHER-1")
    b.until("both are scanned", lambda: times_shown(b, "OTHER-1") and times_shown(b, scene.ean("200000000001")))
    badges = lambda selector: b.script("return [...document.querySelectorAll(arguments[0] + ' .scan-row .badge')].map((badge) => badge.innerText)", selector)
    b.until("three are delivered, below the last one", lambda: badges(".live-scans") == ["delivered to file"] * 3)
    b.go("scans")
    b.until("Scans says the same", lambda: badges("main") == ["delivered to file"] * 4)


@step("what the station can't read is outlined where it is, and never where it was before it leapt", station=True)
def real_leaping(b, house):
    b.look(DESK)
    house.begin(scene.Scene(stamped=True, leaps=True), range(scene.LEAP_FRAMES), diagnoses="on")
    house.enter(b)
    sees_picture(b)
    outlines.gather_candidates(b, house.scene, 3)


@step("Aim: a station whose camera rests until a trigger reads for people who aim, makes no scan of that, and rests again when the page is left", station=True)
def real_aim_waits(b, house):
    station = house.begin(scene.Scene(stamped=True, speed=0, unread=False))
    station.wait("what is in view is scanned", lambda: len(station.scans) == 2)
    reply = station.ask("set", values={"trigger.mode": "host", "capture.idle": "stop"})
    check(reply["ok"], f"the station waits for a trigger: {reply}")
    station.wait("the camera rests", lambda: station.status()["camera"]["state"] in ("available", "suspended"))
    house.enter(b, "aim")
    b.until("the code is read", lambda: b.text(".verdict-word") in ("Good", "Reads"))
    check(station.status()["session"] is None and len(station.scans) == 2, f"aiming scanned: {station.scans}")
    station.ask("trigger")
    station.wait("a trigger scans", lambda: len(station.scans) == 3)
    b.until("the code is read still", lambda: station.status()["session"] is None and b.text(".verdict-word") in ("Good", "Reads"))
    b.go("live")
    station.wait("the camera rests again", lambda: station.status()["camera"]["state"] in ("available", "suspended"))
    check(len(station.scans) == 3, f"leaving scanned: {station.scans}")


@step("the torch that one window switches is seen by the other, and is the station's", station=True)
def real_torch(b, house):
    house.enter(b)
    other = house.another()
    house.enter(other)
    chosen = lambda browser, mode: browser.until(f"torch {mode}",
        lambda: browser.script("return document.querySelector('[name=torch]:checked')?.value") == mode)
    for here, there, mode, lit in ((b, other, "on", True), (other, b, "off", False)):
        here.click(here.one(f"label[for=torch-{mode}]"))
        chosen(there, mode)
        there.until("it is lit" if lit else "it is dark", lambda: there.text(".live-controls legend").strip() == ("Torch: lit" if lit else "Torch"))
        torch = house.station.status()["torch"]
        check(torch["mode"] == mode and torch["isTorchActive"] == lit, f"the station's torch: {torch}")


@step("a code outside the dragged viewport isn't read any more, and one inside is", station=True)
def real_viewport(b, house):
    b.look(DESK)
    house.enter(b)
    b.reads("2 codes read")
    b.click("Viewport")
    b.drag(b.one(".grip.se"), (-round(b.place(b.one(".stage"))[2] * 0.45), 0))
    b.until("it is narrower", lambda: house.station.status()["camera"]["viewport"]["width"] < 0.6)
    b.reads("1 code read")
    products, links = [scene.ean(f"20000000000{number}") for number in (1, 2)], ["OUTSIDE-1", "OUTSIDE-2"]
    for product, link in zip(products, links):
        house.shows(product=product, link=link)
        b.until("what is inside is read", lambda: times_shown(b, product))
        b.reads("1 code read")
    # The first one's outside had as long as it took to read the second; the second one's is still there when the viewport is opened.
    heard = [text for text in house.station.scans if text in links]
    check(not heard and not house.station.journal("OUTSIDE"), f"read outside the viewport: {heard}, {house.station.journal('OUTSIDE')}")
    b.go("scans")
    b.reads(products[1], ".scan-list")
    b.labelled("Text contains").send_keys("OUTSIDE")
    b.reads("No scan matches")
    b.go("live")
    b.click("Viewport")
    b.click("Whole picture")
    b.until("what was outside is read", lambda: times_shown(b, "OUTSIDE-2"))
    b.reads("2 codes read")
    check(house.station.journal("OUTSIDE-2") and not house.station.journal("OUTSIDE-1"), "what is in the journal isn't what was inside")


@step("the station is killed: said, with what to do; when it runs again the page is back by itself, with what was read meanwhile, once", station=True)
def real_kill(b, house):
    house.enter(b)
    b.reads("2 codes read")
    house.station.kill()
    b.reads("The station is away", ".strip")
    b.reads("The station is away", ".overlay")
    b.reads("It comes back by itself once it runs", ".overlay")
    b.reads("systemctl status scanstation", ".overlay")
    check(b.script("return document.querySelector('fieldset.controls').disabled"), "the controls work without a station")
    house.shows(product=scene.ean("300000000001"), link="MEANWHILE")
    house.station.start()
    house.station.wait("it is read", lambda: "MEANWHILE" in house.station.scans)
    b.reads("Reading.", ".strip")
    b.until("the message is gone", lambda: b.script("return document.querySelector('.overlay').hidden"))
    b.until("what was read meanwhile is listed", lambda: times_shown(b, "MEANWHILE"))
    b.reads("2 codes read")
    check(not b.script("return document.querySelector('fieldset.controls').disabled"), "the controls stay off")
    # A later one comes as an event, and those before it stay as they are.
    house.shows(product=scene.ean("300000000002"), link="AFTERWARDS")
    b.until("a later one is listed", lambda: times_shown(b, "AFTERWARDS"))
    check(times_shown(b, "MEANWHILE") == 1 == times_shown(b, "AFTERWARDS"), b.text(".live-scans") + b.text(".live-hero"))
    check(times_shown(b, STILL_LINK[:20]) == 1, f"what was read before is listed {times_shown(b, STILL_LINK[:20])} times")
    check(len(house.station.journal("MEANWHILE")) == 1, "it isn't in the journal once")
    b.go("scans")
    b.labelled("Text contains").send_keys("MEANWHILE")
    b.reads("1 scan")


@step("the camera is gone: said, with why; the picture is back by itself when the camera is", station=True)
def real_camera(b, house):
    house.enter(b)
    b.reads("2 codes read")
    house.station.take_camera()
    b.until("it is said over the picture", lambda: "can't be replayed" in b.text(".overlay.opaque"))
    b.no_longer_reads("Reading.", ".strip")
    check(house.station.status()["camera"]["state"] == "unavailable", house.station.status()["camera"])
    house.station.bring_camera()
    b.reads("Reading.", ".strip")
    b.until("the message is gone", lambda: b.script("return document.querySelector('.overlay').hidden"))
    before = b.script("return document.querySelector('.stage').dataset.seq")
    b.until("pictures come", lambda: b.script("return document.querySelector('.stage').dataset.seq") != before)
    house.shows(link="SEEN-AGAIN")
    b.until("what it sees is read", lambda: times_shown(b, "SEEN-AGAIN"))


@step("a setting is looked at, applied, kept, and in force beyond the next start; another one is taken back", station=True)
def real_settings(b, house):
    b.look(DESK)
    house.enter(b, "settings")
    station = house.station
    b.labelled("Find a setting").send_keys("trigger.timeout")
    b.reads("1 setting")
    b.retype(b.labelled("Timeout"), "8s")
    b.click("Look and apply")
    b.reads("trigger.timeout", "dialog")
    b.reads("9.9s", "dialog .before")
    b.reads("8s", "dialog .after")
    check(station.setting("trigger.timeout") == "9.9s", "looking at it changed it")
    b.click("Apply")
    b.reads("trigger.timeout 9.9s → 8s", ".trial-values")
    check(station.setting("trigger.timeout") == "8s", f"it isn't in force: {station.setting('trigger.timeout')}")
    check("console" not in station.origin("trigger.timeout"), f"it is kept before anybody said so: {station.origin('trigger.timeout')}")
    b.click("Keep")
    b.reads("Kept: it holds at the next start, too.")
    check(station.origin("trigger.timeout").split()[1] == "8s" and "console" in station.origin("trigger.timeout"), station.origin("trigger.timeout"))
    b.retype(b.labelled("Find a setting"), "trigger.mode")
    b.labelled("Mode").send_keys("level")
    b.click("Look and apply")
    b.click("Apply")
    b.reads("trigger.mode presentation → level", ".trial-values")
    check(station.status()["mode"] == "level", f"the mode is {station.status()['mode']}")
    b.click("Take back")
    b.reads("Taken back: the settings are what they were.")
    check(station.status()["mode"] == "presentation", f"the mode is {station.status()['mode']}")
    b.until("the form has what runs", lambda: b.labelled("Mode").get_attribute("value") == "presentation")
    station.kill()
    station.start()
    check((station.setting("trigger.timeout"), station.status()["mode"]) == ("8s", "presentation"),
        f"after the next start: {station.setting('trigger.timeout')}, {station.status()['mode']}")


@step("two people change one setting: the slower one hears it, by the revision, loses nothing that was typed, and has the last word", station=True)
def real_overtaken(b, house):
    b.look(DESK)
    house.enter(b, "settings")
    other = house.another()
    # Somebody else, not this browser's other window: the trial of one's own may be added to.
    other.enter(house.address, page="settings", key=house.station.new_key())
    station = house.station
    b.script("""window.answers = []; const real = window.fetch; window.fetch = async (...asked) => { const answer = await real(...asked);
        if (asked[1]?.method === 'PATCH') window.answers.push(answer.status); return answer; }""")

    def applies(*expected):
        """Presses it; gives what is said in the dialog. Expected is all that the console has answered so far."""
        b.click("Apply")
        b.until("it has an answer", lambda: len(b.script("return window.answers")) == len(expected))
        check(b.script("return window.answers") == list(expected), f"the console answers {b.script('return window.answers')}, not {expected}")
        if expected[-1] != 200:
            b.until("it can be applied once more", lambda: b.button("Apply").is_enabled() and b.text("dialog .form-error"))
            return b.text("dialog .form-error")

    b.retype(b.labelled("Timeout"), "8s")
    b.retype(b.labelled("Max scans"), "3")
    b.click("Look and apply")
    b.reads("9.9s", "dialog .before")
    # The other one is faster: while the slower one looks at the changes, and keeps them.
    other.retype(other.labelled("Timeout"), "4s")
    other.click("Look and apply")
    other.click("Apply")
    other.reads("trigger.timeout 9.9s → 4s", ".trial-values")
    b.reads("trigger.timeout 9.9s → 4s", ".trial-values")
    other.click("Keep")
    other.reads("Kept: it holds at the next start, too.")
    heard = applies(412)
    check(heard.startswith("Somebody else changed settings meanwhile: trigger.timeout. Yours aren't applied yet. You both changed the same"), heard)
    shown = lambda selector: b.script("return [...document.querySelectorAll(arguments[0])].map((cell) => cell.innerText)", selector)
    check((shown("dialog th code"), shown("dialog .before"), shown("dialog .after")) == (["trigger.timeout", "trigger.maxScans"], ["4s", "1"], ["8s", "3"]),
        f"the dialog shows {shown('dialog table')}")
    in_force = lambda: [str(station.setting(f"trigger.{key}")) for key in ("timeout", "maxScans")]
    check(in_force() == ["4s", "1"], f"what was too slow is in force: {in_force()}")
    # Back, to think again: what was typed is there, beside what runs.
    b.click("Back")
    typed = lambda browser: [browser.labelled(label).get_attribute("value") for label in ("Timeout", "Max scans")]
    check(typed(b) == ["8s", "3"], f"what was typed is lost: {typed(b)}")
    b.reads("Runs with: 4s")
    # Overtaken once more, by a trial that nobody has decided about.
    b.click("Look and apply")
    other.retype(other.labelled("Timeout"), "5s")
    other.click("Look and apply")
    other.click("Apply")
    b.reads("trigger.timeout 4s → 5s", ".trial-values")
    applies(412, 412)
    heard = applies(412, 412, 409)
    check("on trial" in heard, heard)
    other.click("Take back")
    other.reads("Taken back: the settings are what they were.")
    applies(412, 412, 409, 412)
    check(shown("dialog .before") == ["4s", "1"] and typed(b) == ["8s", "3"], f"the dialog shows {shown('dialog table')}")
    applies(412, 412, 409, 412, 200)
    b.reads("trigger.timeout 4s → 8s", ".trial-values")
    b.click("Keep")
    b.reads("Kept: it holds at the next start, too.")
    check(in_force() == ["8s", "3"], f"the last word isn't in force, but {in_force()}")
    other.until("the other one sees it", lambda: typed(other) == ["8s", "3"])
    other.click(other.one(".history summary"))
    log = other.script("return [...document.querySelectorAll('.history tbody tr')].map((row) => [1, 2, 4].map((cell) => row.cells[cell].textContent))")
    check(log[-1][1:] == ["trigger.timeout", "4s"] and sorted(row[1:] for row in log[:-1]) == [["trigger.maxScans", "3"], ["trigger.timeout", "8s"]]
        and len({row[0] for row in log}) == 2, f"the log says {log}")


@step("a scan is found, opened, and shows where it went; a test scan arrives at its output", station=True)
def real_scan(b, house):
    b.look(DESK)
    house.enter(b, "scans")
    b.reads("2 scans")
    b.labelled("Text contains").send_keys("SHELF/12")
    b.reads("1 scan")
    b.no_longer_reads(STILL_PRODUCT, ".scan-list")
    b.keys(Keys.TAB)
    b.click(b.one(".scan-row"))
    b.reads(STILL_LINK, ".detail")
    b.reads("file", ".receipts")
    b.reads(house.station.journal("shelf/12")[0]["id"], ".detail")
    check("right" in b.one(".place").get_attribute("aria-label"), b.one(".place").get_attribute("aria-label"))
    b.go("outputs")
    b.reads("Nothing waits", "[aria-label='Output file']")
    b.click("Send a test scan to file")
    b.reads("file took the test scan", "#notices")
    written = (house.station.folder / "scans.txt").read_text()
    check("SCANSTATION-TEST" in written and STILL_PRODUCT in written, f"the file has {written!r}")
    check(not house.station.journal("SCANSTATION-TEST"), "a test scan is in the journal")
