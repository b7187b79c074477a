"""Who gets in, and what they see who don't."""

import mock
from browser import DESK, PHONE, Keys
from steps import check, step


@step("a link that works once signs in, and its key is gone from the address")
def link(b, house):
    house.world.oneTimeKeys.add("only-once")
    b.driver.get("about:blank")
    b.driver.get(f"{house.address}/#key=only-once")
    b.one("nav.tabs")
    check("only-once" not in b.driver.current_url, "the key is still in the address")
    check("only-once" not in b.script("return location.href + JSON.stringify(history.state)"), "the key is in the history")
    b.driver.delete_all_cookies()
    b.driver.get("about:blank")
    b.driver.get(f"{house.address}/#key=only-once")
    b.reads("used already")
    b.one("input[type=password]")


@step("a wrong password is told, too many are waited for, the right one lets in: by keyboard")
def password(b, house):
    b.driver.delete_all_cookies()
    b.driver.get("about:blank")
    b.driver.get(house.address)
    b.one("input[type=password]")
    b.until("the field has the focus", lambda: b.script("return document.activeElement.id") == "password")
    for _ in range(3):
        b.keys("wrong", Keys.ENTER)
        b.reads("That isn't the password")
        b.until("it can be typed again", lambda: not b.one("button[type=submit]").get_attribute("disabled"))
    b.keys("wrong", Keys.ENTER)
    b.reads("Too many tries")
    check(b.one("button[type=submit]").get_attribute("disabled"), "one could go on trying")
    house.world.wrongTries = 0
    b.until("the time is up", lambda: not b.one("button[type=submit]").get_attribute("disabled"))
    field = b.one("#password")
    field.clear()
    b.click(b.labelled("Show it"))
    check(b.one("#password").get_attribute("type") == "text", "the password isn't shown")
    b.one("#password").send_keys("correct horse", Keys.ENTER)
    b.one("nav.tabs")


@step("without any password the page says how to get in")
def no_password(b, house):
    house.world.password = None
    b.driver.delete_all_cookies()
    b.driver.get("about:blank")
    b.driver.get(house.address)
    b.reads("One step first")
    b.reads("Nobody has set a password for dock-1 yet, so this page opens only by a link.")
    b.reads("sudo scanstation console password")
    b.reads("sudo scanstation console link")
    # Why there is no code to show, and what to do instead.
    b.reads("Not with the station's button")
    b.reads("This station can't do that: no trigger button is wired")
    b.reads("Run one of the commands above instead.")
    check("Show the code" not in b.text(), "a code is offered that no button answers")
    house.world.button = {"open": False, "why": "the camera is simulated and sees no phone (capture.source), so the first password isn't set by the button"}
    b.click("I've done it")
    b.reads("This station can't do that: the camera is simulated and sees no phone")
    house.world.button = {"open": True, "why": None}
    house.world.commands = {"password": "/home/me/scanstation console password", "link": "/home/me/scanstation console link", "terminal": True}
    b.click("I've done it")
    b.reads("The terminal in which the station was started shows a link")
    b.reads("Nobody has set a password for dock-1 yet.")
    check("opens only by a link" not in b.text(), "only a link opens it, and yet the button does")
    b.reads("/home/me/scanstation console link")
    b.reads("If its panel is shown there, the key h is the button", ".first-password")
    b.button("Show the code")
    # Into this very tab, whose page the browser doesn't load again for it.
    house.world.oneTimeKeys.add("another-key")
    b.script("location.hash = '#key=used-key'")
    b.reads("was used already")
    b.script("location.hash = '#key=another-key'")
    b.one("nav.tabs")
    check("key" not in b.script("return location.href"), "the key stays in the address")


