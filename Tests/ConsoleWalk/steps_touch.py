"""Every page by a finger alone: a phone has neither mouse nor keys."""

import re
import time

from selenium.common.exceptions import StaleElementReferenceException

from browser import PATIENCE, PHONE
from steps import check, step

SELECTOR = re.compile(r"[.#]|(nav|label|details|dialog|main)[ .\[]")


def phone(house):
    """A browser of its own: one that was touched so often may put off what the next step waits for, as if a finger still lay on it."""
    b = house.another(PHONE)
    b.look(touch=True)
    return b


def touch(b, what):
    """A finger on the middle of something: a button by its words, what a selector finds first, or an element."""
    for tries in range(5):
        try:
            element = what if not isinstance(what, str) else b.one(what) if SELECTOR.match(what) else b.button(what)
            return touch_once(b, element)
        except StaleElementReferenceException:
            # It was drawn again meanwhile: a person doesn't notice.
            check(isinstance(what, str) and tries < 4, f"{what} is drawn again and again")


def touch_once(b, what):
    # Not by `until`, for which what is drawn again would never lie still.
    end = time.monotonic() + PATIENCE
    while not settled(b, what) or what.get_attribute("aria-disabled") == "true":
        check(time.monotonic() < end, f"{what.text!r} doesn't lie still, or isn't to be pressed")
    x, y = b.middle(what)
    # A message that lies over it is closed first, as a person does.
    while not b.script("return arguments[0].closest('#notices')", what) and b.script("return document.elementFromPoint(...arguments)?.closest('#notices')", x, y):
        put_away(b)
        x, y = b.middle(what)
    hit = b.hits(what, x, y)
    check(not hit, f"a finger on {b.script('return arguments[0].outerHTML.slice(0, 120)', what)} hits {hit}")
    width, height = b.place(what)[2:]
    check(width >= 24 and height >= 24 or what.tag_name == "input", f"{what.text!r} is {width} × {height} px small for a finger")
    b.tap_at(x, y)


def put_away(b):
    """Closes the first message, unless it has gone by itself meanwhile."""
    try:
        for close in b.all("#notices .close")[:1]:
            touch_once(b, close)
    except StaleElementReferenceException:
        pass


def settled(b, element):
    """Whether it is where it was a moment ago: pages draw themselves when their data comes."""
    before = b.middle(element)
    return b.script("return document.readyState") == "complete" and b.middle(element) == before


# As high as a fingertip: what is pressed by itself. Links within a sentence are as high as its lines.
TOO_SMALL = """return [...document.querySelectorAll('button, .button, summary, select, nav a, .check label, input:not([type=checkbox], [type=radio])')]
    .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5).map((e) => `${e.innerText || e.getAttribute('aria-label') || e.id}: ${e.getBoundingClientRect().height}`)"""


@step("on a phone nothing that is pressed is lower than a fingertip: 44 px, on every page")
def fingertips(b, house):
    b = phone(house)
    house.world.tokens = [{"id": "a", "name": "stock program", "scopes": ["view"], "expires": None}]
    for page in ("live", "aim", "scans", "scans/" + house.world.scans[2]["id"], "outputs", "settings", "health", "account"):
        house.enter(b, page)
        b.until(f"{page} has loaded", lambda: not {"Loading…", "Asking the station…"} & set(b.text("main").splitlines()))
        b.script("for (const one of document.querySelectorAll('main details')) one.open = true")
        small = b.script(TOO_SMALL)
        check(not small, f"too small for a finger on {page}: {small}")


def tab(b, name):
    touch(b, f"nav.tabs [data-page={name}]")
    b.until(f"page {name}", lambda: b.script("return document.querySelector('main')?.className.includes('page-' + arguments[0])", name))


def choose(b, label, value):
    """A finger opens the list; what the phone then shows isn't the page's."""
    field = b.labelled(label)
    touch(b, field)
    b.until(f"{label} has the focus", lambda: b.script("return document.activeElement === arguments[0]", field))
    b.script("arguments[0].value = arguments[1]; for (const kind of ['input', 'change']) arguments[0].dispatchEvent(new Event(kind, {bubbles: true})); arguments[0].blur()", field, value)


def type_into(b, label, text):
    field = b.labelled(label)
    touch(b, field)
    b.until(f"{label} has the focus", lambda: b.script("return document.activeElement === arguments[0]", field))
    b.script("arguments[0].select()", field)
    b.keys(text)


