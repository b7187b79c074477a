"""Walks through the console's pages as people do, in Chromium.

    deploy/console/walk                          all of it, against the mock
    deploy/console/walk --only torch             what has "torch" in its name
    deploy/console/walk --url URL --key KEY      what makes sense against a real console
    deploy/console/walk --pictures docs/console  the pictures for the documentation
"""

import argparse
import pathlib
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser  # noqa: E402
from steps import ALL, House, check  # noqa: E402
import steps_access  # noqa: E402,F401
import steps_live  # noqa: E402,F401
import steps_pages  # noqa: E402,F401
import steps_axe  # noqa: E402,F401
import pictures  # noqa: E402


def signed_in(browser, url, key):
    """Uses the key once; its session serves all tests."""
    browser.driver.get(f"{url}/#key={key}")
    browser.one("nav.tabs")
    found = [cookie for cookie in browser.driver.get_cookies() if cookie.get("httpOnly")]
    check(found, "the console set no cookie that scripts can't read")
    return {name: found[0][name] for name in ("name", "value", "path", "httpOnly", "secure", "sameSite") if name in found[0]}


def main():
    parser = argparse.ArgumentParser(prog="deploy/console/walk", description="Walks through the console's pages in Chromium.")
    parser.add_argument("--only", default="", help="tests whose name or sentence has this")
    parser.add_argument("--url", help="a real console, such as http://127.0.0.1:8080")
    parser.add_argument("--key", help="the key of a link that works once")
    parser.add_argument("--pictures", metavar="FOLDER", help="makes the documentation's pictures instead")
    arguments = parser.parse_args()
    if bool(arguments.url) != bool(arguments.key):
        parser.error("--url and --key go together: `scanstation console link` prints both")
    browser = Browser()
    passed = failed = 0
    try:
        if arguments.pictures:
            pictures.make(browser, pathlib.Path(arguments.pictures))
            return 0
        url = arguments.url.rstrip("/") if arguments.url else None
        cookie = signed_in(browser, url, arguments.key) if url else None
        for sentence, function, real in ALL:
            if bool(url) != real or arguments.only not in f"{function.__name__} {sentence}":
                continue
            start = time.monotonic()
            house = House(browser, url, cookie)
            try:
                function(browser, house)
                complaints = browser.logs()
                check(not complaints, f"the browser complained: {complaints[:3]}")
                passed += 1
                print(f"ok    {sentence} ({time.monotonic() - start:.1f} s)", flush=True)
            except Exception as problem:
                failed += 1
                print(f"FAIL  {sentence}\n{''.join(traceback.format_exception(problem, limit=-4))}", flush=True)
                browser.logs()
                # What one test has left must not spoil the next.
                browser.close()
                browser = Browser()
            finally:
                house.close()
    finally:
        browser.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
