"""The list of what is tried, and what each gets."""

import mock
from browser import DESK, Browser
from scene import Scene
from station import Desk, Station

MOCK, ANY, STATION = "mock", "any", "station"
ALL = []


def step(sentence, real=False, station=False):
    """A test. `real`: it can be made against a real console, too, as it needs no world that obeys. `station`: only against a station that is
    the walk's own, which it may kill."""
    def add(function):
        ALL.append((sentence, function, STATION if station else ANY if real else MOCK))
        return function
    return add


def signed_in(browser, url, key):
    """Uses the key once; its session serves all windows."""
    browser.cdp("Network.clearBrowserCookies")
    browser.driver.get("about:blank")
    browser.driver.get(f"{url}/#key={key}")
    browser.one("nav.tabs")
    found = [cookie for cookie in browser.driver.get_cookies() if cookie.get("httpOnly")]
    check(found, "the console set no cookie that scripts can't read")
    return {name: found[0][name] for name in ("name", "value", "path", "httpOnly", "secure", "sameSite") if name in found[0]}


class House:
    """A console for one test: the mock with a world of its own, a real one, or a real one with a station of its own."""

    def __init__(self, browsers, url=None, cookie=None, build=None):
        self.browsers, self.server, self.world, self.cookie, self.build = browsers, None, None, cookie, build
        self.station = self.scene = None
        self.extra = []
        if build:
            self.begin(Scene(stamped=True, speed=0, unread=False))
        elif url:
            self.address = url
        else:
            self.world = mock.World()
            mock.shelf_day(self.world)
            self.server, self.address = mock.serve(self.world)

    def begin(self, scene, numbers=(0,), signs_in=True, **fields):
        """A real station that sees these frames of a scene, one after the other, and a console with a session for this browser."""
        self.close_station()
        self.scene = scene
        self.station = Station(self.build, [scene.picture(number) for number in numbers], **fields)
        self.address = self.station.url
        self.cookie = signed_in(self.browsers, self.address, self.station.key) if signs_in else None
        return self.station

    def make_run(self):
        """What `make run` starts, with a session for this browser."""
        self.close_station()
        self.scene, self.station = None, Desk(self.build)
        self.address = self.station.url
        self.cookie = signed_in(self.browsers, self.address, self.station.key)

    def shows(self, **labels):
        """Other labels before the station's camera, at the same places."""
        self.scene = Scene(stamped=True, speed=0, unread=False, **labels)
        self.station.shows(self.scene.picture(0))

    def again(self, **fields):
        """Another world, for a test that needs a special one."""
        self.close_server()
        self.world = mock.World(**fields)
        mock.shelf_day(self.world)
        self.server, self.address = mock.serve(self.world)
        return self.world

    def enter(self, browser, page="live"):
        if self.world is not None:
            return browser.enter(self.address, self.world, page)
        browser.driver.get("about:blank")
        browser.driver.get(self.address + "/assets/favicon.svg")
        browser.driver.add_cookie(self.cookie)
        browser.driver.get(f"{self.address}/#/{page}")
        browser.one("nav.tabs")
        browser.go(page)

    def another(self, size=DESK):
        browser = Browser(size)
        self.extra.append(browser)
        return browser

    def close_server(self):
        if self.server:
            self.world.dead = True
            self.server.shutdown()
            self.server.server_close()

    def close_station(self):
        if self.station:
            self.station.close()
            self.station = None

    def close(self):
        for browser in self.extra:
            browser.close()
        self.close_server()
        self.close_station()


def check(condition, text):
    if not condition:
        raise AssertionError(text)
