"""Whether outlines lie on the codes of the very picture below them, by what a screenshot shows.

The scene writes the number of each frame into the picture itself, so the truth comes from the pixels that are seen, not from what the
page says.
"""

import io

import numpy
from PIL import Image, ImageDraw, ImageFilter

import scene

READ = (0x19, 0xE3, 0xB1)
LINE = 3


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
    pixels = numpy.asarray(stage.convert("RGB"), dtype=int)
    line = (numpy.abs(pixels - READ).max(axis=2) < 70)
    # The colour runs out at the edges of a smoothed line: one pixel more on each side closes it.
    closed = grow(line)
    outside = flood(~closed)
    area = ~outside
    # From the outer edge of the closed line back to its middle.
    for _ in range(2):
        area = shrink(area)
    return area


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
    image = Image.fromarray((free * 255).astype("uint8"))
    padded = Image.new("L", (image.width + 2, image.height + 2), 255)
    padded.paste(image, (1, 1))
    ImageDraw.floodfill(padded, (0, 0), 128)
    return numpy.asarray(padded)[1:-1, 1:-1] == 128


def drawn(corners, size):
    image = Image.new("1", size)
    ImageDraw.Draw(image).polygon([(x * size[0], y * size[1]) for x, y in corners], fill=1)
    return numpy.asarray(image)


def overlaps(picture, place, world_scene):
    """Of each readable code in a screenshot, how well its outline fits: the intersection over the union."""
    left, top, width, height = place
    stage = Image.open(io.BytesIO(picture)).crop((round(left), round(top), round(left + width), round(top + height)))
    number = frame_number(stage)
    area = outlined(stage)
    found = []
    for item, corners in world_scene.truth(number):
        if not item.code:
            continue
        truth = drawn(corners, stage.size)
        # Only what lies around this code: the other outline isn't its fault.
        around = numpy.asarray(Image.fromarray((truth * 255).astype("uint8")).filter(ImageFilter.MaxFilter(25))) > 0
        mine = area & around
        # No outline at all is no wrong one.
        if mine.sum() > truth.sum() / 4:
            found.append((mine & truth).sum() / (mine | truth).sum())
    return number, found
