"""Walks through the console's pages as people do, in Chromium.

    deploy/console/walk                          all of it: against a mock, then against the station and the console of .build
    deploy/console/walk --mock                   against the mock alone, which needs no build
    deploy/console/walk --build .build/release   against the station and the console of a build alone, each step with its own
    deploy/console/walk --only torch             what has "torch" in its name
    deploy/console/walk --url URL --key KEY      what makes sense against a console that runs already
    deploy/console/walk --pictures docs/console  the pictures for the documentation
    deploy/console/walk --frames 200             no steps: how long that many frames take to the browser, against their limit (`make bench`)
"""

import argparse
import pathlib
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser  # noqa: E402
from steps import ALL, ANY, MOCK, STATION, House, check, signed_in  # noqa: E402
import steps_access  # noqa: E402,F401
import steps_live  # noqa: E402,F401
import steps_pages  # noqa: E402,F401
import steps_touch  # noqa: E402,F401
import steps_axe  # noqa: E402,F401
import steps_station  # noqa: E402,F401
import steps_run  # noqa: E402,F401
import steps_first  # noqa: E402,F401
import frames  # noqa: E402
import pictures  # noqa: E402
import station  # noqa: E402


class Walk:
    """Steps one after the other, in one browser as long as they pass."""

    def __init__(self, only):
        self.only = only
        self.passed = self.failed = 0
        self.browser = Browser()

    def go(self, kinds, build=None, url=None, cookie=None):
        for sentence, function, kind in ALL:
            if kind in kinds and self.only in f"{function.__name__} {sentence}":
                self.take(sentence, function, build=build, url=url, cookie=cookie)

    def take(self, sentence, function, **where):
        start = time.monotonic()
        house = None
        try:
            house = House(self.browser, **where)
            function(self.browser, house)
            complaints = self.browser.logs()
            check(not complaints, f"the browser complained: {complaints[:3]}")
            self.passed += 1
            print(f"ok    {sentence} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as problem:
            self.failed += 1
            print(f"FAIL  {sentence}\n{''.join(traceback.format_exception(problem, limit=-4))}", flush=True)
            if house and house.station:
                print(house.station.tail(), flush=True)
            # What one test has left must not spoil the next.
            self.browser.close()
            self.browser = Browser()
        finally:
            if house:
                house.close()


def main():
    parser = argparse.ArgumentParser(prog="deploy/console/walk", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="tests whose name or sentence has this")
    parser.add_argument("--mock", action="store_true", help="no real station and console")
    parser.add_argument("--build", metavar="FOLDER", type=pathlib.Path, help="no mock: the station and the console of this build")
    parser.add_argument("--url", help="a console that runs already, such as http://127.0.0.1:8080")
    parser.add_argument("--key", help="the key of a link that works once")
    parser.add_argument("--pictures", metavar="FOLDER", help="makes the documentation's pictures instead")
    parser.add_argument("--frames", metavar="N", type=int, help="measures frames to the browser instead, with the station and the console of --build")
    arguments = parser.parse_args()
    if bool(arguments.url) != bool(arguments.key):
        parser.error("--url and --key go together: `scanstation console link` prints both")
    if sum(map(bool, (arguments.mock, arguments.build, arguments.url, arguments.pictures))) > 1:
        parser.error("--mock, --build, --url and --pictures exclude each other")
    if arguments.frames is not None and (arguments.frames < 1 or arguments.mock or arguments.url or arguments.pictures):
        parser.error("--frames N takes at least one frame, and only --build beside it: it is a figure of the real station and console")
    # Before the first step: nobody waits for minutes to hear that something must be built.
    build = None
    if arguments.build:
        build = arguments.build.resolve()
        if (missing := station.missing(build)):
            parser.error(f"{build} lacks {', '.join(missing)}: run `make build`, or `make build CONFIG=debug`")
    elif not (arguments.mock or arguments.url or arguments.pictures):
        build = station.find_build()
        if not build:
            parser.error("there is no station to walk with: .build/release and .build/debug each lack one of "
                f"{', '.join(station.PROGRAMS)}. Run `make build`, or `make build CONFIG=debug`; --mock does without")
    walk = Walk(arguments.only)
    try:
        if arguments.pictures:
            pictures.make(walk.browser, pathlib.Path(arguments.pictures))
            return 0
        if arguments.frames:
            return 0 if frames.figures(walk.browser, build, arguments.frames) else 1
        if arguments.url:
            url = arguments.url.rstrip("/")
            walk.go([ANY], url=url, cookie=signed_in(walk.browser, url, arguments.key))
        elif not arguments.build:
            walk.go([MOCK])
        if build:
            # Programs that are older than what is being looked at would explain much.
            built = time.strftime("%Y-%m-%d %H:%M", time.localtime((build / "scanstation-console").stat().st_mtime))
            print(f"the real station and console of {build}, built {built}:", flush=True)
            start = time.monotonic()
            walk.go([ANY, STATION], build=build)
            print(f"    that took {time.monotonic() - start:.0f} s", flush=True)
    finally:
        walk.browser.close()
    print(f"{walk.passed} passed, {walk.failed} failed")
    return 1 if walk.failed or not walk.passed else 0


if __name__ == "__main__":
    sys.exit(main())
