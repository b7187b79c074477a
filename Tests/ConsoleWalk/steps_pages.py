"""Scans, Outputs, Settings, Health; and texts that mean harm."""

import json
import threading
import time

import mock
from browser import DESK, PATIENCE, PHONE, Keys
from steps import check, step

HOSTILE = [
    "<script>window.pwned = 1</script>", "<img src=x onerror=\"window.pwned = 1\">", "\" onmouseover=\"window.pwned=1", "javascript:window.pwned=1", "</bdi></a><h1>HEADING</h1>",
    "https://bank.example\u202e/moc.live", "\u2066left\u2067right\u2069", "a\x00b\x1bc\x1d17261231\r\n", "\u3164\u2800\u200b", "👩‍👩‍👧‍👦 family", "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034dA\u036b\u0357\u0334\u0362LGO",
    "x" * 3000, " leading and  double ", "{{7*7}}${7*7}", "\ud800lone",
]



@step("the station's buzzer follows the aim while the page wants it, and stops when it is left; a refusal is told")
def aim_buzzer(b, house):
    house.enter(b, "aim")
    b.click(b.labelled("The station's buzzer"))
    b.until("it is asked for", lambda: {"command": "aim", "on": True} in house.world.received)
    b.go("live")
    b.until("it is ended", lambda: {"command": "aim", "on": False} in house.world.received)
    house.world.failing["aim"] = "no buzzer is configured: set buzzer.line"
    b.go("aim")
    b.click(b.labelled("The station's buzzer"))
    b.reads("No buzzer is configured")
    b.until("the box is empty", lambda: not b.labelled("The station's buzzer").is_selected())


@step("the station's buzzer is asked for as long as its box is checked and somebody may see the page, however long an answer takes")
def aim_buzzer_ends(b, house):
    received = house.world.received
    asked = lambda: [one["on"] for one in received if one.get("command") == "aim" and "buzzer" not in one]
    renewals = lambda: b.script("return window.inAMinute.size")
    house.enter(b, "aim")
    b.hold_commands()

    def checks_slowly():
        b.script("window.holds = true")
        b.click(b.labelled("The station's buzzer"))
        b.until("it is on its way", lambda: b.script("return window.held.length === 1"))

    # Unchecked, or left, before the station has it.
    for gone in (lambda: b.click(b.labelled("The station's buzzer")), lambda: b.go("live")):
        received.clear()
        checks_slowly()
        gone()
        b.let_go()
        b.until("the last word is no", lambda: asked() == [True, False])
        check(not renewals(), "it would be asked for again, without end")
    # Checked, not and checked: one renewal, not two.
    b.go("aim")
    received.clear()
    checks_slowly()
    for _ in range(2):
        b.click(b.labelled("The station's buzzer"))
    b.let_go()
    b.until("it is asked for", lambda: asked() and renewals())
    check(asked()[-1] and renewals() == 1, f"{asked()}, {renewals()} renewals")
    b.pass_a_minute()
    b.until("it is asked for again", lambda: len(asked()) == 2 and renewals() == 1)
    # Behind another tab it ends.
    b.hide()
    b.pass_a_minute()
    check(not renewals(), "it is renewed where nobody sees the page")
    b.unhide()
    b.until("a page that comes back has it again", lambda: len(asked()) == 3 and renewals() == 1)
    b.hide()
    b.click(b.labelled("The station's buzzer"))
    b.unhide()
    b.until("it is off", lambda: asked() == [True] * 3 + [False])
    check(not renewals(), "it is asked for though the box is empty")


@step("texts that mean harm stay texts: no markup, no script, marks in boxes, long ones cut with a way to see all")
def hostile(b, house):
    house.enter(b)
    b.reads("2 codes read")
    for text in HOSTILE:
        house.world.scan(text, "qr_code", {"kind": "url", "url": text, "scheme": "x", "host": text, "problems": [f"the host is {text}"]},
                         receipts=[{"output": "stock", "outcome": "refused", "reason": text, "time": mock.now()}], answer={"verdict": "refused",
                             "reason": text, "late": False, "relay": False})
    b.go("scans")
    b.reads("LGO")
    for scan in list(house.world.scans)[:len(HOSTILE)]:
        b.go("scans/" + scan["id"])
        b.until("it is shown", lambda: b.all(".detail-text"))
        check(not b.script("return window.pwned"), f"a script of {scan['text']!r} ran")
        check(b.script("return document.querySelectorAll('main h1').length") == 1, "a text became a heading")
        check(b.script("return [...document.querySelectorAll('main a')].every((a) => a.hash.startsWith('#/') || a.pathname.startsWith('/api/v1/scans/export'))"), "a text became a link")
        check(b.script("return document.documentElement.scrollWidth <= innerWidth"), f"{scan['text'][:20]!r} makes the page wider than the window")
        # As numbers: half a surrogate pair can't be sent otherwise.
        raw = b.script("return [...document.querySelectorAll('main .code-text')].flatMap((e) => [...e.childNodes].filter((n) => n.nodeType === 3).flatMap((n) => [...n.data].map((c) => c.codePointAt(0))))")
        marks = [code for code in raw if code < 0x20 or code in map(ord, "\u202e\u2066\u2067\u2069\u200b\u3164\u2800") or 0xD800 <= code < 0xE000]
        check(not marks, f"unseen characters are in the page: {marks}")
    named = {"RLO": 5, "NUL": 7, "GS": 7, "ZWSP": 8, "2 spaces": 12}
    for name, index in named.items():
        b.go("scans/" + next(scan["id"] for scan in house.world.scans if scan["text"] == HOSTILE[index]))
        b.reads(name, ".detail-text")
    check(b.script("return getComputedStyle(document.querySelector('.detail-text .code-text')).unicodeBidi") == "isolate", "texts aren't isolated")
    b.go("scans/" + next(scan["id"] for scan in house.world.scans if scan["text"] == "x" * 3000))
    b.reads("Show all 3,000 characters")
    b.script("document.querySelector('.detail-text .long-text button').click()")
    b.until("all of it is there", lambda: len(b.text(".detail-text")) >= 3000)
    b.go("live")
    check(not b.script("return window.pwned"), "a script ran")
    check("\u202e" not in b.said(), "a direction mark is spoken")


