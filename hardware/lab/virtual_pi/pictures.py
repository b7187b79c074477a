"""Pictures for the virtual Pi's cameras: barcodes drawn here, and the scene of the desk, as JPEGs."""

import json
import os
import struct
import subprocess
import zlib

# Code 128, ISO/IEC 15417: widths of bars and spaces of the values 0 to 105; then the stop.
PATTERNS = """
212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221
223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321
112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131
311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114
122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141
214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232
""".split()
START_B = 104
STOP = "2331112"


def code128_modules(text):
    """Code set B: one character a bar or space, True for dark."""
    values = [ord(character) - 32 for character in text]
    if any(not 0 <= value < 95 for value in values):
        raise ValueError(f"code set B has no {text!r}")
    check = (START_B + sum(place * value for place, value in enumerate(values, 1))) % 103
    widths = "".join(PATTERNS[value] for value in [START_B, *values, check]) + STOP
    return [place % 2 == 0 for place, width in enumerate(widths) for _ in range(int(width))]


class Picture:
    """Grey values, row by row."""

    def __init__(self, width, height, rows):
        self.width = width
        self.height = height
        self.rows = rows

    def save_jpeg(self, path):
        """In colour: libcamera's virtual camera wants it so."""
        data = b"".join(bytes(value for grey in row for value in (grey, grey, grey)) for row in self.rows)
        with open(path, "wb") as file:
            subprocess.run(["cjpeg", "-quality", "92"], input=b"P6 %d %d 255\n" % (self.width, self.height) + data,
                           stdout=file, check=True)

    def save_mjpeg(self, path):
        """As a webcam compresses it: halved colour, and the standard Huffman tables not sent (USB's MJPEG lets a webcam leave them out)."""
        data = b"".join(bytes(value for grey in row for value in (grey, grey, grey)) for row in self.rows)
        whole = subprocess.run(["cjpeg", "-quality", "85", "-baseline"], input=b"P6 %d %d 255\n" % (self.width, self.height) + data,
                               stdout=subprocess.PIPE, check=True).stdout
        with open(path, "wb") as file:
            file.write(without_huffman_tables(whole))

    def save_yuyv(self, path):
        """Raw, as a webcam sends it: each pixel's grey, and no colour."""
        with open(path, "wb") as file:
            for row in self.rows:
                file.write(bytes(value for grey in row for value in (grey, 128)))


def without_huffman_tables(jpeg):
    kept, place = [jpeg[:2]], 2
    while jpeg[place + 1] != 0xDA:
        end = place + 2 + int.from_bytes(jpeg[place + 2:place + 4], "big")
        if jpeg[place + 1] != 0xC4:
            kept.append(jpeg[place:end])
        place = end
    return b"".join([*kept, jpeg[place:]])


def code128(text, size=(640, 480), module=3):
    """The code in the middle of a light picture, `module` pixels a narrow bar; an empty picture for an empty text."""
    width, height = size
    empty = b"\xe6" * width
    if not text:
        return Picture(width, height, [empty] * height)
    modules = code128_modules(text)
    left = (width - len(modules) * module) // 2
    if left < 10 * module:
        raise ValueError(f"{text!r} doesn't fit into {width} pixels")
    bars = bytearray(empty)
    for place, dark in enumerate(modules):
        if dark:
            bars[left + place * module:left + (place + 1) * module] = b"\x20" * module
    return Picture(width, height, [bytes(bars) if height // 3 <= row < 2 * height // 3 else empty for row in range(height)])


def read_png(path):
    """An 8-bit grey PNG without interlacing, which is what the desk's scene is."""
    with open(path, "rb") as file:
        data = file.read()
    place, packed = 8, b""
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place:place + 8])
        chunk = data[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, height, *form = struct.unpack(">IIBBBBB", chunk)
            if form != [8, 0, 0, 0, 0]:
                raise ValueError(f"{path}: not an 8-bit grey PNG without interlacing")
        elif kind == b"IDAT":
            packed += chunk
        place += 12 + length
    lines = zlib.decompress(packed)
    rows, above = [], bytes(width)
    for number in range(height):
        start = number * (width + 1)
        above = _unfilter(lines[start], lines[start + 1:start + 1 + width], above)
        rows.append(above)
    return Picture(width, height, rows)


def _unfilter(kind, line, above):
    row = bytearray(line)
    for x in range(len(row)):
        left = row[x - 1] if x else 0
        corner = above[x - 1] if x else 0
        up = above[x]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        elif kind == 4:
            estimate = left + up - corner
            guess = min((abs(estimate - left), 0, left), (abs(estimate - up), 1, up), (abs(estimate - corner), 2, corner))[2]
        else:
            break
        row[x] = (row[x] + guess) & 255
    return bytes(row)


def make_code128(folder, texts, size=(640, 480), module=3):
    """One JPEG a text, named so that they are shown in this order."""
    os.makedirs(folder, exist_ok=True)
    for place, text in enumerate(texts):
        code128(text, size, module).save_jpeg(os.path.join(folder, f"{place:03}.jpg"))


def make_scene(scene, folder):
    """The desk's pictures as JPEGs, each in a folder of its own name. Returns what is in each: symbologies and texts."""
    with open(os.path.join(scene, "truth.json")) as file:
        truth = json.load(file)
    for name in truth:
        target = os.path.join(folder, name.removesuffix(".png"))
        os.makedirs(target, exist_ok=True)
        read_png(os.path.join(scene, name)).save_jpeg(os.path.join(target, "0.jpg"))
    return {name.removesuffix(".png"): codes for name, codes in truth.items()}
