"""The list of what is tried, and what each gets."""

import mock
from browser import DESK, Browser

ALL = []


def step(sentence, real=False):
    """A test. `real`: it can be made against a real console, too, as it needs no world that obeys."""
    def add(function):
        ALL.append((sentence, function, real))
        return function
    return add


class House:
    """A console for one test: the mock with a world of its own, or a real one."""

    def __init__(self, browsers, url=None, cookie=None):
        self.browsers, self.server, self.world, self.cookie = browsers, None, None, cookie
        self.extra = []
        if url:
            self.address = url
        else:
            self.world = mock.World()
            mock.shelf_day(self.world)
            self.server, self.address = mock.serve(self.world)

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

    def close(self):
        for browser in self.extra:
            browser.close()
        self.close_server()


def check(condition, text):
    if not condition:
        raise AssertionError(text)