@step("scans: searched by text and kind, newest first, and live")
def search(b, house):
    house.enter(b, "scans")
    b.reads("6 scans")
    house.world.scan("LIVE-ONE", "code_128")
    b.reads("LIVE-ONE")
    b.until("it is the first", lambda: "LIVE-ONE" in b.text(".scan-list li:first-child"))
    b.labelled("Text contains").send_keys("ticket")
    b.reads("1 scan")
    house.world.scan("SOMETHING-ELSE", "code_128")
    house.world.scan("TICKET-0099", "code_128")
    b.reads("TICKET-0099", ".scan-list")
    check("SOMETHING-ELSE" not in b.text(".scan-list"), "what doesn't fit is listed")
    check("text=ticket" in b.one(".exports a").get_attribute("href"), "the export forgets the search")
    b.click(b.one(".scan-row"))
    b.reads("Where it went")
    check(b.labelled("Text contains").get_attribute("value") == "ticket", "who opens a scan loses the search")
    b.until("the list is what was found", lambda: len(b.all(".scan-list li")) == 2)
    b.go("scans?text=ticket")
    b.until("the list is back", lambda: len(b.all(".scan-list li")) == 2)
    b.retype(b.labelled("Text contains"), "no such thing")
    b.reads("No scan matches")
    b.retype(b.labelled("Text contains"), "")
    b.click(b.one(".filter summary"))
    b.script("const s = arguments[0]; s.value = 'wifi'; s.dispatchEvent(new Event('change'))", b.labelled("Kind"))
    b.reads("1 scan")
    b.reads("withheld", ".scan-list")
    choose = lambda label, value: b.script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))", b.labelled(label),
        value)
    choose("Kind", "")
    choose("To", time.strftime("%Y-%m-%dT%H:%M", time.localtime(time.time() - 2400)))
    b.reads("2 scans")
    choose("From", time.strftime("%Y-%m-%dT%H:%M", time.localtime(time.time() - 4000)))
    b.reads("1 scan")
    b.reads("0109506000134352172612", ".scan-list")
    choose("From", "")
    choose("To", "")
    b.retype(b.labelled("Text contains"), "x" * 200)
    b.reads("No scan matches")
    check(len(b.labelled("Text contains").get_attribute("value")) == 128, "more is asked for than the API takes")


@step("older scans follow page by page")
def older(b, house):
    for number in range(120):
        house.world.scan(f"OLD-{number:03d}", "code_128", quiet=True)
    house.enter(b, "scans")
    b.reads("50 scans, and older ones")
    b.click("Show older ones")
    b.reads("100 scans, and older ones")
    b.click("Show older ones")
    b.reads("126 scans")
    texts = b.script("return [...document.querySelectorAll('.scan-list .scan-text')].map((e) => e.innerText)")
    check(texts[0] == "OLD-119" and len(set(texts)) == 126, "a scan is missing or there twice")


@step("a search goes back through the journal as far as it must, and says how far it has come")
def searching_back(b, house):
    for number in range(120):
        house.world.scan(f"OLD-{number:03d}", "code_128", quiet=True)
    house.world.looks = 20
    house.enter(b, "scans")
    b.labelled("Text contains").send_keys("OLD-003")
    b.reads("1 scan, and perhaps older ones")
    b.click("Show older ones")
    b.until("the end is reached", lambda: b.text(".list-status") == "1 scan")
    house.world.looks = 5
    b.retype(b.labelled("Text contains"), "OLD-004")
    b.reads("No scan since")
    house.world.questions = 0
    # A scan that comes meanwhile takes nothing back of how far the search has come.
    house.world.scan("NEW-AND-OTHER", "code_128")
    onwards = lambda: b.click(b.until("the search waits to be sent on",
        lambda: next((one for one in b.all("button.wide:enabled") if one.is_displayed()), None)))
    onwards()
    b.until("it has come further", lambda: house.world.questions >= 10)
    onwards()
    b.reads("OLD-004", ".scan-list")
    b.retype(b.labelled("Text contains"), "")
    house.world.looks = 2000
    b.go("outputs")
    b.click(b.one("main a[href='#/scans?receipt=refused']"))
    b.reads("TICKET-0042", ".scan-list")
    b.reads("1 scan")
    check("receipt=refused" in b.one(".exports a").get_attribute("href"), "the export forgets what was refused")


@step("one scan: payload, receipts, answer, place; refused is sent again")
def one_scan(b, house):
    house.enter(b, "scans")
    b.click(b.until("it is listed",
        lambda: b.script("return [...document.querySelectorAll('.scan-row')].find((row) => row.innerText.includes('TICKET-0042')) ?? null")))
    b.reads("refused: sold out", ".detail")
    check(b.one(".place").get_attribute("aria-label").startswith("In the middle part"), "its place isn't said")
    b.click("Send again to stock")
    b.until("it was sent", lambda: {"send": house.world.scans[2]["id"], "output": "stock"} in house.world.received)
    b.no_longer_reads("Send again", ".detail")
    check(b.script("return document.activeElement !== document.body"), "the focus is lost with the button")
    b.go("scans/" + house.world.scans[4]["id"])
    b.reads("USE BY or EXPIRY", ".detail")
    b.go("scans/" + house.world.scans[5]["id"])
    b.reads("waits", ".receipts")
    check("Send again" not in b.text(".detail"), "what waits anyway can be sent again")
    b.reads("waits for broker", ".scan-list")
    b.go("scans/no-such-scan")
    b.reads("isn't in the journal")
    b.look(PHONE)
    b.go("scans")
    b.tap(b.one(".scan-row"))
    b.reads("Where it went")
    b.tap(b.one(".back"))
    b.until("the list is back", lambda: b.all(".scan-list li"))
    b.look(DESK)


@step("outputs: state, what waits, the last error with its remedy, a test scan; and none at all")
def outputs(b, house):
    house.enter(b, "outputs")
    b.reads("34 scans wait")
    b.reads("What to do: start the broker")
    b.click("Send a test scan to broker")
    b.reads("broker hasn't taken the test scan yet", "#notices")
    check({"test": "broker"} in house.world.received, house.world.received)
    for outcome, told in (("refused", "broker didn't take the test scan: sold out."), ("accepted", "broker took the test scan")):
        house.world.receipts_of_tests = {"broker": {"outcome": outcome, "reason": "sold out" if outcome == "refused" else None}}
        b.click("Send a test scan to broker")
        b.reads(told, "#notices")
    house.world.outputs[1].update(state="ready", lag=0)
    house.world.torch()
    b.no_longer_reads("34 scans wait")
    b.reads("It is over.", "[aria-label='Output broker']")
    house.world.outputs = []
    house.world.torch()
    b.reads("Scans go nowhere yet")


