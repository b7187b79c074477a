"""Images and packages for the tests: small ones in the vendor's layout, made with Debian's tools and without root."""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import uuid
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
PREPARE = os.path.join(os.path.dirname(HERE), "prepare")
MIB = 1 << 20
BOOT_START, BOOT_SIZE, ROOT_SIZE = 8 * MIB, 40 * MIB, 16 * MIB

OS_RELEASE = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\nVERSION_CODENAME=trixie\n'
CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=5ca2571a-02 rootfstype=ext4 fsck.repair=yes rootwait resize\n"
CONFIG = "dtparam=audio=on\ncamera_auto_detect=1\n\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n\n[all]\n"


def tool(name, *arguments, **more):
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    return subprocess.run([path, *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def status(architecture="arm64", **versions):
    """dpkg's status with these packages installed; cloud-init and libcamera unless they are given as None."""
    packages = {"dpkg": "1.22.21", "cloud-init": "25.1.4-1", "libcamera0.7": "0.7.0+rpt1-1", "libc6": "2.41-12", "libpng16-16t64": "1.6.48-1", **versions}
    return "\n".join(f"Package: {name}\nStatus: install ok installed\nArchitecture: {architecture}\nVersion: {version}\n"
                     for name, version in packages.items() if version is not None)


def file_systems(folder, *, boot=None, root=None, fat_size=BOOT_SIZE, booted=False, links=None):
    """FAT and ext4 as files, with the vendor's files unless others are given (None: without it), and links by what they lead to."""
    fat, ext4, tree = (os.path.join(folder, name) for name in ("boot.part", "root.part", "tree"))
    tool("truncate", "-s", str(fat_size), fat)
    tool("mkfs.vfat", "-n", "bootfs", "-F", "32", "-s", "1", fat)
    files = {"cmdline.txt": CMDLINE, "config.txt": CONFIG, "user-data": "#cloud-config\n# remarks only\n",
             "meta-data": "dsmode: local\ninstance_id: rpios-image\n", "network-config": "# remarks only\n", **(boot or {})}
    for name, text in files.items():
        if text is not None:
            source = os.path.join(folder, "source")
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            tool("mcopy", "-i", fat, source, f"::/{name}")
    files = {"usr/lib/os-release": OS_RELEASE, "var/lib/dpkg/status": status(), "usr/share/zoneinfo/Etc/UTC": "TZif", "usr/share/zoneinfo/Europe/Berlin": "TZif",
             "etc/passwd": "root:x:0:0::/root:/bin/sh\ndaemon:x:1:1::/:/usr/sbin/nologin\nnobody:x:65534:65534::/:/usr/sbin/nologin\npi:x:1000:1000::/home/pi:/bin/bash\n",
             "etc/group": "root:x:0:\nsudo:x:27:pi\noperator:x:37:\noperator1:x:990:\nvideo:x:44:\npi:x:1000:\n", **(root or {})}
    if booted:
        files["var/lib/cloud/instance/here"] = ""
    shutil.rmtree(tree, ignore_errors=True)
    for name, text in files.items():
        if text is not None:
            os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
            with open(os.path.join(tree, name), "w", encoding="utf-8") as file:
                file.write(text)
    for name, target in (links or {}).items():
        os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
        os.symlink(target, os.path.join(tree, name))
    tool("truncate", "-s", str(ROOT_SIZE), ext4)
    tool("mke2fs", "-q", "-t", "ext4", "-d", tree, "-L", "rootfs", ext4)
    return fat, ext4


def image(folder, *, scheme="mbr", **more):
    """An image file; its path."""
    fat, ext4 = file_systems(folder, **more)
    path = os.path.join(folder, "card.img")
    fat_size = os.path.getsize(fat)
    root_start = BOOT_START + fat_size
    parts = [(BOOT_START, fat_size, 0x0C, "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"), (root_start, ROOT_SIZE, 0x83, "b921b045-1df0-41c3-af44-4c6f280d3fae")]
    with open(path, "wb") as file:
        file.truncate(root_start + ROOT_SIZE + MIB)
        file.write(mbr(parts) if scheme == "mbr" else gpt(parts, root_start + ROOT_SIZE + MIB))
        for source, start in ((fat, BOOT_START), (ext4, root_start)):
            with open(source, "rb") as part:
                file.seek(start)
                shutil.copyfileobj(part, file)
    os.unlink(fat)
    os.unlink(ext4)
    return path


def mbr(parts):
    entries = b"".join(struct.pack("<B3sB3sII", 0, bytes(3), kind, bytes(3), start // 512, size // 512) for start, size, kind, _ in parts)
    return bytes(446) + entries.ljust(64, b"\0") + b"\x55\xaa"


def gpt(parts, size):
    entries = b"".join(uuid.UUID(guid).bytes_le + uuid.uuid4().bytes_le + struct.pack("<QQQ", start // 512, (start + length) // 512 - 1, 0) + bytes(72)
                       for start, length, _, guid in parts).ljust(128 * 128, b"\0")
    header = struct.pack("<8sIIIIQQQQ16sQIII", b"EFI PART", 0x10000, 92, 0, 0, 1, size // 512 - 1, 34, size // 512 - 34, uuid.uuid4().bytes_le, 2, 128, 128,
                         zlib.crc32(entries))
    header = header[:16] + struct.pack("<I", zlib.crc32(header)) + header[20:]
    return mbr([(512, size - 512, 0xEE, "")]) + header.ljust(512, b"\0") + entries


def package(folder, name, version="1.0-1", architecture="arm64", depends="", files=None):
    tree = os.path.join(folder, "package-tree")
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(os.path.join(tree, "DEBIAN"))
    with open(os.path.join(tree, "DEBIAN", "control"), "w", encoding="utf-8") as file:
        file.write(f"Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: nobody <nobody@example.invalid>\n"
                   + (f"Depends: {depends}\n" if depends else "") + "Description: made up\n")
    for place, text in (files or {}).items():
        os.makedirs(os.path.dirname(os.path.join(tree, place)), exist_ok=True)
        with open(os.path.join(tree, place), "w", encoding="utf-8") as file:
            file.write(text)
    path = os.path.join(folder, f"{name}_{version}_{architecture}.deb")
    tool("dpkg-deb", "--root-owner-group", "-Zgzip", "-b", tree, path)
    return path


PROFILE = "# A station.\n\nname: desk-1\n\nbuzzer:\n  line: GPIO18\n\ntrigger:\n  mode: presentation\n\noutputs:\n  - serial:\n      device: /dev/serial0\n      baud: 115200\n"


def packages(folder, architecture="arm64", version="0.1.0"):
    """A folder with scanstation, what it depends on, and what that depends on."""
    os.makedirs(folder, exist_ok=True)
    ours = package(folder, "scanstation", version, architecture, "libc6 (>= 2.38), libzbar0t64 (>= 0.23), libpng16-16t64", {
        "etc/scanstation/station.yaml": "# The package's own.\ntrigger:\n  mode: presentation\n",
        "usr/share/doc/scanstation/examples/profiles/station.yaml": PROFILE,
        "usr/share/doc/scanstation/examples/profiles/till.yaml": "name: till-1\n\noutputs:\n  - keyboard:\n      device: /dev/hidg0\n",
        "usr/lib/scanstation/libcamera-0.4.so": "x", "usr/lib/scanstation/libcamera-0.7.so": "x",
        "usr/bin/scanstation": "x" * 100_000})
    package(folder, "libzbar0t64", "0.23.93-8", architecture, "libc6, libv4l-0t64")
    package(folder, "libv4l-0t64", "1.30.1-1", architecture, "libc6")
    package(folder, "libnothing9", "9", architecture)
    return ours


def prepare(*arguments, **more):
    return subprocess.run([PREPARE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **more)


def as_another_user(script, *arguments):
    """The script as somebody who isn't root. Run by root, from a copy: the tree may lie where only root may look."""
    with tempfile.TemporaryDirectory(prefix="another-user-") as folder:
        drop = []
        if os.geteuid() == 0:
            os.chmod(folder, 0o755)
            copy = shutil.copytree(os.path.dirname(script), os.path.join(folder, "deploy/image"), ignore=shutil.ignore_patterns("tests", "__pycache__"))
            script = os.path.join(copy, os.path.basename(script))
            subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
            drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "TMPDIR=/tmp"]
        python = shutil.which("python3", path="/usr/bin") or shutil.which("python3")
        return subprocess.run([*drop, python, script, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def elsewhere(script, *arguments, without_fcntl=False, **environment):
    """The script as on a system that isn't Debian: no tool on the PATH but those in `environment`'s; like Windows, without fcntl, too."""
    code = ("import sys, runpy; sys.argv = sys.argv[2:]; "
            + ("sys.modules['fcntl'] = None; " if without_fcntl else "")
            # /usr/sbin is looked into, too.
            + "import shutil; which = shutil.which; shutil.which = lambda name, path=None: which(name) if path is None else None; "
            + "runpy.run_path(sys.argv[0], run_name='__main__')")
    return subprocess.run([sys.executable, "-c", code, "-", script, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": "/nowhere", **environment})