def received(world, **command):
    return any(all(body.get(name) == value for name, value in command.items()) for body in world.received)


@step("by touch alone: Live and Aim")
def touch_live(_, house):
    world = house.world
    world.status["mode"] = "level"
    b = phone(house)
    house.enter(b)
    b.reads("2 codes read")
    for name, command in (("Focus", {"command": "focus"}), ("Find it", {"command": "identify"}), ("Trigger", {"command": "trigger"})):
        b.until(f"{name} can be pressed", lambda: not b.button(name).get_attribute("disabled"))
        touch(b, name)
        b.until(f"{name} is asked for", lambda: received(world, **command))
    touch(b, "Release")
    b.until("the trigger is released", lambda: received(world, command="release"))
    touch(b, "label[for=torch-on]")
    b.reads("Torch: lit")
    touch(b, "Pause")
    b.reads("Paused.", ".strip")
    touch(b, "Resume")
    b.reads("Ready.", ".strip")
    touch(b, "Viewport")
    type_into(b, "Width", "60")
    touch(b, "Whole picture")
    b.until("the whole picture is asked for", lambda: received(world, command="viewport"))
    touch(b, "Keep it")
    b.reads("will start with this viewport")
    touch(b, "Done")
    b.until("the rectangle is gone", lambda: not b.script("return document.querySelector('.viewport-layer').checkVisibility()"))
    touch(b, b.labelled("Beep on this device"))
    check(b.one("#beeps").is_selected(), "the beep isn't on")
    touch(b, b.labelled("Beep on this device"))
    world.wait_for_confirmation("BOX-1")
    b.reads("Waits for a confirmation", ".confirm-bar")
    touch(b, "Confirm")
    b.reads("BOX-1", ".hero")
    touch(b, ".tap")
    b.until("it focuses where the finger was", lambda: any(body.get("command") == "focus" and "x" in body for body in world.received))
    touch(b, ".hero-card")
    b.reads("Where it went")
    tab(b, "live")
    touch(b, ".live-scans .scan-row")
    b.reads("Where it went")
    tab(b, "live")
    touch(b, "All scans")
    b.reads("7 scans")
    tab(b, "aim")
    b.until("it has a verdict", lambda: b.text(".verdict-word") in ("Good", "Reads"))
    touch(b, "Forget the best")
    touch(b, b.labelled("A tone on this device"))
    check(b.labelled("A tone on this device").is_selected(), "the tone isn't on")
    touch(b, b.labelled("The station's buzzer"))
    b.until("the buzzer is asked for", lambda: received(world, command="aim", on=True))
    for name, key in (("Turn by 90°", "capture.orientation.rotation"), ("Mirror", "capture.orientation.mirrored")):
        touch(b, name)
        b.until(f"{key} is tried", lambda: world.trial and key in world.trial["values"])
    b.reads("2 settings on trial", ".trial-bar")
    touch(b, "Take back")
    b.until("it is taken back", lambda: not world.trial)
    check(not b.logs(), "the browser complained")


@step("by touch alone: Scans, one scan, Outputs")
def touch_scans(_, house):
    world = house.world
    for number in range(60):
        world.scan(f"OLD-{number:03d}", "code_128", ago=9000, quiet=True)
    b = phone(house)
    house.enter(b)
    tab(b, "scans")
    b.reads("50 scans, and older ones")
    touch(b, "Show older ones")
    b.reads("66 scans")
    for name in ("Export what is found as CSV", "Export what is found as NDJSON"):
        b.script("arguments[0].addEventListener('click', (event) => { event.preventDefault(); window.exported = arguments[0].href; })", b.button(name))
        touch(b, name)
        b.until(f"{name} is pressed", lambda: "/api/v1/scans/export" in (b.script("return window.exported ?? ''")))
    type_into(b, "Text contains", "ticket")
    b.reads("1 scan", ".list-status")
    touch(b, ".filter summary")
    choose(b, "Kind", "wifi")
    b.reads("No scan matches")
    choose(b, "Kind", "")
    b.until("it is found again", lambda: len(b.all(".scan-list li")) == 1)
    touch(b, ".scan-row")
    b.reads("refused: sold out", ".detail")
    touch(b, "Send again to stock")
    b.until("it was sent", lambda: any("send" in body for body in world.received))
    touch(b, "Copy the text")
    b.reads("Copied", "#notices")
    touch(b, ".back")
    b.until("the list is back", lambda: len(b.all(".scan-list li")) == 1)
    tab(b, "outputs")
    touch(b, "Send a test scan to broker")
    b.until("a test scan is sent", lambda: {"test": "broker"} in world.received)
    touch(b, ".another summary")
    choose(b, "Where should scans go?", "file")
    b.reads("path: /var/lib/scanstation/scans.txt", ".another pre")
    touch(b, "Copy these lines")
    b.reads("Copied.", "#notices")
    touch(b, "1 refused")
    b.reads("Scans", "main h1")
    check(not b.logs(), "the browser complained")