@step("outputs: each kind and each state says in plain words what it does and what to do first; the technical terms come after")
def outputs_in_words(b, house):
    with house.world.lock:
        broker = dict(house.world.outputs[1])
        house.world.outputs = [{"name": f"to {kind['kind']}", "kind": kind["kind"], "place": None, "state": "ready", "required": True, "lag": 0, "delivered": 0, "refused": 0}
            for kind in mock.KINDS]
    house.enter(b, "outputs")
    for kind in mock.KINDS:
        card = f"[aria-label='Output to {kind['kind']}']"
        b.reads("works", card)
        does, _, *rest = b.script("return [...document.querySelector(arguments[0]).querySelectorAll('p')].map((p) => p.innerText)", card)
        check(does[-1:] == "." and len(does.split()) > 4 and "state: ready" in rest[-1], [does, rest])
        b.reads("Nothing has gone there yet. Send one, and ", card)
    b.click(b.one(".another summary"))
    for kind in mock.KINDS:
        b.script("const s = arguments[0]; s.value = arguments[1]; s.dispatchEvent(new Event('change'))", b.labelled("Where should scans go?"), kind["kind"])
        b.reads(f"- {kind['kind']}:", ".another pre")
        text = b.text(".another")
        check(kind["kind"] == "stdout" or 0 < text.find("Do this first: ") < text.find("outputs:"), text)
    for state, word, means in (("waiting", "can't be reached", "The station can't reach it."), ("stalled", "takes nothing", "It is connected, but takes nothing"),
            ("failed", "doesn't work", "no longer tries"), ("stopped", "has ended", "It has ended."), ("idle", "hasn't begun", "begins when the station has started"),
            ("connecting", "connects", "just being reached")):
        for advice in (broker["advice"], None):
            with house.world.lock:
                house.world.outputs = [{**broker, "state": state, "advice": advice}]
            house.world.torch()
            b.until(f"{state} is told", lambda: word == b.text(".card-head .badge") and means in b.text(".trouble") and (advice or "…") in b.text(".trouble") + "…")
            text = b.text(".trouble")
            check(text.find(means) < text.find("What to do:" if advice else "The reason:") <= text.find("The reason:"), text)
            b.reads(f"MQTT · 10.0.0.5:1883 · state: {state}", ".card.output")


@step("outputs: from the page alone to the next one: its lines, its file, what to type; in a terminal something else than for a service")
def another_output(b, house):
    house.enter(b, "outputs")
    b.reads("10.0.0.5:1883", "[aria-label='Output broker']")
    b.click(b.one(".another summary"))
    b.script("const s = arguments[0]; s.value = 'file'; s.dispatchEvent(new Event('change'))", b.labelled("Where should scans go?"))
    b.reads("path: /var/lib/scanstation/scans.txt", ".another pre")
    b.reads("leave out the first line", ".another")
    b.reads("sudo scanstation config check /etc/scanstation/station.yaml", ".another")
    b.reads("sudo systemctl restart scanstation", ".another")
    b.script("const s = arguments[0]; s.value = 'tcp'; s.dispatchEvent(new Event('change'))", b.labelled("Where should scans go?"))
    b.reads("port: 9100", ".another pre")
    check(b.text(".another pre").startswith("outputs:\n  - tcp:\n      host:"), b.text(".another pre"))
    with house.world.lock:
        house.world.status["configuration"] = {"file": "/etc/scanstation/station.yaml", "exists": False, "service": False, "program": "/home/me/scanstation"}
        house.world.outputs = [{"name": "stdout", "kind": "stdout", "place": None, "state": "ready", "required": False, "lag": 0, "delivered": 3, "refused": 0}]
    house.world.torch()
    b.reads("which isn't there yet", ".another")
    b.reads("- stdout:", ".another .steps")
    with house.world.lock:
        house.world.outputs.append({"name": "file", "kind": "file", "place": "/var/lib/scanstation/scans.txt", "state": "ready", "required": True,
            "lag": 0, "delivered": 3, "refused": 0})
    house.world.torch()
    b.script("const s = arguments[0]; s.value = 'file'; s.dispatchEvent(new Event('change'))", b.labelled("Where should scans go?"))
    b.reads("path: /var/lib/scanstation/scans-2.txt", ".another pre")
    b.reads("name: file-2", ".another pre")
    b.reads("/home/me/scanstation config check", ".another")
    b.reads("Ctrl-C", ".another")
    b.no_longer_reads("systemctl", ".another")
    b.go("settings")
    b.labelled("Find a setting").send_keys("webhook")
    b.reads("/home/me/scanstation config check", ".elsewhere")


@step("outputs and scans: text is copied over plain HTTP in the network, too, and the button keeps the focus")
def copied(b, house):
    # Such a page has no navigator.clipboard. What it copies is in the event.
    plain = b.cdp("Page.addScriptToEvaluateOnNewDocument", source="""Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined });
        addEventListener("copy", (event) => { window.copied = event.target.value.slice(event.target.selectionStart, event.target.selectionEnd); }, true);""")
    try:
        house.enter(b, "outputs")
        b.reads("10.0.0.5:1883", "[aria-label='Output broker']")
        b.click(b.one(".another summary"))
        b.reads("port: 9100", ".another pre")
        b.click("Copy these lines")
        b.reads("Copied.", "#notices")
        check(b.script("return window.copied") == b.script("return document.querySelector('.another pre').textContent") + "\n", b.script("return window.copied"))
        check(b.focused() == "Copy these lines", "the focus is lost with what was copied")
        b.go("scans/" + house.world.scans[2]["id"])
        b.click("Copy the text")
        b.reads("Copied, exactly as the code has it.", "#notices")
        check(b.script("return window.copied") == "TICKET-0042", b.script("return window.copied"))
        check(b.focused() == "Copy the text", "the focus is lost with what was copied")
    finally:
        b.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=plain["identifier"])


@step("settings are found by ordinary words, in their help and in a list of what people say; what isn't set here says where it is")
def found_by_words(b, house):
    house.enter(b, "settings")
    search = b.labelled("Find a setting")
    shown = lambda: b.script("return [...document.querySelectorAll('.setting:not([hidden]) label code')].map((e) => e.innerText)")
    for words, keys, places in (
        ("duplicate", {"trigger.sameSymbolTimeout"}, ()), ("reads twice", {"trigger.sameSymbolTimeout"}, ()), ("again", {"trigger.sameSymbolTimeout"}, ()),
        # Words of its help.
        ("fixed mounts", {"capture.focus.mode"}, ()), ("hands shake", {"capture.exposure.maxTime"}, ()),
        ("light", {"torch.mode", "torch.autoLuma"}, ("Lines: torch",)), ("why is it blurry?", {"capture.focus.mode"}, ()), ("upside down", {"capture.orientation.rotation"}, ()),
        ("beep", set(), ("The station's beep",)), ("sound", set(), ("The station's beep",)), ("wifi", set(), ("Wi-Fi",)), ("the Wi-Fi password", set(), ("Wi-Fi", "The password")),
    ):
        b.retype(search, words)
        b.until(f"{words} is looked for", lambda: keys <= set(shown()) and (keys or not shown()) and all(one in b.text(".places") for one in places))
        check(len(shown()) < len(house.world.keys), f"{words} finds everything")
        check(b.text(".list-status") or keys, "nothing is said")
    b.reads("No setting has these words, but this one does", ".settings-search")
    b.retype(search, "beep")
    check(b.script("return [...document.querySelectorAll('.settings-search a')].map((a) => a.hash).join()") == "#/live", "the beep has no way to it")
    b.retype(search, "zzz")
    b.reads("No setting has these words.", ".list-status")
    b.reads("Try another word for it", ".settings-search")
    b.click("Show all settings")
    b.until("all are there", lambda: len(shown()) == len(house.world.keys))
    check(b.focused() and b.script("return document.activeElement.type") == "search", "the focus is lost")


