"""Chromium without a screen, as a phone or a desk, and what a person does with it."""

import base64
import importlib.util
import json
import pathlib
import time

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

# The package is only looked into: importing it would want Playwright.
AXE = (pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin).parent / "axe.min.js").read_text()
# A limit for what hangs, not for a slow machine.
PATIENCE = 60
PHONE, TABLET, DESK = (360, 740), (768, 1024), (1440, 900)


class Browser:
    def __init__(self, size=DESK, dark=False, touch=False):
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
            "--disable-dev-shm-usage",
                         "--no-first-run", "--disable-background-networking", "--disable-component-update", "--mute-audio", "--autoplay-policy=no-user-gesture-required"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(120)
        self.look(size, dark, touch)

    def close(self):
        self.driver.quit()

    def cdp(self, command, **fields):
        return self.driver.execute_cdp_cmd(command, fields)

    def look(self, size=None, dark=None, touch=None, calm=False):
        """What the browser is: its size, its colours, whether fingers touch it."""
        if size:
            self.size = size
            self.cdp("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=size[0] < 500)
        if touch is not None:
            self.cdp("Emulation.setTouchEmulationEnabled", enabled=touch)
        if dark is not None:
            self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                                                             {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"}])

    # Looking

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def until(self, what, question):
        """Waits until a question has an answer, and gives that."""
        end = time.monotonic() + PATIENCE
        pause = 0.02
        last = None
        while True:
            try:
                last = question()
                if last:
                    return last
            except (StaleElementReferenceException, JavascriptException) as problem:
                last = problem
            if time.monotonic() > end:
                raise AssertionError(f"not within {PATIENCE} s: {what} (last: {last!r})\n--- the page says ---\n{self.text()[:1500]}")
            # Asked again and again: WebDriver only answers, and what is waited for may be in the page, its layout, the mock or a station.
            time.sleep(pause)

    def text(self, selector="body"):
        return self.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.until(f"there is {selector}", lambda: next((found for found in self.all(selector) if found.is_displayed()), None))

    def reads(self, text, selector="body"):
        self.until(f"{selector} reads {text!r}", lambda: text in self.text(selector))

    def no_longer_reads(self, text, selector="body"):
        self.until(f"{selector} no longer reads {text!r}", lambda: text not in self.text(selector))

    def button(self, name):
        """A button or link by its words."""
        return self.until(f"there is a button {name!r}", lambda: self.script(
            "return [...document.querySelectorAll('button, a, summary')].find((b) => b.offsetParent !== null && (b.innerText.trim() === arguments[0] || b.getAttribute('aria-label') === arguments[0])) ?? null", name))

    def labelled(self, label):
        """A field by its label."""
        return self.until(f"there is a field {label!r}", lambda: self.script(
            "const l = [...document.querySelectorAll('label')].find((l) => l.innerText.trim().startsWith(arguments[0]) && l.offsetParent !== null); return l ? document.getElementById(l.htmlFor) : null", label))

    def said(self):
        return self.script("return document.getElementById('said').textContent + ' ' + document.getElementById('said-now').textContent")

    def picture(self):
        return base64.b64decode(self.cdp("Page.captureScreenshot", format="png")["data"])

    # Doing

    def go(self, page):
        self.script("location.hash = '#/' + arguments[0]", page)
        self.until(f"page {page}",
            lambda: self.script("return document.querySelector('main')?.classList.contains('page-' + arguments[0]) && document.querySelector('main h1') !== null", page.split("/")[0].split("?")[0]))

    def enter(self, address, world=None, page="live", key=None):
        """Signs in by a link that works once."""
        if world is not None:
            key = f"key-{time.monotonic_ns()}"
            world.oneTimeKeys.add(key)
        self.driver.get("about:blank")
        self.driver.get(f"{address}/#key={key}")
        self.one("nav.tabs")
        self.go(page)

    def hold_beats(self):
        """Pages that are loaded from now on do what they do every ten seconds only with `beat`: nobody waits for it. Gives what ends that."""
        script = self.cdp("Page.addScriptToEvaluateOnNewDocument", source="""window.beats = []; const every = window.setInterval;
            window.setInterval = (what, ms, ...more) => (ms === 10000 ? window.beats.push(what) : every(what, ms, ...more))""")
        return lambda: self.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])

    def hold_commands(self):
        """From now on the page's commands go out only when `let_go` is called, if `window.holds` is true; how many wait is in `window.held`.
        What it would do in a minute is in `window.inAMinute`."""
        self.script("""window.holds = false; window.held = []; window.inAMinute = new Map();
            const [ask, later, never] = [window.fetch, window.setTimeout, window.clearTimeout];
            window.fetch = async (url, options) => {
              if (window.holds && options?.method === 'POST' && url.endsWith('/commands')) await new Promise((go) => window.held.push(go));
              return ask(url, options);
            };
            window.setTimeout = (what, ms, ...more) => {
              if (ms !== 60000) return later(what, ms, ...more);
              const name = {};
              window.inAMinute.set(name, what);
              return name;
            };
            window.clearTimeout = (name) => (window.inAMinute.delete(name) || never(typeof name === 'object' ? undefined : name))""")

    def let_go(self):
        self.script("window.holds = false; window.held.splice(0).forEach((go) => go())")

    def pass_a_minute(self):
        self.script("const due = [...window.inAMinute.values()]; window.inAMinute.clear(); due.forEach((what) => what())")

    def later(self, milliseconds):
        """The page's clock goes ahead."""
        self.script("const now = performance.now.bind(performance); performance.now = () => now() + arguments[0]", milliseconds)

    def hide(self):
        """As behind another tab."""
        self.script("Object.defineProperty(document, 'hidden', {configurable: true, get: () => true}); document.dispatchEvent(new Event('visibilitychange'))")

    def unhide(self):
        self.script("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")

    def beat(self):
        self.script("window.beats.forEach((what) => what())")

    def click(self, what):
        """A mouse on the middle of something: a button by its words, or an element. People press what they have aimed at, once it may be pressed."""
        find = lambda: self.button(what) if isinstance(what, str) else what
        self.until(f"{what!r} can be pressed", lambda: self.aims(find()))
        ActionChains(self.driver).move_to_element(find()).click().perform()

    def aims(self, element):
        """Scrolls there. Whether it lies still, nothing over it, and isn't for later."""
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        before = self.middle(element)
        return self.middle(element) == before and not self.hits(element, *before) and element.get_attribute("aria-disabled") != "true"

    def hits(self, element, x, y):
        """What is pressed there instead of it; an empty text if that is it."""
        return self.script("""const [one, x, y] = arguments; const hit = document.elementFromPoint(x, y);
            return hit && (one.contains(hit) || hit.contains(one) && hit.closest('label, button, a') || hit.closest('label')?.htmlFor === one.id || hit.id && hit.id === one.htmlFor) ? '' : (hit?.outerHTML ?? 'nothing').slice(0, 120)""", element, x, y)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def retype(self, field, text):
        """As a person does: all of it is marked, and typed over."""
        self.script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].focus(); arguments[0].select()", field)
        self.keys(text or Keys.DELETE)

    def shift(self, key):
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).perform()

    def place(self, element):
        return self.script("const r = arguments[0].getBoundingClientRect(); return [r.left, r.top, r.width, r.height]", element)

    def middle(self, element):
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        left, top, width, height = self.place(element)
        return left + width / 2, top + height / 2

    def tap(self, element):
        if isinstance(element, str):
            element = self.button(element)
        x, y = self.middle(element)
        self.tap_at(x, y)

    def tap_at(self, x, y):
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def swipe(self, start, by, steps=5):
        x, y = start
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for step in range(1, steps + 1):
            self.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + by[0] * step / steps, "y": y + by[1] * step / steps}])
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def drag(self, element, by):
        ActionChains(self.driver).click_and_hold(element).move_by_offset(by[0] // 2, by[1] // 2).move_by_offset(by[0] - by[0] // 2, by[1] - by[1] // 2).release().perform()

    def focused(self):
        return self.script("const e = document.activeElement; return e.getAttribute('aria-label') || e.innerText || e.id || e.tagName")

    def logs(self):
        """What the browser complained of: refusals by the CSP and errors of scripts."""
        expected = ("status of 401", "status of 403", "status of 404", "status of 409", "status of 412", "status of 429", "status of 501",
            "status of 503", "net::ERR_", "favicon")
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE" and not any(part in entry["message"] for part in expected)]

    def axe(self):
        """Findings of axe-core: what is wrong, and what it couldn't tell."""
        if not self.script("return typeof window.axe === 'object'"):
            # As the debugger does, past the page's CSP.
            self.cdp("Runtime.evaluate", expression=AXE)
        result = self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            axe.run(document, {rules: {'target-size': {enabled: true}}, resultTypes: ['violations', 'incomplete']}).then((r) => done({
              violations: r.violations.map((v) => [v.id, v.help, v.nodes.map((n) => n.html.slice(0, 160) + ' :: ' + n.failureSummary)]),
              incomplete: r.incomplete.map((v) => [v.id, v.nodes.length, [...new Set(v.nodes.map((n) => n.any.concat(n.all, n.none).map((c) => c.message).join(' ')))].slice(0, 3), v.nodes.slice(0, 3).map((n) => n.html.slice(0, 100))])}))
            .catch((e) => done({error: String(e)}))""")
        if "error" in result:
            raise AssertionError(f"axe-core failed: {result['error']}")
        return result


def dumps(value):
    return json.dumps(value, indent=1, ensure_ascii=False)
