"""A shelf with labels that move, and what is known of them: the picture of a frame and the corners of each code in it."""

import io
import math
import struct

import segno
from PIL import Image, ImageDraw, ImageFilter, ImageFont

WIDTH, HEIGHT = 640, 360
# Frames are drawn larger and made smaller: a camera has no jagged edges.
SCALE = 2
STAMP_BITS, STAMP_PIXELS = 16, 8

EAN_LEFT = {
    "L": ["0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011"],
    "G": ["0100111", "0110011", "0011011", "0100001", "0011101", "0111001", "0000101", "0010001", "0001001", "0010111"],
}
EAN_PARITY = ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"]


def font(size, bold=False):
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    try:
        return ImageFont.truetype("/usr/share/fonts/truetype/dejavu/" + name, size)
    except OSError:
        return ImageFont.load_default()


def ean_modules(digits):
    """The 95 modules of an EAN-13, true for a bar."""
    left = "".join(EAN_LEFT[parity][int(digit)] for parity, digit in zip(EAN_PARITY[int(digits[0])], digits[1:7]))
    right = "".join("".join("10"[int(bit)] for bit in EAN_LEFT["L"][int(digit)]) for digit in digits[7:])
    return [bit == "1" for bit in "101" + left + "01010" + right + "101"]


def ean(twelve):
    """With its check digit."""
    return f"{twelve}{-sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(twelve)) % 10}"


def ean_label(digits, title):
    """A label with an EAN-13, and where the code is on it, in its pixels."""
    module, bars_height = 4, 150
    label = Image.new("L", (95 * module + 140, 270), 238)
    draw = ImageDraw.Draw(label)
    draw.text((24, 14), title, fill=40, font=font(30, bold=True))
    x0, y0 = 70, 66
    for index, is_bar in enumerate(ean_modules(digits)):
        if is_bar:
            draw.rectangle([x0 + index * module, y0, x0 + (index + 1) * module - 1, y0 + bars_height], fill=25)
    draw.text((x0 + 40, y0 + bars_height + 8), digits, fill=40, font=font(30))
    return label, [(x0, y0), (x0 + 95 * module, y0), (x0 + 95 * module, y0 + bars_height), (x0, y0 + bars_height)]


def qr_label(text, title):
    module = 8
    rows = [list(row) for row in segno.make(text, error="m", micro=False).matrix]
    side = len(rows) * module
    label = Image.new("L", (side + 90, side + 120), 238)
    draw = ImageDraw.Draw(label)
    x0, y0 = 45, 45
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if dark:
                draw.rectangle([x0 + x * module, y0 + y * module, x0 + (x + 1) * module - 1, y0 + (y + 1) * module - 1], fill=25)
    draw.text((x0, y0 + side + 22), title, fill=40, font=font(28, bold=True))
    return label, [(x0, y0), (x0 + side, y0), (x0 + side, y0 + side), (x0, y0 + side)]


class Item:
    """A label, where it is at a time, and what the station would say of it."""

    def __init__(self, label, corners, size, place, code=None, unread=None, blur=0):
        self.label = label.filter(ImageFilter.GaussianBlur(blur / size)) if blur else label
        self.corners, self.size, self.place = corners, size, place
        self.code, self.unread = code, unread

    def at(self, seconds):
        """Centre and angle, and from those the matrix from label pixels to picture pixels."""
        x, y, angle = self.place(seconds)
        size = self.size
        cos, sin = math.cos(angle) * size, math.sin(angle) * size
        cx, cy = self.label.width / 2, self.label.height / 2
        return lambda px, py: (x + cos * (px - cx) - sin * (py - cy), y + sin * (px - cx) + cos * (py - cy)), (x, y, angle)


def sticker(text):
    """A QR code on the shelf's left."""
    label, corners = qr_label(text, text)
    return Item(label, corners, 0.40, lambda t: (110, 150, -0.06), code={"symbology": "qr_code", "text": text})


def phone(screenshot):
    """A phone that somebody holds before the camera, with this picture (PNG) on its screen: as high as the camera sees, and not quite straight."""
    screen = Image.open(io.BytesIO(screenshot)).convert("L")
    frame = 16
    body = Image.new("L", (screen.width + 2 * frame, screen.height + 2 * frame), 20)
    body.paste(screen, (frame, frame))
    return Item(body, [], HEIGHT * 0.9 / body.height, lambda t: (420, HEIGHT / 2, 0.07))