@step("settings: changed, looked at, applied; what the station refuses is told at its field")
def settings(b, house):
    house.enter(b, "settings")
    b.labelled("Find a setting").send_keys("timeout")
    b.reads("2 settings")
    b.retype(b.labelled("Timeout"), "8s")
    b.reads("1 change")
    b.reads("Runs with: 5s")
    b.retype(b.labelled("Find a setting"), "")
    b.click(b.labelled("Focus, follows viewport"))
    b.reads("2 changes")
    b.click("Look and apply")
    b.reads("Apply these changes?")
    b.reads("8s", "dialog")
    b.click("Apply")
    b.reads("2 settings on trial", ".trial-bar")
    b.reads("trigger.timeout 5s → 8s", ".trial-values")
    b.until("the question has the focus", lambda: b.script("return document.activeElement.textContent") == "Keep")
    b.until("it isn't only just there", lambda: not b.button("Keep").get_attribute("aria-disabled"))
    b.keys(Keys.ENTER)
    b.reads("Kept: it holds at the next start, too.")
    b.until("the bar is gone", lambda: b.script("return document.querySelector('.trial-bar').hidden"))
    check(b.script("return document.activeElement.tagName") == "H1", "the focus is lost with the bar")
    b.click(b.one(".history summary"))
    b.reads("this browser", ".history")
    value = lambda name: next(key["value"] for key in house.world.keys if key["key"] == name)
    check(value("trigger.timeout") == "8s" and value("capture.focus.followsViewport") is False, house.world.keys)
    b.until("the bar is gone", lambda: b.script("return document.querySelector('.apply-bar').hidden"))
    b.retype(b.labelled("Max scans"), "99")
    b.reads("From 1 to 64")
    over = b.script("""const [bar, notes] = ['.apply-bar', '#notices'].map((s) => document.querySelector(s).getBoundingClientRect());
        return notes.height > 0 && notes.bottom > bar.top && notes.top < bar.bottom && notes.right > bar.left""")
    check(not over, "a message covers the bar with the changes")
    check(b.button("Look and apply").get_attribute("disabled"), "what can't be right could be applied")
    b.click("trigger.maxScans: back to the default, 1")
    b.retype(b.labelled("Timeout"), "soon")
    b.click("Look and apply")
    b.click("Apply")
    b.reads("isn't a time", "dialog")
    b.keys(Keys.ESCAPE)
    b.reads("isn't a time", ".setting.changed .form-error")
    b.click("Discard")
    b.until("what runs is shown", lambda: b.labelled("Timeout").get_attribute("value") == "8s")


@step("settings: somebody else was faster; nothing is lost, both are shown, and it is applied then")
def overtaken(b, house):
    house.enter(b, "settings")
    b.retype(b.labelled("Timeout"), "8s")
    mock.change_settings(house.world, {"trigger.timeout": "3s", "torch.mode": "auto"})
    b.click("Look and apply")
    b.click("Apply")
    b.reads("Somebody else changed settings", "dialog")
    b.reads("You both changed the same", "dialog")
    b.reads("3s", "dialog .before")
    b.reads("8s", "dialog .after")
    b.click("Apply")
    b.reads("1 setting on trial", ".trial-bar")
    b.click("Keep")
    b.reads("Kept:")
    check(next(key["value"] for key in house.world.keys if key["key"] == "trigger.timeout") == "8s", "it wasn't applied")
    check(b.labelled("Mode").get_attribute("value") is not None, "the form is gone")


@step("settings: what somebody opened, has the focus on, scrolled to or has half typed stays when something new comes from the station")
def undisturbed(b, house):
    world = house.world
    tried = iter(range(2, 60))

    def another_change():
        """By somebody else: tried, kept, and in the form."""
        number = next(tried)
        world.try_settings({"trigger.maxScans": number}, "a desk")
        world.end_trial(True)
        b.until("the form has it", lambda: b.labelled("Max scans").get_attribute("value") == str(number))

    house.enter(b, "settings")
    b.labelled("Timeout")
    another_change()
    for box in (".history", ".elsewhere"):
        b.click(b.one(f"{box} summary"))
    b.script("""const log = document.querySelector('.history .table-holder'); log.focus(); getSelection().selectAllChildren(log.querySelector('tbody tr'));
        log.scrollIntoView({block: 'center'}); window.kept = [log, log.querySelector('tbody tr'), getSelection().toString()]""")
    place = b.place(b.one(".elsewhere summary"))
    another_change()
    b.until("the log has it, too", lambda: len(b.all(".history tbody tr")) == 2)
    world.leave("nothing listens.")
    b.reads("away", ".strip")
    world.come_back()
    b.reads("Reading.", ".strip")
    check(all(b.one(box).get_attribute("open") for box in (".history", ".elsewhere")), "what was opened is closed")
    check(b.script("return document.activeElement === window.kept[0]"), f"the focus is on {b.focused()[:40]}")
    check(b.script("return window.kept[1].isConnected && getSelection().toString() === window.kept[2] && window.kept[2].length > 10"), "what was marked isn't any more")
    check(abs(b.place(b.one(".elsewhere summary"))[1] - place[1]) < 90, f"the page moved: {place}, {b.place(b.one('.elsewhere summary'))}")
    # Half of something is typed; nothing of that is a change that the station would have to be asked about.
    for label, half, more, whole in (("Exposure, gain", "auto ", "x", "auto x"), ("Auto luma", "60.0", "5", "60.05"), ("Auto luma", "1e", "2", "100"),
            ("Frame rate", "-", "5", "-5")):
        field = b.labelled(label)
        b.retype(field, half)
        another_change()
        b.keys(more)
        value = field.get_attribute("value")
        check(value == whole or float(value) == float(whole), f"{half!r}, somebody else's change, then {more!r} makes {value!r}")
    b.click("Discard")
    check([b.labelled(label).get_attribute("value") for label in ("Exposure, gain", "Auto luma", "Frame rate")] == ["auto", "60", "30"], "it isn't discarded")
    # The station is another one now: it has a key more, and one less.
    b.retype(b.labelled("Timeout"), "7")
    world.keys = [one for one in world.keys if one["key"] != "log.level"] + [mock.key("trigger.beam", "text", "wide", "How wide it looks.")]
    another_change()
    check(b.labelled("Beam").get_attribute("value") == "wide" and "log.level" not in b.text("main"), "the form has other keys than the station")
    b.keys("s")
    check(b.labelled("Timeout").get_attribute("value") == "7s", "what was being typed is lost")


