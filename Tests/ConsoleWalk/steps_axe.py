"""axe-core on every page, dialog, error and empty state, light and dark, on a phone and on a desk."""

import collections

import mock
from browser import DESK, PHONE, Keys, dumps
from steps import check, step


def unfold(b, selector):
    """Opens it, even if the page was drawn again under the mouse."""
    b.until(f"{selector} is open", lambda: b.one(selector).get_attribute("open") or b.click(b.one(f"{selector} summary")))


def states(b, house):
    """Brings the page into each state, and says which."""
    world = house.world
    # axe-core takes its time with each state, on a busy machine more than a minute.
    world.trialSeconds = 600.0
    house.enter(b)
    b.reads("2 codes read")
    b.reads("4006381333931", ".hero")
    yield "live"
    b.click("Viewport")
    yield "live, viewport open"
    b.script("document.querySelector('.grip.se').focus()")
    b.keys(Keys.ARROW_LEFT)
    b.reads("In effect now", ".viewport-panel")
    yield "live, viewport changed and not kept"
    b.click("Whole picture")
    b.click("Done")
    world.torch(mode="off", isTorchAvailable=False, detail="it was on for torch.maxOnTime and is cooling down")
    b.reads("Unavailable")
    world.failing["identify"] = "the buzzer is off"
    b.click("Find it")
    b.reads("The buzzer is off.")
    world.wait_for_confirmation("BOX\u202e-1")
    b.reads("Waits for a confirmation", ".confirm-bar")
    yield "live, no torch, a refusal, a confirmation"
    world.status["awaitingConfirmation"] = None
    world.torch(isTorchAvailable=True, detail=None)
    world.camera("unavailable", "disconnected")
    b.reads("unplugged", ".overlay")
    b.one("#notices .close").click()
    yield "live, camera unplugged"
    world.camera("running")
    world.status["mode"] = "level"
    world.status["paused"] = True
    world.torch()
    b.reads("Paused.", ".strip")
    yield "live, paused, with a trigger"
    world.status["paused"] = False
    world.leave("nothing listens.")
    b.reads("away", ".strip")
    yield "live, station away"
    for page in ("outputs", "settings", "health", "scans"):
        b.go(page)
        b.until("an error is shown", lambda: "Loading…" not in b.text("main"))
        yield f"{page}, station away"
    world.come_back()
    b.reads("Ready.", ".strip")
    b.go("aim")
    b.until("it has a verdict", lambda: b.text(".verdict-word") in ("Good", "Reads"))
    yield "aim"
    world.scene.isDark = True
    b.reads("Too dark", ".verdict")
    yield "aim, too dark"
    world.scene.isDark = False
    world.camera("inUse")
    b.reads("No picture", ".verdict")
    yield "aim, no picture"
    world.camera("running")
    b.go("scans")
    b.reads("6 scans")
    yield "scans"
    b.labelled("Text contains").send_keys("no such thing")
    b.reads("No scan matches")
    yield "scans, nothing found"
    for index in (0, 2, 3, 4):
        b.go("scans/" + world.scans[index]["id"])
        b.reads("Where it went")
        yield f"one scan, {world.scans[index]['payload']['kind']}"
    world.scan("<b>x</b>\u202e\x00 " + "long " * 400, "qr_code",
        {"kind": "url", "url": "https://user@evil.example/", "host": "evil.example", "problems": ["there is user information before the host"]})
    b.go("scans/" + world.scans[0]["id"])
    b.reads("Show all")
    yield "one scan, hostile and long"
    b.go("scans/none")
    b.reads("isn't in the journal")
    yield "one scan that isn't there"
    b.go("outputs")
    b.reads("34 scans wait")
    yield "outputs"
    outputs, world.outputs = world.outputs, []
    b.go("live")
    b.go("outputs")
    b.reads("Scans go nowhere yet")
    yield "outputs, none"
    world.outputs = outputs
    b.go("settings")
    field = b.labelled("Timeout")
    yield "settings"
    field.clear()
    field.send_keys("8s")
    b.retype(b.labelled("Max scans"), "99")
    b.click(b.one(".elsewhere summary"))
    b.reads("2 changes, 1 can't be right")
    yield "settings, changed, one wrong, elsewhere open"
    b.click("trigger.maxScans: back to the default, 1")
    b.click("Look and apply")
    b.reads("Apply these changes?")
    yield "settings, dialog"
    mock.change_settings(world, {"trigger.timeout": "3s"})
    b.click("Apply")
    b.reads("Somebody else", "dialog")
    yield "settings, overtaken"
    world.try_settings({"torch.mode": "auto"}, "the token \"<b>\u202e" + "long " * 12)
    world.notes = ["/var/lib/scanstation/console.yaml: not UTF-8 text: the console's changes are ignored; the configuration file applies"]
    b.reads("on trial", ".trial-bar")
    yield "settings, overtaken, somebody's change on trial"
    b.keys(Keys.ESCAPE)
    b.click("Discard")
    b.go("live")
    b.reads("on trial", ".trial-bar")
    yield "live, on trial"
    world.end_trial(True)
    # The page of settings is made again when it hears of that, and what was opened on it is closed.
    b.until("it is heard", lambda: b.script("return document.querySelector('.trial-bar').hidden"))
    b.go("settings")
    unfold(b, ".history")
    b.reads("the token", ".history")
    b.reads("the console's changes are ignored")
    yield "settings, history open, a note"
    # What it says of the change would lie over a button of the next states.
    for close in b.all("#notices .good .close"):
        close.click()
    world.notes = []
    b.labelled("Find a setting").send_keys("zzz")
    b.reads("No setting has these words")
    yield "settings, nothing found"
    b.retype(b.labelled("Find a setting"), "beep")
    b.reads("this one does, and is set elsewhere", ".settings-search")
    yield "settings, what is found is set elsewhere"
    world.try_settings({"torch.mode": "off", "trigger.timeout": "7s"}, "a phone")
    b.reads("on trial", ".trial-bar")
    world.end_trial(False, "timeout")
    b.reads("went back by itself", ".fallen-back")
    yield "settings, a change went back while one looks"
    b.go("live")
    b.go("settings")
    b.reads("went back by itself", ".fallen-back")
    unfold(b, ".history")
    yield "settings, a change went back before, history open"
    b.click("Close the note")
    b.go("health")
    b.reads("1 thing needs you")
    b.click(b.one("details.card summary"))
    yield "health"
    days, world.status["days"] = world.status["days"], []
    b.click("Check again")
    b.reads("Nothing counted yet")
    yield "health, no figures"
    world.status["days"] = days
    b.go("account")
    b.reads("Change the password")
    yield "account"
    b.click("New token")
    b.labelled("Name").send_keys("program")
    yield "account, new token"
    b.click("Make the token")
    b.reads("Copy it now")
    yield "account, token shown"
    b.click("Done")
    b.click("Sign out everywhere")
    b.one("dialog .danger")
    yield "account, question"
    b.keys(Keys.ESCAPE)
    world.scans.clear()
    house.enter(b)
    b.reads("No scans yet")
    yield "live, no scans"
    b.go("scans")
    b.reads("it appears here at once")
    yield "scans, none"
    world.scopes = ["view"]
    house.enter(b)
    b.reads("may not see the picture")
    yield "live, may only look"
    b.go("settings")
    b.reads("may look")
    yield "settings, may only look"
    world.scopes = list(mock.ALL)
    world.dead = True
    b.go("live")
    b.reads("No connection", ".strip")
    yield "live, no connection"
    world.dead = False
    b.reads("Ready.", ".strip")
    world.version = "0.2.0"
    world.torch()
    b.reads("was updated", "#notices")
    yield "live, the console was updated"
    world.version = "0.1.0"
    house.enter(b, "settings")
    b.retype(b.labelled("Timeout"), "8s")
    world.sessions.clear()
    b.reads("You were signed out")
    yield "signed out, with an edit"
    b.driver.delete_all_cookies()
    b.driver.get("about:blank")
    b.driver.get(house.address)
    b.one("#password").send_keys("wrong", Keys.ENTER)
    b.reads("That isn't the password")
    b.click(b.one("summary"))
    yield "sign in, wrong"
    world.password = None
    b.driver.get("about:blank")
    b.driver.get(house.address)
    b.reads("One step first")
    yield "no password yet"
    world.button = {"open": True, "why": None}
    b.driver.get("about:blank")
    b.driver.get(house.address)
    b.click("Show the code")
    b.one(".first-password-code")
    yield "first password, the code"
    b.driver.refresh()
    b.reads("The station still waits")
    yield "first password, its page loaded again"
    world.first = {"stage": "over", "leftMs": 0, "why": "twoAsked"}
    b.reads("Another device asked")
    yield "first password, over"
    b.click("Show the code")
    b.one(".first-password-code")
    world.first = {"stage": "open", "leftMs": 300_000, "why": None}
    b.labelled("New password")
    yield "first password, open"