@step("with a button at the station, the first password is set from the phone: code, second press, password; each end is told")
def first_by_button(b, house):
    world = house.world
    world.password, world.button = None, {"open": True, "why": None}
    b.driver.delete_all_cookies()
    b.driver.get("about:blank")
    b.driver.get(house.address)
    world.failing["firstPassword"] = "the station is paused: resume it first"
    b.click("Show the code")
    b.reads("paused", ".first-password")
    world.failing.clear()
    for why, words in (("expired", "too long"), ("twoAsked", "Another device asked"), ("otherCode", "another code"), ("unknown", "doesn't know this code")):
        b.click("Show the code")
        b.reads("Hold the station's button now", ".first-password-step")
        dark = b.script("return document.querySelector('.first-password-code .ink').getAttribute('d').length")
        check(dark > 1000, "no code is drawn")
        world.first = {"stage": "over", "leftMs": 0, "why": why}
        b.reads(words, ".first-password")
    b.click("Show the code")
    b.one(".first-password-code")
    b.click("Stop")
    b.until("the code is given up", lambda: world.first is None)
    for size in (PHONE, (740, 360)):
        b.look(size)
        b.click("Show the code")
        left, top, width, height = b.place(b.one(".first-password-code"))
        step = b.place(b.one(".first-password-step"))
        check(width >= 200 and 0 <= step[1] < top and top + height <= size[1] and left >= 0 and left + width <= size[0],
            f"the code isn't on the screen as a whole, below what is to be done: {width}×{height} at {left}, {top}, below {step[1]}, at {size}")
        b.reads("Two low beeps: something was in view. Clear it, and hold again.", ".first-password-steps")
        b.click("Stop")
    b.look(DESK)
    b.click("Show the code")
    b.one(".first-password-code")
    # A reload on the way: before the code was read the station still waits, and a new one is shown, or it is given up; after it this browser goes on.
    b.driver.refresh()
    b.reads("The station still waits for this browser's code.", ".first-password-step")
    b.reads("60 s left", ".first-password")
    check("Show the code" not in b.text(".first-password") and not b.all(".first-password-code"), "it looks as if nothing waited")
    b.click("Stop")
    b.until("the code is given up", lambda: world.first is None)
    b.click("Show the code")
    b.one(".first-password-code")
    for why, words in (("expired", "too long"), (None, None)):
        b.driver.refresh()
        b.reads("The station still waits", ".first-password-step")
        if why:
            world.first = {"stage": "over", "leftMs": 0, "why": why}
            b.reads(words, ".first-password")
            b.click("Show the code")
            b.one(".first-password-code")
    b.click("Show a new code")
    b.one(".first-password-code")
    # It was photographed before the reload, and the photo is shown.
    b.driver.refresh()
    b.script("arguments[0].focus()", b.button("Show a new code"))
    world.first = {"stage": "read", "leftMs": 30_000, "why": None}
    b.reads("Press its button once more", ".first-password-step")
    check("new code" not in b.text(".first-password") and b.focused() == "With the station's button", f"what isn't needed any more is shown, or the focus is lost: {b.focused()[:40]}")
    world.first = {"stage": "read", "leftMs": 30_000, "why": None}
    b.reads("Press its button once more", ".first-password-step")
    b.driver.refresh()
    b.reads("Press its button once more", ".first-password-step")
    b.reads("s left", ".first-password")
    check("Show this screen" not in b.text(".first-password"), "a code is to be shown that isn't there any more")
    world.first = {"stage": "open", "leftMs": 300_000, "why": None}
    b.labelled("New password")
    b.driver.refresh()
    b.labelled("New password").send_keys("four words are better")
    b.labelled("New password once more").send_keys("others")
    b.labelled("New password once more").send_keys(" entirely", Keys.ENTER)
    b.reads("differ", ".first-password")
    b.retype(b.labelled("New password once more"), "four words are better")
    b.keys(Keys.ENTER)
    b.one("nav.tabs")
    check(world.password == "four words are better", "the console has another password")


@step("the first password is set after a link, then changed; a wrong old one is told")
def first_password(b, house):
    house.world.password = None
    house.enter(b, "account")
    b.reads("Set a password")
    b.labelled("New password").send_keys("four words are better")
    b.labelled("New password once more").send_keys("something else entirely")
    b.click("Set the password")
    b.reads("differ")
    b.retype(b.labelled("New password once more"), "four words are better")
    b.click("Set the password")
    b.reads("The password is set")
    check(house.world.password == "four words are better", "the console has another password")
    b.labelled("Old password").send_keys("nonsense")
    b.labelled("New password").send_keys("another long one")
    b.labelled("New password once more").send_keys("another long one")
    b.click("Change the password")
    b.reads("isn't")
    check(house.world.password == "four words are better", "a wrong old password was taken")