@step("settings that can't be loaded: somebody who reads where else something is set goes on reading, even once they are there")
def undisturbed_by_failures(b, house):
    asked = []

    def fails(handler):
        asked.append(handler)
        handler.fail(409, "refused", "the journal is being moved")

    works, house.server.RequestHandlerClass.get_settings = house.server.RequestHandlerClass.get_settings, fails
    house.enter(b, "settings")
    b.reads("The journal is being moved.")
    b.click(b.one(".elsewhere summary"))
    before = b.place(b.one(".elsewhere summary"))[1]

    def asked_once_more():
        count = len(asked)
        # The one after it is only asked when it was answered.
        b.until("it is asked once more, and that has failed", lambda: house.world.torch() or len(asked) > count + 1)

    asked_once_more()
    check(b.one(".elsewhere").get_attribute("open") and b.script("return document.activeElement.parentElement.matches('.elsewhere')"), f"what is read is closed, the focus on {b.focused()[:40]}")
    b.script("arguments[0].focus()", b.button("Try again"))
    asked_once_more()
    check(b.focused() == "Try again", f"the focus is on {b.focused()[:40]}")
    b.script("arguments[0].focus()", b.one(".elsewhere summary"))
    house.server.RequestHandlerClass.get_settings = works
    house.world.torch()
    b.labelled("Timeout")
    check(b.one(".elsewhere").get_attribute("open") and b.script("return document.activeElement.parentElement.matches('.elsewhere')"), f"what is read is closed, the focus on {b.focused()[:40]}")
    check(abs(b.place(b.one(".elsewhere summary"))[1] - before) < 2, "the page moved under its reader")


def begin_trial(b, value="8s"):
    b.retype(b.labelled("Timeout"), value)
    b.click("Look and apply")
    b.click("Apply")
    b.reads("1 setting on trial", ".trial-bar")


@step("what was changed in Settings and not applied is there again after a look at another page, once")
def edits_kept(b, house):
    house.enter(b, "settings")
    b.retype(b.labelled("Timeout"), "8s")
    b.go("live")
    b.go("settings")
    b.reads("What you had changed and not applied is here again", "#notices")
    check(b.labelled("Timeout").get_attribute("value") == "8s", "it is lost")
    b.retype(b.labelled("Timeout"), "5s")
    b.go("live")
    b.go("settings")
    b.until("the form is there", lambda: b.labelled("Timeout").get_attribute("value") == "5s")
    check(not b.script("return sessionStorage.getItem('scanstation.edits')"), "it comes back forever")


@step("settings: half a number isn't kept for later, as it would come back as nothing")
def halves_not_kept(b, house):
    house.enter(b, "settings")
    b.retype(b.labelled("Timeout"), "8s")
    b.retype(b.labelled("Frame rate"), "-")
    b.reads("2 changes, 1 can't be right", ".apply-bar")
    b.go("live")
    b.go("settings")
    b.reads("1 change", ".apply-bar")
    check([b.labelled(label).get_attribute("value") for label in ("Timeout", "Frame rate")] == ["8s", "30"], "something else is there")


@step("settings: what was typed and is what runs, however it is written, goes on as the station does, and isn't a change that nobody made")
def typed_as_it_runs(b, house):
    world, value = house.world, lambda label: b.labelled(label).get_attribute("value")

    def change(name, to):
        world.try_settings({name: to}, "a desk")
        world.end_trial(True)

    house.enter(b, "settings")
    # Written in another way.
    b.retype(b.labelled("Auto luma"), "60.0")
    b.retype(b.labelled("Max scans"), "7")
    b.reads("1 change", ".apply-bar")
    change("torch.autoLuma", 70)
    b.until("the form has it", lambda: value("Auto luma") == "70")
    # The very same, by somebody else.
    change("trigger.maxScans", 7)
    b.until("that is no change any more", lambda: not b.one("main").find_elements("css selector", ".apply-bar:not([hidden])"))
    b.script("arguments[0].focus()", b.labelled("Timeout"))
    change("trigger.maxScans", 9)
    b.until("the form has that, too", lambda: value("Max scans") == "9")
    check(not b.one("main").find_elements("css selector", ".apply-bar:not([hidden])"), "it is a change")


@step("settings: an answer that comes late, from before somebody else's change, doesn't undo that change on the page")
def late_answer(b, house):
    world, handler = house.world, house.server.RequestHandlerClass
    prompt = handler.get_settings
    held, overtaken, came = (threading.Event() for _ in range(3))
    # One by the page that was loaded.
    answered = [1]

    def answers_late(self):
        if held.is_set():
            prompt(self)
            answered.append(1)
        else:
            old = json.dumps(world.settings()).encode()
            held.set()
            # A page that asks again meanwhile has those answers first; one that waits for this one doesn't ask.
            overtaken.wait(1)
            self.answer(200, old)
            answered.append(1)
            came.set()

    def change(to):
        world.try_settings({"trigger.maxScans": to}, "a desk")
        world.end_trial(True)

    def has():
        return b.script("return performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/settings') && one.responseEnd).length")

    house.enter(b, "settings")
    b.retype(b.labelled("Timeout"), "8s")
    handler.get_settings = answers_late
    change(7)
    check(held.wait(PATIENCE), "nobody asks")
    change(9)
    # Each change is told twice: it is tried, and kept.
    b.until("it has whatever it asked for meanwhile", lambda: came.is_set() or has() == 4)
    overtaken.set()
    b.until("it has all", lambda: came.is_set() and len(answered) > 2 and has() == len(answered))
    check(b.labelled("Max scans").get_attribute("value") == "9", "the late answer undid it")
    check(b.text(".apply-bar").startswith("1 change"), b.text(".apply-bar"))


@step("what was changed in Settings and not applied isn't shown to the next person who signs in after somebody signed out")
def edits_signed_out(b, house):
    def too_late(handler):
        """As of a session that somebody else has just ended."""
        house.world.sessions.clear()
        handler.fail(401, "signedOut", "You are signed out. Sign in again.")

    def ended_meanwhile():
        house.server.RequestHandlerClass.delete_session = too_late
        b.click("Sign out")

    def everywhere():
        b.click("Sign out everywhere")
        b.one("dialog .danger").click()

    for leave in (lambda: b.click("Sign out"), everywhere, ended_meanwhile):
        house.enter(b, "settings")
        b.retype(b.labelled("Timeout"), "8s")
        b.go("account")
        check(b.script("return sessionStorage.getItem('scanstation.edits')"), "it isn't kept at all")
        leave()
        b.labelled("Password").send_keys(mock.PASSWORD, Keys.ENTER)
        b.one("nav.tabs")
        b.go("settings")
        b.until("the form is there", lambda: b.labelled("Timeout"))
        check(b.labelled("Timeout").get_attribute("value") == "5s" and "not applied" not in b.text(), "the next person has it")


