"""How long a frame is on its way: from the station that had it to the picture that Chromium shows. The walk says it, and `make bench` holds it against
its limit."""

import os
import time

from scene import Scene
from steps import House, check

# Milliseconds, on loopback.
LIMIT = 150
BATCH = 20
# A frame counts once the browser has drawn a frame of its own with it: what is posted while one is prepared runs after it.
WATCH = """
window.told = [];
new MutationObserver(() => {
  const delivered = Number(document.querySelector('.stage').dataset.delivered);
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.told.push([Date.now(), delivered]);
    port2.postMessage(0);
  });
}).observe(document.querySelector('.stage'), {attributes: true, attributeFilter: ['data-delivered']});
"""


def times(b, count):
    """Milliseconds of as many pictures on the page Live, the shortest first."""
    b.until("a picture is there", lambda: b.script("return document.querySelector('.stage').dataset.seq"))
    b.script(WATCH)
    # In batches, as there is a limit for what hangs, and none for how long many pictures take.
    for wanted in range(min(BATCH, count), count + BATCH, BATCH):
        told = b.until(f"{wanted} frames", lambda: b.script("return window.told.length >= arguments[0] ? window.told : null", min(wanted, count)))
    # The station's clock is the kernel's; the browser's is the wall's.
    offset = min((time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)) * 1000 for _ in range(5))
    return sorted(shown - offset - delivered for shown, delivered in told[:count])


def share(took, part):
    """The time within which this part of them was shown."""
    return took[max(0, -(-len(took) * part // 100) - 1)]


def said(took):
    return f"median {share(took, 50):.0f} ms, 95 % within {share(took, 95):.0f} ms, over {len(took)} pictures"


def figures(browser, build, count):
    """With a scene that stands still and one that moves; whether the limit holds."""
    version = browser.driver.capabilities["browserVersion"]
    print(f"frame to browser: {time.strftime('%Y-%m-%d %H:%M')}, {build.name} build, Chromium {version} on the same {os.cpu_count()} cores, "
          f"load {os.getloadavg()[0]:.1f} before it began", flush=True)
    house = House(browser, build=build)
    missed = []
    try:
        for name, scene, numbers in (("still", house.scene, (0,)), ("moving", Scene(stamped=True, speed=2.5, unread=False), range(0, 96, 4))):
            house.begin(scene, numbers)
            house.enter(browser)
            took = times(browser, count)
            # Two clocks are compared: what comes before it was sent says that one of them was set meanwhile.
            check(took[0] > -5, f"a picture was shown {-took[0]:.0f} ms before the station had it: was the clock set?")
            print(f"{name} scene: {said(took)} (limit {LIMIT}, for 95 %)", flush=True)
            if share(took, 95) > LIMIT:
                missed.append(f"{name} scene")
    finally:
        house.close()
    if missed:
        print(f"frame to browser: missed: {', '.join(missed)}", flush=True)
    return not missed