@step("axe-core finds nothing on any page, dialog, error or empty state, light and dark, phone and desk")
def axe(b, house):
    found, unsure, looked = [], collections.Counter(), 0
    why = {}
    for size in (PHONE, DESK):
        for dark in (False, True):
            house.again()
            b.look(size, dark=dark)
            for state in states(b, house):
                result = b.axe()
                looked += 1
                look = f"{state} ({size[0]} px, {'dark' if dark else 'light'})"
                found += [[look, *violation] for violation in result["violations"]]
                for rule, count, messages, nodes in result["incomplete"]:
                    unsure[rule] += count
                    why.setdefault(rule, {}).setdefault(" ".join(messages)[:160], f"{look}: {nodes[0]}")
    b.look(DESK, dark=False)
    print(f"    axe-core 4.12: {looked} states looked at, {len(found)} violations", flush=True)
    for rule, count in unsure.most_common():
        print(f"    incomplete: {rule}, {count} places", flush=True)
        for message, where in list(why[rule].items())[:3]:
            print(f"      {message}\n        {where}", flush=True)
    check(not found, dumps(found[:12]))


@step("axe-core finds nothing on the pages of the real console", real=True)
def axe_real(b, house):
    house.enter(b)
    for page in ("live", "aim", "scans", "outputs", "settings", "health", "account"):
        b.go(page)
        b.until(f"{page} has loaded", lambda: "Loading…" not in b.text("main"))
        result = b.axe()
        check(not result["violations"], f"{page}: {dumps(result['violations'][:5])}")