# A person presses what was there a moment ago.
PRESSED_AS_IT_COMES = """const [trial, changes] = ['.trial-bar', '.apply-bar'].map((one) => document.querySelector(one));
    new MutationObserver(() => {
      if (trial.hidden) return;
      const [over, under] = [trial, changes].map((one) => one.getBoundingClientRect());
      window.covered = under.bottom > over.top && under.top < over.bottom;
      trial.querySelector('.primary').click();
    }).observe(trial, {attributes: true, attributeFilter: ['hidden']})"""


@step("settings on trial: taken back by hand, by time, from any page; announced, and said who is trying what")
def trial(b, house):
    value = lambda name: next(key["value"] for key in house.world.keys if key["key"] == name)
    house.enter(b, "settings")
    begin_trial(b)
    check(value("trigger.timeout") == "8s", "it isn't in effect")
    b.reads("Goes back by itself in", ".trial-left")
    for size in (PHONE, DESK):
        b.look(size)
        b.script("scrollTo(0, 600)")
        check(b.script("const r = document.querySelector('.trial-bar').getBoundingClientRect(); return r.height > 40 && r.top >= 0 && r.bottom <= innerHeight"),
            f"the bar isn't in the window of {size[0]} px")
    b.until("it is announced", lambda: "on trial for" in b.script("return document.getElementById('said').textContent"))
    # A page that is loaded again asks the same question, with the time that is left.
    b.driver.refresh()
    b.reads("1 setting on trial", ".trial-bar")
    check(b.labelled("Timeout").get_attribute("value") == "8s", "the form hasn't what is tried")
    b.go("live")
    b.driver.refresh()
    b.reads("1 setting on trial", ".trial-bar")
    b.reads("Goes back by itself in", ".trial-left")
    b.click("Take back")
    b.reads("Taken back: the settings are what they were.")
    check(value("trigger.timeout") == "5s", "it wasn't taken back")
    b.go("settings")
    b.until("the form has what runs", lambda: b.labelled("Timeout").get_attribute("value") == "5s")
    house.world.trialSeconds = 2.0
    begin_trial(b)
    b.until("the end is announced", lambda: "left until" in b.script("return document.getElementById('said-now').textContent"))
    b.until("how it ended is announced", lambda: "Nobody kept the change" in b.script("return document.getElementById('said').textContent"))
    b.until("the form has what runs", lambda: b.labelled("Timeout").get_attribute("value") == "5s")
    check(value("trigger.timeout") == "5s", "it didn't go back")
    house.world.trialSeconds = 60.0
    # Somebody else tries something, under a hostile name; what is edited here stays.
    b.retype(b.labelled("Timeout"), "9s")
    b.script(PRESSED_AS_IT_COMES)
    house.world.try_settings({"torch.mode": "auto"}, "the token \"<b>x\u202e\"")
    b.reads("changed by the token \"<b>x<", ".trial-bar")
    check(b.labelled("Timeout").get_attribute("value") == "9s", "what was edited is lost")
    check(b.script("return window.covered") is False, "the bar comes over what is about to be applied")
    check(house.world.trial, "a press that was meant for what was there before kept somebody else's change")
    b.click("Look and apply")
    b.click("Apply")
    b.reads("is on trial", "dialog .form-error")
    b.keys(Keys.ESCAPE)
    house.world.failing["settings"] = "the disk is full"
    b.click("Keep")
    b.reads("The disk is full.")
    del house.world.failing["settings"]
    b.click("Keep")
    b.reads("Kept:")
    b.click("Look and apply")
    b.click("Apply")
    b.reads("trigger.timeout 5s → 9s", ".trial-values")
    # The station ended meanwhile, and came back with what was.
    house.world.leave("nothing listens.")
    b.until("the bar is gone while nobody knows", lambda: b.script("return document.querySelector('.trial-bar').hidden"))
    house.world.end_trial(False)
    house.world.come_back()
    b.until("the form has what runs", lambda: b.labelled("Timeout").get_attribute("value") == "5s")


@step("a change that nobody kept stays visible: on the page where one is, on Settings and in the log, until it is put away or the next change")
def fell_back(b, house):
    world = house.world
    b.look(PHONE)
    house.enter(b, "settings")
    world.trialSeconds = 4.0
    begin_trial(b)
    b.reads("A change by this browser went back by itself at ", ".fallen-back")
    b.reads("nobody kept it within its 60 s.", ".fallen-back")
    b.reads("trigger.timeout 5s → 8s", ".fallen-back")
    check(b.script("return getComputedStyle(document.querySelector('.fallen-back')).position") == "fixed", "the note pushes the page aside")
    # As after a night: another browser, or this one once more.
    house.enter(b, "settings")
    b.reads("trigger.timeout 5s → 8s", ".fallen-back")
    b.click(b.one(".history summary"))
    b.reads("went back: nobody kept it", ".history")
    b.click("Close the note")
    b.until("it is put away", lambda: not b.one("main").find_elements("css selector", ".fallen-back:not([hidden])"))
    check(b.script("return document.activeElement.tagName") == "H1", "the focus is lost with the note")
    house.enter(b, "settings")
    b.labelled("Timeout")
    check("went back by itself" not in b.text("main"), "what was put away is back")
    b.go("live")
    b.reads("2 codes read")
    world.trialSeconds = 5.0
    world.try_settings({"torch.mode": "auto", "trigger.timeout": "9s"}, "a phone")
    b.reads("2 settings on trial", ".trial-bar")
    b.reads("Nobody kept the change", "#notices")
    b.go("scans")
    b.reads("6 scans")
    end = time.monotonic() + 6
    b.until("some seconds pass", lambda: time.monotonic() > end)
    check("Nobody kept the change" in b.text("#notices"), "it went away by itself")
    b.go("settings")
    b.reads("A change by a phone went back by itself", ".fallen-back")
    world.trialSeconds = 60.0
    b.click("Try again")
    b.reads("trigger.timeout", "dialog")
    b.reads("torch.mode", "dialog")
    b.click("Apply")
    b.reads("2 settings on trial", ".trial-bar")
    b.until("the note gives way to the next change", lambda: not b.script("return document.querySelector('.fallen-back')?.checkVisibility()") and "Nobody kept" not in b.text("#notices"))
    b.click("Keep")
    b.reads("Kept:")
    check(next(key["value"] for key in world.keys if key["key"] == "trigger.timeout") == "9s", "it wasn't applied")
    # The station ends, and comes back with what was: nothing is said of it while it happens.
    b.go("live")
    world.try_settings({"trigger.timeout": "7s"}, "a phone")
    b.reads("1 setting on trial", ".trial-bar")
    world.leave("nothing listens.")
    b.reads("away", ".strip")
    world.end_trial(False, "ended")
    world.come_back()
    b.reads("the station ended before anybody kept it", "#notices")
    b.go("settings")
    b.reads("the station ended before anybody kept it", ".fallen-back")
    # Somebody who is on the page meanwhile has something half typed.
    b.retype(b.labelled("Max scans"), "3")
    world.try_settings({"trigger.timeout": "6s"}, "a desk")
    b.until("the note is gone", lambda: not b.script("return document.querySelector('.fallen-back').checkVisibility()"))
    world.leave("nothing listens.")
    b.reads("away", ".strip")
    world.end_trial(False, "ended")
    world.come_back()
    b.reads("A change by a desk went back", ".fallen-back")
    check(b.labelled("Max scans").get_attribute("value") == "3", "what was typed is lost")
    b.look(DESK)


