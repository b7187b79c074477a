"""What the scenarios are run with: kernel, root file system, package, pictures, and the folders for it all."""

import base64
import fcntl
import functools
import glob
import os
import shutil
import subprocess
import sys
import tempfile

from . import pictures
from .agent import AgentError
from .cuts import CutRecord
from .machine import make_overlay
from .pi import Pi

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
# Texts of the pictures that power cuts happen in: after each there is an empty one, so that it is new when it comes again.
CUT_TEXTS = [text for number in range(12) for text in (f"CUT-{number:02}", "")]

HOST_PACKAGES = {
    "qemu-system-x86": "amd64", "qemu-system-arm": "arm64", "qemu-utils": None, "nbdkit": None, "nbdkit-plugin-dev": None,
    "pkg-config": None, "libjpeg-turbo-progs": None, "e2fsprogs": None, "build-essential": None,
}


class LabError(Exception):
    """The lab itself can't be set up."""


def hold_cache():
    """What is cached there is used until this is closed: no other run may clean it away (deploy/cache.bash)."""
    folder = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "scanstation", "lab")
    os.makedirs(folder, exist_ok=True)
    lock = open(os.path.join(folder, ".lock"), "a")
    fcntl.flock(lock, fcntl.LOCK_SH)
    return lock


def script(name, *arguments, lock):
    """Runs one of the folder's scripts, which holds the cache as its caller does; what it prints is the path of what it made."""
    done = subprocess.run([os.path.join(HERE, name), *arguments], stdout=subprocess.PIPE, text=True, check=False,
                          pass_fds=[lock.fileno()], env={**os.environ, "SCANSTATION_CACHE_LOCK": str(lock.fileno())})
    if done.returncode != 0:
        raise LabError(f"hardware/lab/{name} {' '.join(arguments)} failed")
    return done.stdout.strip().splitlines()[-1]


def install_host_packages(arch):
    wanted = [name for name, only in HOST_PACKAGES.items() if only in (None, arch)]
    done = subprocess.run(["bash", "-c", f'. "{HERE}/common.bash"; need_packages "$@"', "lab", *wanted], check=False)
    if done.returncode != 0:
        raise LabError("the packages that the lab needs could not be installed")


# Whatever else it is asked for, it does: what fails is the station's start. It hangs, or it ends at once.
BROKEN = """#!/bin/sh
if [ "$1" = run ]; then
    [ ! -e /run/lab-ends-at-once ] || exit 1
    exec sleep 3600
fi
exec /usr/bin/scanstation-whole "$@"
"""


def break_program(tree):
    program = os.path.join(tree, "usr", "bin", "scanstation")
    os.rename(program, program + "-whole")
    with open(program, "w") as file:
        file.write(BROKEN)
    os.chmod(program, 0o755)


