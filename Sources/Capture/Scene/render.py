#!/usr/bin/env python3
"""Renders the built-in demo scene: grey pictures of labels on cardboard boxes, as a camera above a table sees them.

    python3 render.py [--out FOLDER] [--check]

Needs numpy and Pillow (pip) and zint (apt), which draws the codes. Everything else is ours: paper and cardboard, print,
perspective, light, focus, motion and sensor noise. All data are invented: numbers from the ranges that GS1 keeps for use inside
a shop (prefixes 2 and 4 of UPC-A), domains of RFC 2606. One seed a picture, so that a picture can be changed alone and the rest
stays as it is. `--check` reads the pictures back with zxing-cpp (pip) and fails if one doesn't show what truth.json says.

How a picture comes about, at twice its size until the last step:
  1. a table top with grain, out of focus;
  2. a box: its front is a rectangle in millimetres that a homography puts into the frame, its top joins at the upper edge;
  3. labels on the front: paper, grey bars where text would be, and codes with their quiet zones;
  4. light from one side, a shadow under the box, a vignette;
  5. focus blur, motion blur, halving, noise, and 32 grey levels: a noisy picture with 256 of them would not be a small file.
"""

import argparse
import json
import pathlib
import struct
import subprocess
import tempfile
import zlib

import numpy as np
from PIL import Image, ImageDraw

WIDTH, HEIGHT = 960, 540
OVERSAMPLING = 2
GREY_STEP = 8
DOTS_PER_MM = 8  # of the box front before it is put into perspective
PAPER, INK, CARDBOARD, TABLE = 226.0, 38.0, 158.0, 88.0


# --- Codes -----------------------------------------------------------------------------------------------------------

ZINT = {
    "ean_8": ["--barcode=EANX"],
    "ean_13": ["--barcode=EANX"],
    "upc_a": ["--barcode=UPCA"],
    "code_128": ["--barcode=CODE128"],
    "code_39": ["--barcode=CODE39"],
    "itf_14": ["--barcode=ITF14"],
    "qr_code": ["--barcode=QRCODE", "--secure=2"],
    "data_matrix": ["--barcode=DATAMATRIX", "--square"],
    "aztec": ["--barcode=AZTEC"],
    "pdf417": ["--barcode=PDF417", "--cols=4"],
}