@step("settings on trial: who may only look sees it, and can't decide")
def trial_watched(b, house):
    house.world.scopes = ["view"]
    house.enter(b)
    house.world.try_settings({"torch.mode": "auto"}, "a browser")
    b.reads("1 setting on trial", ".trial-bar")
    check(not any(one.is_displayed() for one in b.all(".trial-bar button")), "the buttons are there")


@step("Health: findings with remedies, the worst first; figures a day")
def health(b, house):
    house.enter(b, "health")
    b.reads("58 °C")
    b.reads("enough")
    b.until("a field looks like one", lambda: b.script("return document.querySelector('.finding code')?.textContent") == '"clock":"unsynced"')
    check("`" not in b.text("main"), "backticks are shown")
    b.reads("1 thing needs you, and 1 warning")
    check("outputs" in b.text(".finding"), "the worst isn't the first")
    b.reads("What to do: timedatectl set-ntp true")
    b.click(b.one("details.card summary"))
    b.reads("24 GiB free")
    b.reads("too small 5, nothing seen 3")
    # Large numbers that are no fault.
    b.reads("Skipped frames are normal where the camera gives more than the readers can take: they take the newest.", "[aria-label=Reading]")
    b.reads("Dropped frames are gaps in the camera's own count.", "[aria-label=Camera]")
    house.world.findings = [{"check": "config", "verdict": "ok", "text": "no problems found"}]
    b.click("Check again")
    b.reads("All is well.")
    house.world.try_settings({"trigger.timeout": "8s"}, "a desk")
    house.world.end_trial(True)
    b.look(PHONE)
    # By hand, and by the address that it leads to, which may be handed on.
    for comes in (lambda: b.click("Who changed what"), lambda: b.driver.refresh()):
        comes()
        b.reads("a desk", ".history")
        b.until("the log has the focus", lambda: b.script("return document.activeElement.parentElement?.matches('.history[open]')"))
        top = b.place(b.one(".history"))[1]
        check(0 <= top < 400, f"the log isn't where one looks: {top}")
    # Somebody who goes on meanwhile isn't called back.
    b.go("settings")
    b.labelled("Timeout")
    check(not b.one(".history").get_attribute("open"), "the log is open for those who didn't ask for it")
    b.look(DESK)
    house.world.scopes = ["view", "preview"]
    house.enter(b, "health")
    b.reads("All is well.")
    check("Who changed what" not in b.text("main"), "it leads to where this sign-in may not look")


@step("Health and Outputs ask again every few seconds: what somebody opened, marked or has the focus on stays")
def asked_again(b, house):
    world = house.world

    def figure(number):
        with world.lock:
            world.status["readers"]["framesRead"] = number
            world.outputs[1].update(lag=number)
        world.torch()

    house.enter(b, "health")
    b.reads("3 checks passed")
    b.click(b.one("details.card summary"))
    for number, selector in enumerate(("details.card summary", ".table-holder", "main .title-row button"), 7770):
        b.script("""window.kept = document.querySelector(arguments[0]); window.kept.focus(); getSelection().selectAllChildren(document.querySelector('.finding p'))""", selector)
        marked = b.script("return getSelection().toString()")
        figure(number)
        b.reads(f"{number:,}", "[aria-label=Reading]")
        if selector.endswith("button"):
            b.keys(Keys.ENTER)
            figure(number + 10)
            b.reads(f"{number + 10:,}", "[aria-label=Reading]")
        check(b.script("return window.kept.isConnected && document.activeElement === window.kept"), f"the focus is no longer on {selector}")
        check(b.one("details.card").get_attribute("open") and marked and b.script("return getSelection().toString()") == marked, "it is closed, or what was marked isn't any more")
    b.go("outputs")
    link = b.one("main a[href='#/scans?receipt=refused']")
    b.script("arguments[0].focus()", link)
    figure(21)
    b.reads("21 scans wait")
    check(b.script("return document.activeElement === arguments[0]", link), f"the focus is on {b.focused()[:40]}")


@step("every page by keyboard alone: each control is reached, and it shows where the focus is")
def keyboard(b, house):
    house.enter(b)
    b.reads("2 codes read")
    for page in ("live", "aim", "scans", "outputs", "settings", "health", "account"):
        b.go(page)
        b.until(f"{page} has loaded", lambda: "Loading…" not in b.text("main"))
        wanted = b.script("""return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((e) => e.offsetParent !== null && !e.matches(':disabled')
            && !e.closest('[hidden]') && !(e.type === 'radio' && !e.checked) && e.checkVisibility({visibilityProperty: true})).length""")
        b.script("document.activeElement.blur(); window.scrollTo(0, 0); window.seen = new Set()")
        # A key, so that the browser shows where the focus is.
        b.keys(Keys.SHIFT)
        b.script("document.getElementById('skip').focus()")
        reached = 0
        for _ in range(wanted + 5):
            state = b.script("""const e = document.activeElement; if (e === document.body || window.seen.has(e)) return null; window.seen.add(e);
                const style = getComputedStyle(e); const label = e.type === 'radio' ? getComputedStyle(e.nextElementSibling) : style;
                const box = e.getBoundingClientRect();
                return [label.outlineStyle !== 'none' && parseFloat(label.outlineWidth) >= 2, box.bottom > 0 && box.top < innerHeight, e.outerHTML.slice(0, 120)]""")
            if state is None:
                break
            reached += 1
            check(state[0], f"on {page} one doesn't see that the focus is on {state[2]}")
            check(state[1], f"on {page} the focus is outside the window on {state[2]}")
            b.keys(Keys.TAB)
        check(reached >= wanted, f"on {page} only {reached} of {wanted} controls are reached")
    b.go("live")
    b.script("document.getElementById('skip').focus()")
    b.keys(Keys.ENTER)
    check(b.script("return document.activeElement.tagName") == "H1", "the skip link doesn't lead to the page")


