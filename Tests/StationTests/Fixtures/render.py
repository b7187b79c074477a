#!/usr/bin/env python3
"""Renders the pictures of the station's fault tests: `apt install zint`, `pip install pillow numpy`, `python3 render.py`.

binary-qr.png   a version 40 QR code with 2,900 bytes: every byte value, NUL and ESC included, again and again
wifi-qr.png     a network's name and password
many-qr.png     80 QR codes with different texts in one frame
"""
import pathlib
import subprocess
import tempfile

from PIL import Image

HERE = pathlib.Path(__file__).parent


def zint(data: bytes, scale: float) -> Image.Image:
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder, "data"), pathlib.Path(folder, "code.png")
        source.write_bytes(data)
        subprocess.run(
            ["zint", "-b", "QRCODE", "--binary", "--secure=1", "-w", "4", f"--scale={scale}", "--vwhitesp=4",
             "-i", source, "-o", target], check=True)
        return Image.open(target).convert("L")


def frame(width: int, height: int) -> Image.Image:
    return Image.new("L", (width, height), 255)


def main() -> None:
    binary = zint(bytes(i % 256 for i in range(2900)), 2)
    picture = frame(binary.width + 40, binary.height + 40)
    picture.paste(binary, (20, 20))
    picture.save(HERE / "binary-qr.png", optimize=True)

    wifi = zint(b"WIFI:T:WPA;S:shop;P:open sesame;;", 3)
    picture = frame(640, 360)
    picture.paste(wifi, ((640 - wifi.width) // 2, (360 - wifi.height) // 2))
    picture.save(HERE / "wifi-qr.png", optimize=True)

    many = frame(1280, 720)
    columns, rows = 10, 8
    for index in range(columns * rows):
        code = zint(f"CODE {index:02}".encode(), 1)
        cell = (index % columns * 128, index // columns * 90)
        code = code.resize((code.width * 82 // code.height, 82), Image.NEAREST) if code.height > 88 else code
        many.paste(code, (cell[0] + (128 - code.width) // 2, cell[1] + (90 - code.height) // 2))
    many.save(HERE / "many-qr.png", optimize=True)


if __name__ == "__main__":
    main()
