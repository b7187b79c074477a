"""Whether outlines lie on the codes of the very picture below them, by what a screenshot shows.

The scene writes the number of each frame into the picture itself, so the truth comes from the pixels that are seen, not from what the
page says.
"""

import io
import time

import numpy
from PIL import Image, ImageDraw, ImageFilter

import scene

# Until enough outlines were seen: a limit for what hangs, not for a slow machine.
LONG = 300
READ, UNREAD = (0x19, 0xE3, 0xB1), (0xFF, 0xB0, 0x2E)
# How far beside a code an outline is looked for, in the pixels of the screen.
REACH = 12
# A diagnosis says where something is, not where its edges are. An outline of something else is much farther away.
ROUGHLY = 40
# So few pixels of an outline's colour are no outline.
SPECKS = 12


def frame_number(stage):
    """The stamp at the upper left."""
    gray = numpy.asarray(stage.convert("L"), dtype=float)
    height, width = gray.shape
    unit_x, unit_y = width / scene.WIDTH, height / scene.HEIGHT
    number = 0
    for bit in range(scene.STAMP_BITS):
        x = int((bit + 0.5) * scene.STAMP_PIXELS * unit_x)
        y = int(scene.STAMP_PIXELS * unit_y / 2)
        value = gray[y - 1:y + 2, x - 1:x + 2].mean()
        number |= (value > 128) << bit
    return number


def outlined(stage):
    """What is inside closed lines of the outline's colour, without the line's outer half; and the places one by one."""
    line = coloured(stage, READ)
    # The colour runs out at the edges of a smoothed line: one pixel more on each side closes it.
    closed = grow(line)
    outside = flood(~closed)
    area = ~outside
    # From the outer edge of the closed line back to its middle.
    for _ in range(2):
        area = shrink(area)
    return area


def coloured(stage, colour):
    """The picture itself is grey."""
    return numpy.abs(numpy.asarray(stage.convert("RGB"), dtype=int) - colour).max(axis=2) < 70


def grow(mask):
    padded = numpy.pad(mask, 1)
    result = numpy.zeros_like(mask)
    for dy in range(3):
        for dx in range(3):
            result |= padded[dy:dy + mask.shape[0], dx:dx + mask.shape[1]]
    return result


def shrink(mask):
    return ~grow(~mask)


def flood(free):
    """What of `free` is reached from the corners."""
    padded = numpy.pad(free, 1, constant_values=True)
    reached = numpy.zeros_like(padded)
    reached[0, 0] = True
    count = 0
    # Along rows, then along columns, until nothing is added: a few times, as nothing here winds much.
    while count != (count := reached.sum()):
        reached = spread(spread(reached, padded).T, padded.T).T
    return reached[1:-1, 1:-1]


def spread(reached, free):
    """Along rows: each run of free places that is reached in one of them."""
    # What isn't free ends a run, and so does a row's end.
    walls = numpy.pad(~free, ((0, 0), (0, 1)), constant_values=True)
    runs = numpy.cumsum(walls).reshape(walls.shape)[:, :-1]
    return (numpy.bincount(runs[reached], minlength=runs[-1, -1] + 1) > 0)[runs] & free


def drawn(corners, size):
    image = Image.new("1", size)
    ImageDraw.Draw(image).polygon([(x * size[0], y * size[1]) for x, y in corners], fill=1)
    return numpy.asarray(image)


def without_words(b):
    """From now on this page paints outlines alone: its texts have their colours, and would hide the number of the frame."""
    b.script("for (const name of ['fillText', 'roundRect']) CanvasRenderingContext2D.prototype[name] = () => {}")


def around(truth, by):
    """The place of a code and what lies near it, and where that is, as only there is it worth a filter's time."""
    rows, columns = (numpy.flatnonzero(truth.any(axis=axis)) for axis in (1, 0))
    part = (slice(max(0, rows[0] - by), rows[-1] + by + 1), slice(max(0, columns[0] - by), columns[-1] + by + 1))
    return numpy.asarray(Image.fromarray((truth[part] * 255).astype("uint8")).filter(ImageFilter.MaxFilter(2 * by + 1))) > 0, part


def look(picture, place, world_scene, fits=True):
    """A screenshot of a scene: the frame's number; of each readable code that has an outline how well it fits, the intersection over the union; pixels
    of outlines on what isn't read; and pixels of outlines that lie on nothing."""
    left, top, width, height = place
    stage = Image.open(io.BytesIO(picture)).crop((round(left), round(top), round(left + width), round(top + height)))
    number = frame_number(stage)
    # It takes its time.
    area = outlined(stage) if fits else numpy.zeros((stage.height, stage.width), dtype=bool)
    found, astray, candidates = [], coloured(stage, READ), coloured(stage, UNREAD)
    seen = candidates.sum()
    for item, corners in world_scene.truth(number):
        truth = drawn(corners, stage.size)
        if item.code:
            near, part = around(truth, REACH)
            astray[part] &= ~near
            # Only what lies around this code: the other outline isn't its fault. No outline at all is no wrong one.
            mine = area[part] & near
            if mine.any():
                found.append((mine & truth[part]).sum() / (mine | truth[part]).sum())
        else:
            near, part = around(truth, ROUGHLY)
            candidates[part] &= ~near
    return number, found, seen - candidates.sum(), astray.sum() + candidates.sum()


def overlaps(picture, place, world_scene):
    """The same, where no outline may lie beside all codes."""
    number, found, _, astray = look(picture, place, world_scene)
    if astray > SPECKS:
        raise AssertionError(f"frame {number} has an outline beside all of its codes: {astray} pixels")
    return number, found


def gather(b, world_scene, wanted):
    """Looks at pictures of a moving scene until that many outlines were seen: how well they fit, the worst first."""
    without_words(b)
    fits, last, frames = [], None, 0
    end = time.monotonic() + LONG
    while len(fits) < wanted and time.monotonic() < end:
        number, found = overlaps(b.picture(), b.place(b.one(".stage")), world_scene)
        # The same again tells nothing new; in a scene that begins again it is another frame by then.
        if number != last:
            last = number
            frames += 1
            fits += found
    if len(fits) < wanted:
        raise AssertionError(f"only {len(fits)} outlines were seen, in {frames} frames")
    fits.sort()
    print(f"    intersection over union of {len(fits)} outlines in {frames} frames: least {fits[0]:.3f}, median {fits[len(fits) // 2]:.3f}",
        flush=True)
    return fits


def gather_candidates(b, world_scene, wanted):
    """Looks at pictures of a scene with a label that leaps until its outline was seen in enough frames at each place where it stays, and never where
    it was before."""
    without_words(b)
    seen, last, frames = [0] * len(scene.LEAPS), None, 0
    end = time.monotonic() + LONG
    while min(seen[0], seen[-1]) < wanted and time.monotonic() < end:
        number, _, candidates, astray = look(b.picture(), b.place(b.one(".stage")), world_scene, fits=False)
        if number == last:
            continue
        last = number
        frames += 1
        if astray > SPECKS:
            raise AssertionError(f"frame {number} has an outline beside all of its codes: {astray} pixels")
        seen[scene.leap(number / 10 * world_scene.speed)] += int(candidates > SPECKS)
    print(f"    outlined in {seen} of {frames} frames, by its places", flush=True)
    if min(seen[0], seen[-1]) < wanted:
        raise AssertionError("it was outlined too seldom")