def code(symbology, data, gs1=False):
    """The code as an array of ink (1) and paper (0), two dots a module, cut to its edges."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "code.png"
        arguments = ["zint", *ZINT[symbology], "--notext", "--scale=1", f"--output={path}", f"--data={data}"]
        if gs1:
            arguments.append("--gs1")
        subprocess.run(arguments, check=True)
        ink = np.asarray(Image.open(path).convert("L")) < 128
    rows, columns = np.where(ink.any(1))[0], np.where(ink.any(0))[0]
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(float)


# --- Materials -------------------------------------------------------------------------------------------------------


def soft_noise(random, shape, across, down, amplitude):
    """Noise with grains of `across` × `down` dots and the standard deviation `amplitude`."""
    small = random.normal(size=(max(2, int(shape[0] / down) + 2), max(2, int(shape[1] / across) + 2)))
    picture = Image.fromarray(small.astype(np.float32)).resize((shape[1], shape[0]), Image.BICUBIC)
    noise = np.asarray(picture, dtype=float)
    return noise / noise.std() * amplitude


def table_top(random, shape):
    grain = soft_noise(random, shape, 700, 14, 4.0) + soft_noise(random, shape, 300, 60, 5.0)
    return blurred(TABLE + grain, 5)


def cardboard(random, shape):
    fibres = soft_noise(random, shape, 60, 10, 1.5) + soft_noise(random, shape, 260, 200, 2.5)
    corrugation = 1.2 * np.sin(np.arange(shape[1]) / DOTS_PER_MM * 2 * np.pi / 7.0)
    return CARDBOARD + fibres + corrugation


def blurred(picture, radius):
    """Gaussian blur with the standard deviation `radius` dots; the edges repeat."""
    reach = int(np.ceil(3 * radius))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(radius, 1e-9)) ** 2)
    weights /= weights.sum()
    for _ in range(2):  # down, then across, as the transpose's down
        padded = np.pad(picture, ((reach, reach), (0, 0)), mode="edge")
        picture = sum(weight * padded[i : i + len(picture)] for i, weight in enumerate(weights)).T
    return picture


def moved(picture, dots):
    """Blur of a hand that moved sideways by `dots` during the exposure."""
    if dots < 1:
        return picture
    return sum(np.roll(picture, shift, axis=1) for shift in range(dots + 1)) / (dots + 1)


# --- The front of a box ----------------------------------------------------------------------------------------------


class Front:
    """The front of a box, in millimetres from its upper left corner."""

    def __init__(self, random, width, height):
        self.random = random
        self.width, self.height = width, height
        self.dots = cardboard(random, (int(height * DOTS_PER_MM), int(width * DOTS_PER_MM)))

    def area(self, x, y, width, height):
        x, y, right, bottom = (int(round(v * DOTS_PER_MM)) for v in (x, y, x + width, y + height))
        return self.dots[max(0, y) : bottom, max(0, x) : right]

    def tape(self, x, width):
        self.area(x, 0, width, self.height)[:] += 14

    def label(self, x, y, width, height):
        """A sheet of paper with a faint shadow; what is printed on it comes afterwards."""
        self.area(x - 0.4, y - 0.2, width + 0.9, height + 0.9)[:] -= 22
        sheet = self.area(x, y, width, height)
        sheet[:] = PAPER + soft_noise(self.random, sheet.shape, 90, 90, 1.5)

    def rule(self, x, y, width, height=0.5):
        self.area(x, y, width, height)[:] = INK

    def text(self, x, y, width, lines, size=2.2):
        """Bars of grey where lines of small print would be: words without letters."""
        for line in range(lines):
            left = x
            end = x + width * (1 if line < lines - 1 else self.random.uniform(0.4, 0.8))
            while left < end - size:
                word = min(self.random.uniform(2, 6) * size * 0.6, end - left)
                self.area(left, y + line * size * 1.8, word, size * 0.75)[:] = 118
                left += word + size * 0.5

    def print(self, ink, x, y, width, height=None):
        """A code with its upper left corner at (x, y); matrix codes keep their proportions."""
        height = height or width * ink.shape[0] / ink.shape[1]
        target = self.area(x, y, width, height)
        size = (target.shape[1], target.shape[0])
        coverage = np.asarray(Image.fromarray(ink.astype(np.float32)).resize(size, Image.BOX if size[0] < ink.shape[1] else Image.NEAREST))
        target[:] += (INK - target) * coverage


# --- Camera ----------------------------------------------------------------------------------------------------------


def homography(source, target):
    """The 3×3 matrix that takes four points to four others."""
    rows, values = [], []
    for (x, y), (u, v) in zip(source, target):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return np.append(np.linalg.solve(np.array(rows, float), np.array(values, float)), 1).reshape(3, 3)


def put(frame, surface, corners):
    """Lays `surface` into the frame so that its corners come to `corners` (clockwise from the upper left)."""
    height, width = surface.shape
    matrix = homography(corners, [(0, 0), (width, 0), (width, height), (0, height)])
    ys, xs = np.mgrid[0 : frame.shape[0], 0 : frame.shape[1]]
    w = matrix[2, 0] * xs + matrix[2, 1] * ys + matrix[2, 2]
    u = (matrix[0, 0] * xs + matrix[0, 1] * ys + matrix[0, 2]) / w - 0.5
    v = (matrix[1, 0] * xs + matrix[1, 1] * ys + matrix[1, 2]) / w - 0.5
    inside = (u >= 0) & (v >= 0) & (u < width - 1) & (v < height - 1)
    u, v = u[inside], v[inside]
    x, y = u.astype(int), v.astype(int)
    fx, fy = u - x, v - y
    upper = surface[y, x] * (1 - fx) + surface[y, x + 1] * fx
    lower = surface[y + 1, x] * (1 - fx) + surface[y + 1, x + 1] * fx
    frame[inside] = upper * (1 - fy) + lower * fy


def shadow(frame, corners, offset, radius, depth):
    mask = Image.new("L", (frame.shape[1], frame.shape[0]))
    ImageDraw.Draw(mask).polygon([(x + offset[0], y + offset[1]) for x, y in corners], fill=255)
    frame *= 1 - depth * blurred(np.asarray(mask, float), radius) / 255


def light(frame, side, vignette):
    ys, xs = np.mgrid[-1 : 1 : frame.shape[0] * 1j, -1 : 1 : frame.shape[1] * 1j]
    frame *= (1 + side * xs + 0.04 * ys) * (1 - vignette * (xs**2 + ys**2) / 2)


def photograph(random, front, corners, side=0.1, focus=0.8, motion=0, noise=0.8, exposure=1.0, lid=60):
    """The finished frame, 8-bit grey. `corners` of the front and `lid` (depth of the box's top) in pixels of the result."""
    size = (HEIGHT * OVERSAMPLING, WIDTH * OVERSAMPLING)
    frame = table_top(random, size)
    if front is not None:
        corners = [(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in corners]
        (left, top), (right, right_top) = corners[0], corners[1]
        depth, inset = lid * OVERSAMPLING, 0.12 * (right - left)
        shadow(frame, corners, (26, 30), 30, 0.55)
        back = [(left + inset, top - depth), (right - inset * 0.6, right_top - depth), corners[1], corners[0]]
        put(frame, blurred(cardboard(random, (400, 900)) + 26, 2), back)
        put(frame, front.dots, corners)
    light(frame, side, 0.22)
    frame = moved(blurred(frame * exposure, focus * OVERSAMPLING), motion * OVERSAMPLING)
    frame = frame.reshape(HEIGHT, OVERSAMPLING, WIDTH, OVERSAMPLING).mean(axis=(1, 3))
    # Shot noise grows with the light; grains are a little larger than a pixel, as after a camera's own processing.
    grains = blurred(random.normal(size=frame.shape), 0.5) * 1.7
    frame += grains * noise * np.sqrt(np.clip(frame, 1, None) / 128)
    return np.clip(np.round(frame / GREY_STEP) * GREY_STEP, 0, 255).astype(np.uint8)


def write_png(path, picture):
    """Grey PNG with the row filter that makes it smallest (Pillow's choice by row suits photographs with more levels)."""
    rows = picture.astype(np.int16)
    left, above = np.zeros_like(rows), np.zeros_like(rows)
    left[:, 1:], above[1:] = rows[:, :-1], rows[:-1]
    bodies = []
    for kind, prediction in enumerate([np.zeros_like(rows), left, above, (left + above) // 2]):
        filtered = ((rows - prediction) % 256).astype(np.uint8)
        raw = np.hstack([np.full((len(rows), 1), kind, np.uint8), filtered]).tobytes()
        bodies.append(zlib.compress(raw, 9))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", picture.shape[1], picture.shape[0], 8, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", min(bodies, key=len)) + chunk(b"IEND", b""))


# --- The scene -------------------------------------------------------------------------------------------------------


def ean13(random):
    front = Front(random, 90, 58)
    front.tape(64, 16)
    front.label(12, 9, 50, 40)
    front.text(15, 12, 38, 2)
    front.print(code("ean_13", "209876500042"), 19.5, 21, 35, 22)
    return photograph(random, front, [(130, 105), (800, 80), (826, 500), (150, 486)], side=0.12)


def upc_a(random):
    front = Front(random, 84, 60)
    front.label(20, 8, 48, 44)
    front.rule(20, 15, 48, 0.4)
    front.text(24, 10, 30, 1)
    front.print(code("upc_a", "41234500017"), 26.5, 19, 35, 22)
    front.text(24, 44.5, 40, 2, 1.8)
    return photograph(random, front, [(180, 70), (838, 128), (786, 522), (158, 474)], side=-0.1, motion=1)


def code128(random):
    front = Front(random, 96, 54)
    front.tape(4, 14)
    front.label(20, 7, 70, 38)
    front.text(24, 10, 44, 3)
    front.rule(20, 23.5, 70)
    front.print(code("code_128", "BOX-2026-00417"), 26, 27, 58, 14)
    return photograph(random, front, [(88, 150), (848, 62), (890, 468), (150, 522)], side=0.08, focus=0.7)


def qr_url(random):
    front = Front(random, 80, 58)
    front.label(22, 8, 36, 44)
    front.print(code("qr_code", "https://example.com/shelf/12?item=417"), 27, 12, 26)
    front.text(27, 42.5, 26, 3, 1.8)
    return photograph(random, front, [(196, 92), (764, 74), (802, 506), (170, 496)], side=-0.14, focus=0.9)


def empty(random):
    return photograph(random, None, None, side=0.1)


def code39_and_itf14(random):
    front = Front(random, 100, 62)
    front.label(6, 5, 82, 25)
    front.text(12, 7.5, 30, 1)
    front.print(code("code_39", "AISLE-7-B"), 13, 12, 68, 14)
    # Printed on the carton itself, as shippers do.
    front.area(18, 33, 74, 26)[:] += 12
    front.print(code("itf_14", "1209876500049"), 21, 35, 68, 22)
    return photograph(random, front, [(70, 96), (862, 120), (846, 516), (96, 512)], side=0.1, focus=0.7)


def data_matrix_gs1(random):
    front = Front(random, 70, 44)
    front.label(14, 6, 44, 31)
    gs1 = "[01]02098765000425[10]LOT42[17]281231"
    front.print(code("data_matrix", gs1, gs1=True), 18, 11, 17)
    front.text(39, 11, 15, 5, 1.8)
    front.text(18, 31, 34, 2, 1.6)
    return photograph(random, front, [(150, 124), (790, 100), (836, 470), (128, 508)], side=-0.08)


def aztec(random):
    front = Front(random, 82, 56)
    front.tape(0, 12)
    front.label(24, 8, 46, 38)
    front.print(code("aztec", "GATE 4 SEAT 17C 2026-11-21"), 29, 15, 22)
    front.text(54, 15, 13, 6, 1.8)
    front.rule(24, 12, 46, 0.3)
    return photograph(random, front, [(120, 68), (790, 112), (770, 514), (158, 480)], side=0.14, focus=0.9)


def pdf417(random):
    front = Front(random, 96, 56)
    front.label(10, 6, 76, 44)
    front.text(14, 9, 40, 3)
    text = "SHIPMENT 0042;FROM EXAMPLE STORE;TO EXAMPLE DEPOT;PIECES 3 OF 7;12.5 KG"
    front.print(code("pdf417", text), 14, 22, 68)
    return photograph(random, front, [(74, 88), (874, 104), (858, 512), (84, 506)], side=-0.06, focus=0.6)


def several(random):
    front = Front(random, 104, 62)
    front.label(5, 5, 46, 28)
    front.print(code("ean_13", "209876500103"), 10.5, 8, 35, 20)
    front.label(62, 5, 34, 33)
    front.print(code("qr_code", "WIFI:T:WPA;S:example;P:not-a-secret;;"), 66.5, 9, 25)
    front.label(5, 40, 62, 17)
    front.print(code("code_128", "TOTE-0093"), 12, 43.5, 46, 10)
    front.label(69, 41, 33, 17)
    front.print(code("ean_8", "2098765"), 73.5, 43.5, 24, 11)
    return photograph(random, front, [(62, 78), (886, 96), (872, 524), (78, 520)], side=0.1, focus=0.6)


# File, seed, painter, and what the picture shows in reading order. GS is the group separator of GS1 (0x1D).
SCENE = [
    ("01-ean13.png", 101, ean13, [("ean_13", "2098765000425")]),
    ("02-upc-a.png", 102, upc_a, [("upc_a", "412345000179")]),
    ("03-code128.png", 103, code128, [("code_128", "BOX-2026-00417")]),
    ("04-qr-url.png", 104, qr_url, [("qr_code", "https://example.com/shelf/12?item=417")]),
    ("05-empty.png", 105, empty, []),
    ("06-code39-itf14.png", 106, code39_and_itf14, [("code_39", "AISLE-7-B"), ("itf_14", "12098765000491")]),
    ("07-data-matrix-gs1.png", 107, data_matrix_gs1, [("data_matrix", "010209876500042510LOT42\x1d17281231")]),
    ("08-aztec.png", 108, aztec, [("aztec", "GATE 4 SEAT 17C 2026-11-21")]),
    ("09-pdf417.png", 109, pdf417, [
        ("pdf417", "SHIPMENT 0042;FROM EXAMPLE STORE;TO EXAMPLE DEPOT;PIECES 3 OF 7;12.5 KG")]),
    ("10-several.png", 110, several, [
        ("ean_13", "2098765001033"), ("qr_code", "WIFI:T:WPA;S:example;P:not-a-secret;;"),
        ("code_128", "TOTE-0093"), ("ean_8", "20987657")]),
]


def check(folder):
    """Reads every picture back; returns the number of those that don't show what they should."""
    import zxingcpp

    names = {"EAN8": "ean_8", "EAN13": "ean_13", "UPCA": "upc_a", "Code128": "code_128", "Code39": "code_39", "ITF": "itf_14", "ITF14": "itf_14",
             "QRCode": "qr_code", "DataMatrix": "data_matrix", "Aztec": "aztec", "PDF417": "pdf417"}
    wrong = 0
    for name, _, _, codes in SCENE:
        picture = np.asarray(Image.open(folder / name))
        read = set()
        for found in zxingcpp.read_barcodes(picture, text_mode=zxingcpp.TextMode.Plain):
            kind = str(found.format).rsplit(".", 1)[-1].replace("-", "").replace(" ", "")
            kind, text = names.get(kind, kind), found.text
            if kind == "ean_13" and text.startswith("0"):  # zxing-cpp 3 gives UPC-A as what it also is
                kind, text = "upc_a", text[1:]
            read.add((kind, text))
        if read != set(codes):
            print(f"{name}: expected {sorted(codes)}, read {sorted(read)}")
            wrong += 1
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent)
    parser.add_argument("--check", action="store_true", help="read the pictures back with zxing-cpp")
    options = parser.parse_args()
    for name, seed, painter, _ in SCENE:
        write_png(options.out / name, painter(np.random.default_rng(seed)))
    truth = {name: [{"symbology": kind, "text": text} for kind, text in codes] for name, _, _, codes in SCENE}
    (options.out / "truth.json").write_text(json.dumps(truth, indent=2) + "\n")
    if options.check and check(options.out):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