# What has a side that one doesn't see.
CUT_OFF = """return [...document.querySelectorAll('main *, dialog *')].filter((e) => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 && e.checkVisibility()
    && getComputedStyle(e).display !== 'inline' && !e.matches('.unseen, thead, input, select, svg *, .overlay *, .live-picture')).map((e) => `${e.tagName}.${e.className}: ${e.innerText.slice(0, 60)}`)"""


@step("on a phone no table and no line is cut off: Health, Scans, one scan, the log of changes, tokens, a dialog")
def no_cuts(b, house):
    world = house.world
    world.tokens = [{"id": "a", "name": "stock program of the warehouse-in-the-very-far-north", "scopes": list(mock.ALL), "expires": "2027-01-31T12:00:00.000Z"}]
    world.scan("PARCEL-1", "code_128", receipts=[{"output": "warehouse-north-east", "outcome": "undeliverable", "reason": "too long for the till's line", "time": mock.now()}])
    world.scan("PARCEL-2", "code_128", answer={"verdict": "refused", "reason": "this parcel belongs to another warehouse", "by": "stock", "late": False, "relay": False})
    # Sessions are counted where there are any: one column more.
    for day in world.status["days"]:
        day.update(sessions=1234)
    world.try_settings({"capture.viewport": "{x: 0.125, y: 0.2, width: 0.5, height: 0.55, rule: entire}", "trigger.timeout": "8s"}, "a browser at 192.0.2.7 (3f2a)")
    world.end_trial(True)
    world.try_settings({"trigger.sameSymbolTimeout": "2s"}, "the token “" + "warehouse" * 8 + "”")
    world.end_trial(False, "timeout")
    for size in ((320, 640), PHONE):
        b.look(size)
        for page in ("live", "scans", "scans/" + world.scans[0]["id"], "scans/" + world.scans[6]["id"], "outputs", "health", "account", "settings"):
            house.enter(b, page)
            b.until(f"{page} has loaded", lambda: not {"Loading…", "Asking the station…"} & set(b.text("main").splitlines()))
            b.script("for (const one of document.querySelectorAll('main details')) one.open = true")
            cut = b.script(CUT_OFF)
            check(not cut, f"cut off on {page} at {size[0]} px: {cut}")
        b.reads("entire}", ".history")
        b.retype(b.labelled("Viewport"), "{x: 0.25, y: 0.25, width: 0.5, height: 0.5, rule: entire}")
        b.click("Look and apply")
        b.reads("rule: entire}", "dialog")
        cut = b.script(CUT_OFF)
        check(not cut, f"cut off in the dialog at {size[0]} px: {cut}")
        check(b.script("return document.querySelector('dialog td').getAttribute('data-title')") == "Now", "a cell lost its title")
        b.keys(Keys.ESCAPE)
        b.click("Discard")
    b.go("health")
    b.reads("1,234", ".stacks")
    b.look(DESK)


@step("at 320 px nothing has to be scrolled sideways, on any page; and nothing moves for those who don't want that")
def narrow(b, house):
    house.enter(b)
    b.look((320, 640))
    for page in ("live", "aim", "scans", "scans/" + house.world.scans[4]["id"], "outputs", "settings", "health", "account"):
        b.go(page)
        b.until(f"{page} has loaded", lambda: "Loading…" not in b.text("main"))
        check(b.script("return document.documentElement.scrollWidth <= 320"),
            f"{page} is {b.script('return document.documentElement.scrollWidth')} px wide")
    b.look(DESK, dark=False, calm=True)
    check(b.script("return [...document.querySelectorAll('*')].every((e) => parseFloat(getComputedStyle(e).transitionDuration) === 0 && getComputedStyle(e).animationName === 'none')"), "something moves")
    b.look(DESK, dark=False)


@step("an older station, and one that says what this page doesn't know: each page shows itself, and says what isn't known")
def strangers(b, house):
    world = house.world
    world.lacks = {"machine", "days", "settings", "kinds"}
    world.keys.append(mock.key("indicators.glow", "colour", "#00ff00", "What the light looks like."))
    house.enter(b)
    b.reads("2 codes read")
    world.camera("dreaming")
    b.reads("The camera says: dreaming", ".strip")
    b.reads("The camera says: dreaming", ".overlay")
    # There may be a picture all the same.
    check(not b.script("return document.querySelector('.overlay').classList.contains('opaque')"), "the picture is hidden")
    b.go("aim")
    b.until("it has a verdict", lambda: b.text(".verdict-word"))
    b.go("scans")
    b.reads("TICKET-0042")
    b.go("outputs")
    b.reads("the station doesn't report which kinds it has")
    b.reads("Nothing waits", "[aria-label='Output stock']")
    b.go("settings")
    b.reads("This page doesn't know values of the kind “colour”: type it as in station.yaml, and the station says whether it is right.")
    b.retype(b.labelled("Glow"), "#ff0000")
    b.click("Look and apply")
    b.reads("#ff0000", "dialog .after")
    b.click("Apply")
    b.until("it is tried", lambda: any(key["value"] == "#ff0000" for key in world.keys))
    b.go("health")
    b.reads("The station doesn't report daily figures.")
    b.reads("the station doesn't say", "[aria-label='Station']")
    b.go("account")
    b.reads("Sign out everywhere")
    # Nothing at all is known of its camera, in a mode in which it rests.
    world.lacks.add("camera")
    world.status["mode"] = "pulse"
    world.torch()
    b.go("live")
    b.reads("Ready.", ".strip")
    for page in ("aim", "scans", "outputs", "settings", "health", "account"):
        b.go(page)
        b.until(f"{page} has loaded", lambda: "Loading…" not in b.text("main"))


@step("a page from before an update of the console says so, until it is loaded again")
def updated(b, house):
    house.enter(b)
    b.reads("2 codes read")
    house.world.version = "0.2.0"
    house.world.torch()
    b.reads("The console was updated: reload this page.", "#notices")
    b.until("it is spoken", lambda: "The console was updated" in b.said())
    b.go("health")
    house.world.torch()
    check(len(b.all("#updated")) == 1, "it is said more than once, or no longer")
    b.script("window.isOld = true")
    b.click("Reload")
    b.until("it is loaded again", lambda: b.script("return !window.isOld && Boolean(document.querySelector('nav.tabs'))"))
    b.until("its state is there", lambda: b.text(".strip") and "Asking" not in b.text(".strip"))
    check("was updated" not in b.text("#notices"), "the new page says that it is old")