class Workbench:
    """One run of the lab for one architecture."""

    def __init__(self, arch, options):
        self.arch = arch
        self.options = options
        # Short, because QEMU's sockets lie in it.
        self.folder = tempfile.mkdtemp(prefix="lab-")
        self.kept_logs = os.path.join(REPOSITORY, ".build", "lab")
        self.figures = {}
        self.cuts = CutRecord(options.append_cuts, options.seed, lambda: self.deb)
        self.golden = None
        self.machines = []

    def prepare(self, with_updates=False):
        self.with_updates = with_updates
        install_host_packages(self.arch)
        self.cache = hold_cache()
        self.kernel = self.options.kernel or script("kernel", self.arch, lock=self.cache)
        self.deb = self.find_package()
        self.make_lab_disk()

    @functools.cached_property
    def root(self):
        return script("root", self.arch, lock=self.cache)

    @functools.cached_property
    def card(self):
        return script("card", self.arch, lock=self.cache)

    # The package

    def find_package(self):
        folder = self.options.packages or os.path.join(REPOSITORY, "deploy", "package", "out")
        pattern = os.path.join(folder, f"scanstation_*_{self.arch}.deb")
        if not glob.glob(pattern) and not self.options.packages:
            print(f"there is no {os.path.relpath(pattern, REPOSITORY)}: make deb ARCH={self.arch}", flush=True)
            subprocess.run(["make", "-C", REPOSITORY, "deb", f"ARCH={self.arch}"], stdout=sys.stderr, check=False)
        found = sorted(glob.glob(pattern), key=os.path.getmtime)
        if not found:
            raise LabError(f"no package for {self.arch}: {pattern} matches nothing")
        self.warn_if_stale(found[-1])
        return found[-1]

    def warn_if_stale(self, deb):
        """A package in its folder isn't built again by itself: that takes minutes even where nothing has changed."""
        made = os.path.getmtime(deb)
        listed = subprocess.run(
            ["git", "-c", f"safe.directory={REPOSITORY}", "-C", REPOSITORY, "ls-files", "-z", "--", "Package.swift", "Sources", "deploy"],
            stdout=subprocess.PIPE, text=True, check=False).stdout
        files = [os.path.join(REPOSITORY, name) for name in listed.split("\0") if name]
        changed = [path for path in files if os.path.exists(path) and os.path.getmtime(path) > made]
        if changed:
            print(f"{os.path.basename(deb)} is older than {len(changed)} of its sources ({os.path.relpath(changed[0], REPOSITORY)}): "
                  f"`make deb ARCH={self.arch}` builds it again", flush=True)

    def repack(self, version, name, change=None):
        """The same package with another version, where its maintainer scripts and its launcher say it, too. Its programs end with the version, so that
        one can see which of them runs (`program_version`). `change` gets the unpacked tree."""
        tree = os.path.join(self.folder, "repack")
        shutil.rmtree(tree, ignore_errors=True)
        subprocess.run(["dpkg-deb", "-R", self.deb, tree], check=True)
        old = self.package_field("Version")
        control = os.path.join(tree, "DEBIAN")
        for script_name in ("control", "preinst", "postinst", "prerm", "postrm"):
            path = os.path.join(control, script_name)
            if os.path.exists(path):
                with open(path) as file:
                    text = file.read()
                with open(path, "w") as file:
                    file.write(text.replace(old, version))
        with open(os.path.join(tree, "usr", "lib", "scanstation", "VERSION"), "w") as file:
            file.write(version + "\n")
        libexec = os.path.join(tree, "usr", "libexec", "scanstation")
        programs = [os.path.join(tree, "usr", "bin", "scanstation"), *(os.path.join(libexec, name) for name in os.listdir(libexec))]
        for path in programs:
            with open(path, "rb+") as file:
                if file.read(4) == b"\x7fELF":
                    file.seek(0, os.SEEK_END)
                    file.write(b"\n" + version.encode())
        if change:
            change(tree)
        self.sum_again(tree)
        target = os.path.join(self.folder, "disk", "deb", name)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", tree, target], check=True,
                       stdout=subprocess.DEVNULL)
        shutil.rmtree(tree)

    def program_version(self, pi):
        """The version that `repack` gave the program that runs as the service; this package's own, if it gave none."""
        end = pi.agent.run(f"tail -c 64 /proc/{pi.main_pid()}/exe | tail -n 1 | tr -dc '[:print:]'", check=False).out
        return end if end.startswith(self.version + "+") else self.version

    @staticmethod
    def sum_again(tree):
        """dpkg --verify compares with these."""
        path = os.path.join(tree, "DEBIAN", "md5sums")
        with open(path) as file:
            names = [line.split(maxsplit=1)[1].rstrip("\n") for line in file]
        done = subprocess.run(["md5sum", *names], cwd=tree, stdout=subprocess.PIPE, text=True, check=True)
        with open(path, "w") as file:
            file.write(done.stdout)

    def package_field(self, field):
        return subprocess.run(["dpkg-deb", "-f", self.deb, field], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    def address_of(self, symbol):
        """Where a function of the installed program is, by the debug symbols that are built with each package."""
        debug = os.path.join(os.path.dirname(self.deb), os.path.basename(self.deb).replace("scanstation_", "scanstation-dbgsym_"))
        if not os.path.exists(debug):
            raise LabError(f"there is no {debug}: `make deb` makes it together with the package")
        tree = os.path.join(self.folder, "debug")
        shutil.rmtree(tree, ignore_errors=True)
        subprocess.run(["dpkg-deb", "-x", debug, tree], check=True)
        try:
            # Below .build-id, which a glob would pass over.
            for path in (os.path.join(where, name) for where, _, names in os.walk(tree) for name in names):
                listed = subprocess.run(["nm", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
                for line in listed.splitlines():
                    if line.endswith(" " + symbol):
                        return line.split()[0]
        finally:
            shutil.rmtree(tree)
        raise LabError(f"no program of the package has a function {symbol}")

    @property
    def version(self):
        return self.package_field("Version")

    # The disk with everything that isn't the product

    def make_lab_disk(self):
        disk = os.path.join(self.folder, "disk")
        shutil.copytree(os.path.join(HERE, "guest", "lab"), disk)
        os.makedirs(os.path.join(disk, "deb"))
        shutil.copy(self.deb, os.path.join(disk, "deb"))
        self.newer = f"{self.version}+lab1"
        self.repack(self.newer, "newer.deb")
        self.newer_package = shutil.copy(os.path.join(disk, "deb", "newer.deb"), self.folder)
        if self.with_updates:
            self.make_updates(disk)
        frames = os.path.join(disk, "frames")
        self.truth = pictures.make_scene(os.path.join(REPOSITORY, "Sources", "Capture", "Scene"), frames)
        pictures.make_code128(os.path.join(frames, "cuts"), CUT_TEXTS)
        webcam = os.path.join(disk, "webcam")
        os.makedirs(webcam)
        for number in (1, 2):
            picture = pictures.code128(f"WEBCAM-{number}")
            picture.save_yuyv(os.path.join(webcam, f"{number}.yuyv"))
            picture.save_mjpeg(os.path.join(webcam, f"{number}.jpeg"))
        self.compile("webcam.c", os.path.join(webcam, "webcam"), "-static")
        self.compile("hold-at.c", os.path.join(disk, "hold-at"), "-static")
        self.compile("no-sync.c", os.path.join(disk, "no-sync.so"), "-shared", "-fPIC")
        self.plugin = os.path.join(self.folder, "forgetful-disk.so")
        self.compile("forgetful-disk.c", self.plugin, "-shared", "-fPIC", arch="host")
        self.lab_disk = os.path.join(self.folder, "lab.ext4")
        size = sum(os.path.getsize(os.path.join(where, name)) for where, _, names in os.walk(disk) for name in names)
        subprocess.run(["truncate", "-s", str(size * 5 // 4 + (16 << 20)), self.lab_disk], check=True)
        subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", disk, self.lab_disk], check=True)
        shutil.rmtree(disk)

    def make_updates(self, disk):
        """Signed repositories, made as a person makes them: one has the next version, the other one that never gets ready."""
        keys = os.path.join(self.folder, "gpg")
        os.makedirs(keys, mode=0o700)
        environment = {**os.environ, "GNUPGHOME": keys}
        key = "lab@example.invalid"
        subprocess.run(["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", key, "ed25519", "sign", "never"],
                       env=environment, check=True, stderr=subprocess.DEVNULL)
        self.broken = f"{self.version}+lab2"
        self.repack(self.broken, "broken.deb", break_program)
        packages = os.path.join(disk, "deb")
        for folder, package in (("repository", "newer.deb"), ("broken-repository", "broken.deb")):
            place = os.path.join(disk, folder)
            done = subprocess.run([os.path.join(REPOSITORY, "deploy", "repository", "make"), key, place, os.path.join(packages, package)],
                                  env={**environment, "REPOSITORY_URL": f"file:/lab/{folder}"}, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise LabError(f"deploy/repository/make failed:\n{done.stdout}{done.stderr}")
        os.unlink(os.path.join(packages, "broken.deb"))
        subprocess.run(["gpgconf", "--homedir", keys, "--kill", "all"], check=False)

    def compile(self, source, target, *flags, arch=None):
        """Programs of the lab, for the virtual Pi; those for aarch64 that need a C library of it are left out."""
        if arch is None and self.arch != "amd64":
            return
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread", os.path.join(HERE, source), "-o", target,
                        *flags], check=True)

    # Machines

    def card_machine(self, name, image, command_line, root_socket=None):
        """A machine that starts from a card's image, or from what serves it; the image itself stays as it is, or is what is written to."""
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        disk = None if root_socket else make_overlay(image, os.path.join(folder, "disk.qcow2"), "raw")
        # A card with a Wi-Fi waits for the radio that isn't there, by systemd's own limit, as a Pi would.
        machine = Pi(folder, arch=self.arch, kernel=self.kernel, disk=disk, lab_disk=self.lab_disk, command_line=command_line, root_socket=root_socket,
                     device_timeout=90)
        self.machines.append(machine)
        return machine

    def machine(self, name, *, base=None, state=None):
        """A machine with a disk of its own, whose beginning is `base`: by default the disk with the package installed."""
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        disk = os.path.join(folder, "disk.qcow2")
        if base or self.golden:
            make_overlay(base or self.golden, disk)
        else:
            make_overlay(self.root, disk, "raw")
        machine = Pi(folder, arch=self.arch, kernel=self.kernel, disk=disk, lab_disk=self.lab_disk, state=state)
        self.machines.append(machine)
        return machine

    def keep_logs(self, name, machine_names):
        """What a failed scenario's machines have said; returns the folder."""
        target = os.path.join(self.kept_logs, f"{self.arch}-{name}")
        shutil.rmtree(target, ignore_errors=True)
        for machine in machine_names:
            source = os.path.join(self.folder, machine)
            for log in glob.glob(os.path.join(source, "*.log")) + glob.glob(os.path.join(source, "*.core.gz")):
                os.makedirs(os.path.join(target, machine), exist_ok=True)
                shutil.copy(log, os.path.join(target, machine))
        # With sudo, what lies in the tree belongs to the user who called it.
        if "SUDO_UID" in os.environ:
            subprocess.run(["chown", "-R", f"{os.environ['SUDO_UID']}:{os.environ['SUDO_GID']}", os.path.dirname(self.kept_logs)],
                           check=False)
        return target

    def save_service_log(self, machine):
        """The guest's own journal, and what guest/lab/keep-core kept, as far as it still answers."""
        try:
            out = machine.agent.run("journalctl -b --no-pager -n 2000", check=False, timeout=60).out
            with open(os.path.join(machine.folder, "journal.log"), "w") as file:
                file.write(out)
            for name in machine.agent.run("ls /var/lib/lab-cores", check=False).out.split():
                packed = machine.agent.run(f"gzip -1 <'/var/lib/lab-cores/{name}' | base64", timeout=300).out
                with open(os.path.join(machine.folder, f"{name}.core.gz"), "wb") as file:
                    file.write(base64.b64decode(packed))
        except (AgentError, AttributeError):
            pass

    def close(self):
        for machine in self.machines:
            machine.cut()
        shutil.rmtree(self.folder, ignore_errors=True)