@step("by touch alone: Settings, Health, the password, tokens, signing out and in, the first password")
def touch_settings(_, house):
    world = house.world
    world.trialSeconds = 600.0
    b = phone(house)
    house.enter(b)
    tab(b, "settings")
    type_into(b, "Find a setting", "zzz")
    touch(b, "Show all settings")
    type_into(b, "Timeout", "9s")
    b.reads("1 change")
    touch(b, "trigger.timeout: back to the default, 5s")
    b.until("nothing is changed", lambda: not b.script("return document.querySelector('.apply-bar').checkVisibility()"))
    touch(b, b.labelled("Focus, follows viewport"))
    choose(b, "Level", "debug")
    b.reads("2 changes")
    touch(b, "Discard")
    b.until("nothing is changed", lambda: not b.script("return document.querySelector('.apply-bar').checkVisibility()"))
    type_into(b, "Timeout", "9s")
    touch(b, "Look and apply")
    b.reads("Apply these changes?", "dialog")
    touch(b, "Back")
    b.until("the dialog is gone", lambda: not b.all("dialog"))
    touch(b, "Look and apply")
    touch(b, "Apply")
    b.reads("1 setting on trial", ".trial-bar")
    touch(b, "Keep")
    b.reads("Kept:", "#notices")
    touch(b, "#notices .close")
    touch(b, ".history summary")
    b.reads("this browser", ".history")
    # The search that found nothing has opened it.
    touch(b, ".elsewhere summary")
    b.until("it is closed", lambda: not b.one(".elsewhere").get_attribute("open"))
    world.try_settings({"torch.mode": "auto"}, "a desk")
    b.reads("1 setting on trial", ".trial-bar")
    world.end_trial(False, "timeout")
    b.reads("went back by itself", ".fallen-back")
    touch(b, "Try again")
    b.reads("torch.mode", "dialog")
    touch(b, "Back")
    touch(b, "Discard")
    touch(b, "Close the note")
    tab(b, "health")
    b.reads("1 thing needs you")
    touch(b, "details.card summary")
    b.reads("24 GiB free")
    world.findings = [{"check": "config", "verdict": "ok", "text": "no problems found"}]
    touch(b, "Check again")
    b.reads("All is well.")
    touch(b, "Sign-in and tokens")
    type_into(b, "Old password", "correct horse")
    type_into(b, "New password", "four words are better")
    type_into(b, "New password once more", "four words are better")
    touch(b, "Change the password")
    b.reads("The password is changed.", "#notices")
    touch(b, "#notices .close")
    touch(b, "New token")
    type_into(b, "Name", "stock program")
    touch(b, b.labelled("operate"))
    choose(b, "It ends after", "")
    touch(b, "Make the token")
    b.reads("Copy it now", "dialog")
    touch(b, "Done")
    check(world.tokens[0]["scopes"] == ["view", "operate"], world.tokens)
    touch(b, "Withdraw")
    touch(b, "dialog .danger")
    b.reads("The token stock program is withdrawn.", "#notices")
    touch(b, "Sign out everywhere")
    touch(b, "Back")
    touch(b, "Sign out")
    b.one("#password")
    touch(b, "main summary")
    b.reads("sudo scanstation console link")
    type_into(b, "Password", "four words are better")
    touch(b, b.labelled("Show it"))
    check(b.one("#password").get_attribute("type") == "text", "the password isn't shown")
    touch(b, "Sign in")
    b.one("nav.tabs")
    world.password, world.button = None, {"open": True, "why": None}
    b.driver.delete_all_cookies()
    b.driver.get("about:blank")
    b.driver.get(house.address)
    touch(b, "Show the code")
    b.one(".first-password-code")
    touch(b, "Stop")
    b.button("Show the code")
    touch(b, "I've done it")
    b.button("Show the code")
    check(not b.logs(), "the browser complained")