# A label that leaps: from which second of ten on it is where. Its second place is told first when it has just left that one.
LEAPS = ((0, (110, 286)), (4.4, (560, 286)), (5.7, (330, 286)))
LEAP_FRAMES = 100
# As a station does: each fifth frame is looked at for what isn't read, and its answer takes three frames' time.
LOOKS_EVERY, LOOK_TAKES = 5, 3


def leap(seconds):
    """The number of the place where it is."""
    return max(number for number, (since, _) in enumerate(LEAPS) if seconds % 10 >= since)


class Scene:
    def __init__(self, stamped=False, speed=1.0, product="4006381333931", link="https://example.com/shelf/12?item=417", unread=True, leaps=False):
        self.stamped, self.speed = stamped, speed
        # Every how many frames one is read.
        self.readsEvery = 1
        # As a station does: kinds of codes have their turns, and a frame shows the codes of its own turn.
        self.takesTurns = False
        self.looksNowAndThen = leaps
        self.isDark = False
        self.background = self.shelf()
        bars, bars_corners = ean_label(product, "PENCIL HB  12 PCS")
        qr, qr_corners = qr_label(link, "BIN 12 / 417")
        # One that leaps is sharp, but its check digit is wrong: a station says exactly where that is.
        faint, faint_corners = ean_label("9780201379625" if leaps else "9780201379624", "SHELF C-07")
        self.items = [
            Item(bars, bars_corners, 0.40, lambda t: (200 + 60 * math.sin(t * 0.9), 118 + 16 * math.sin(t * 0.63), 0.10 * math.sin(t * 0.5)),
                 code={"symbology": "ean_13", "text": product}),
            Item(qr, qr_corners, 0.40, lambda t: (468 + 38 * math.sin(t * 0.7 + 1), 142 + 22 * math.sin(t * 0.81), 0.18 * math.sin(t * 0.6 + 2)),
                 code={"symbology": "qr_code", "text": link}),
            # One that leaps goes farther than a station takes for a movement.
            Item(faint, faint_corners, 0.24, (lambda t: (*LEAPS[leap(t)][1], -0.05)) if leaps
                else (lambda t: (250 + 8 * math.sin(t * 0.4), 286, -0.05)),
                 unread={"kind": "linear", "cause": "tooSmall", "figure": 1.1, "unit": "pixelsPerModule", "modulePixels": 1.1,
                         "text": "bars: too small (1.1 pixels a module)", "advice": "move it closer, or use a higher capture.resolution"}, blur=0 if leaps else 1.6),
        ][:3 if unread else 2]

    @staticmethod
    def of(*items):
        """A shelf with other labels than these; without any: an empty one."""
        scene = Scene(speed=0)
        scene.items = list(items)
        return scene

    def shelf(self):
        picture = Image.new("L", (WIDTH * SCALE, HEIGHT * SCALE))
        draw = ImageDraw.Draw(picture)
        for y in range(picture.height):
            draw.line([(0, y), (picture.width, y)], fill=118 - int(38 * y / picture.height))
        for x, y, w, h, tone in [(30, 30, 345, 176, 142), (385, 30, 225, 206, 126), (90, 244, 330, 100, 134), (440, 254, 170, 92, 108)]:
            draw.rounded_rectangle([x * SCALE, y * SCALE, (x + w) * SCALE, (y + h) * SCALE], 6 * SCALE, fill=tone)
            draw.line([(x * SCALE, (y + 10) * SCALE), ((x + w) * SCALE, (y + 10) * SCALE)], fill=tone - 18, width=2 * SCALE)
        draw.rectangle([0, 214 * SCALE, picture.width, 228 * SCALE], fill=64)
        draw.rectangle([0, 346 * SCALE, picture.width, 360 * SCALE], fill=58)
        return picture.filter(ImageFilter.GaussianBlur(1.5))

    def truth(self, seq):
        """Of each item its corners, 0 to 1."""
        seconds = seq / 10 * self.speed
        found = []
        for item in self.items:
            to, _ = item.at(seconds)
            found.append((item, [[round(x / WIDTH, 5), round(y / HEIGHT, 5)] for x, y in (to(*corner) for corner in item.corners)]))
        return found

    def picture(self, seq):
        """As a camera of twice the size sees it."""
        seconds = seq / 10 * self.speed
        picture = self.background.copy()
        for item in self.items:
            _, (x, y, angle) = item.at(seconds)
            size = item.size * SCALE
            label = item.label
            # The inverse: from picture pixels to label pixels; only of the square that the label can reach.
            cos, sin = math.cos(angle) / size, math.sin(angle) / size
            cx, cy = label.width / 2, label.height / 2
            half = math.ceil(math.hypot(label.width, label.height) * size / 2)
            left, top = math.floor(x * SCALE) - half, math.floor(y * SCALE) - half
            X, Y = x * SCALE - left, y * SCALE - top
            matrix = (cos, sin, cx - cos * X - sin * Y, -sin, cos, cy + sin * X - cos * Y)
            moved = label.transform((2 * half, 2 * half), Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR)
            mask = Image.new("L", label.size, 255).transform(moved.size, Image.Transform.AFFINE, matrix)
            picture.paste(moved, (left, top), mask)
        if self.isDark:
            picture = picture.point(lambda value: value // 6)
        if self.stamped:
            draw = ImageDraw.Draw(picture)
            side = STAMP_PIXELS * SCALE
            for bit in range(STAMP_BITS):
                on = seq >> bit & 1
                draw.rectangle([bit * side, 0, (bit + 1) * side - 1, side - 1], fill=255 if on else 0)
        return picture

    def told(self, seq):
        """Where a station says that the label is that leaps, and in which frame it was there: where three looks have found it, and one didn't since."""
        look = (seq - LOOK_TAKES) // LOOKS_EVERY * LOOKS_EVERY
        last, before, first = (self.truth(look - LOOKS_EVERY * number)[-1][1] for number in range(3))
        return (last, look) if last == before == first else (before, look - LOOKS_EVERY) if last != before else None

    def jpeg(self, seq):
        picture = self.picture(seq).resize((WIDTH, HEIGHT), Image.Resampling.BOX)
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=82)
        return out.getvalue()

    def preview(self, seq, viewport):
        """The body of /preview/next."""
        codes, unread = [], []
        for item, corners in self.truth(seq):
            middle = [sum(corner[axis] for corner in corners) / 4 for axis in (0, 1)]
            inside = (viewport["x"] <= middle[0] <= viewport["x"] + viewport["width"] and viewport["y"] <= middle[1] <= viewport["y"] + viewport["height"])
            if item.code and inside and not self.isDark:
                codes.append({"corners": corners, "withheld": False, "scan": None, "waits": False, **item.code})
            elif item.unread and inside:
                unread.append({"corners": corners, "exposedMs": seq * 100, **item.unread})
        if self.looksNowAndThen:
            unread = [{**code, "corners": found[0], "exposedMs": found[1] * 100} for code in unread if (found := self.told(seq))]
        isRead = seq % self.readsEvery == 0
        if not isRead:
            codes = []
        elif self.takesTurns:
            codes = codes[seq % len(codes):][:1] if codes else []
        moves = 3.2 * self.speed * abs(math.cos(seq / 10 * self.speed))
        meta = {
            "seq": seq, "exposedMs": seq * 100, "read": isRead, "width": WIDTH, "height": HEIGHT, "frame": {"width": 1280,
                "height": 720}, "viewport": viewport, "codes": codes, "unread": unread,
            "sharpness": round(0.66 + 0.04 * math.sin(seq / 15),
                3), "modulePixels": 3.2 if codes else None, "movement": round(moves * 0.5, 2),
            "light": {"mean": 18 if self.isDark else 112, "dark": 0.7 if self.isDark else 0.04, "bright": 0.01, "histogram": [0] * 32},
            "exposureMs": 5.0, "gain": 2.0, "lux": None, "lens": None,
        }
        return meta, self.jpeg(seq)


def packed(meta, jpeg):
    import json
    head = json.dumps(meta).encode()
    return struct.pack(">I", len(head)) + head + jpeg