@step("a token is made, shown once, and withdrawn")
def tokens(b, house):
    house.enter(b, "account")
    b.click("New token")
    b.labelled("Name").send_keys("stock <b>program</b>")
    b.click(b.labelled("operate"))
    b.click("Make the token")
    b.reads("Copy it now")
    check(b.labelled("Token").get_attribute("value").startswith("sst_"), "no token is shown")
    b.click("Done")
    b.reads("stock <b>program</b>", ".tokens")
    check(house.world.tokens[0]["scopes"] == ["view", "operate"], house.world.tokens)
    b.click("Withdraw")
    b.reads("refused at once")
    b.keys(Keys.ESCAPE)
    b.no_longer_reads("refused at once")
    check(len(house.world.tokens) == 1, "Escape withdrew it")
    b.click("Withdraw")
    b.one("dialog .danger").click()
    b.until("it is gone", lambda: not house.world.tokens)


@step("signing out everywhere ends the other browser, too")
def everywhere(b, house):
    house.enter(b, "account")
    other = house.another()
    house.enter(other, "live")
    b.click("Sign out everywhere")
    b.one("dialog .danger").click()
    b.reads("Sign in")
    b.one("input[type=password]")
    other.one("input[type=password]")
    check("4006381333931" not in other.text(), "scans are still on the signed-out page")


@step("a session that ends while the page is open leads to the sign-in, which says why; after it, edits are there again, and what was missed is counted")
def expired(b, house):
    world = house.world
    house.enter(b, "outputs")
    world.sessions.clear()
    b.reads("You were signed out: somebody did it in another window", "main")
    house.enter(b, "settings")
    b.retype(b.labelled("Timeout"), "8s")
    b.retype(b.labelled("Max scans"), "3")
    b.click(b.labelled("Orientation, mirrored"))
    b.reads("3 changes", ".apply-bar")
    # A night: its clock is what the page goes by.
    b.script("const now = Date.now; Date.now = () => now() + 13 * 3600e3")
    world.sessions.clear()
    b.reads("You were signed out: nobody used this page for 12 hours.", "main")
    b.reads("3 changes of settings that you hadn't applied are kept", "main")
    check("8s" not in b.text(), f"the sign-in shows what was typed: {b.text()}")
    for number in range(137):
        world.scan(f"NIGHT-{number}", "code_128", quiet=True)
    b.labelled("Password").send_keys(mock.PASSWORD, Keys.ENTER)
    b.reads("137 new scans while this page was away", "#notices")
    b.until("it is spoken", lambda: "137 new scans" in b.said())
    b.reads("3 changes", ".apply-bar")
    b.reads("What you had changed and not applied is here again.", "#notices")
    check(b.labelled("Timeout").get_attribute("value") == "8s" and b.labelled("Max scans").get_attribute("value") == "3"
        and b.labelled("Orientation, mirrored").is_selected(), "other values are there")
    check(not b.script("return sessionStorage.length"), "they stay behind")
    check(next(key["value"] for key in world.keys if key["key"] == "trigger.timeout") == "5s", "they were applied")
    # Nobody can say how many of another journal.
    b.go("live")
    world.leave("it begins a new journal")
    b.reads("away", ".strip")
    for number in range(60):
        world.scan(f"OTHER-{number}", "code_128", quiet=True)["journal"] = "01a1fd0d-0000-7000-8000-000000000000"
    world.come_back()
    b.reads("At least 50 new scans while this page was away", "#notices")


@step("somebody who may only look sees that, and nothing can be pressed")
def view_only(b, house):
    house.world.scopes = ["view"]
    house.enter(b, "live")
    b.reads("may look, not operate")
    b.reads("may not see the picture")
    check(b.script("return document.querySelector('fieldset.controls').disabled"), "the controls work")
    b.go("settings")
    b.reads("may look, not change settings")
    b.go("account")
    b.reads("may not manage")
    b.go("scans")
    b.reads("TICKET-0042")
