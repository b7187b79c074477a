"""The packages that the card carries: ours, and what the image lacks of its dependencies, by apt itself with the image's own status.

The folder is an apt repository, so that apt in the Pi checks every file's sum. No libcamera is in it: the image has one, of the vendor's own.
"""

import glob
import hashlib
import os
import re
import shutil
from dataclasses import dataclass

from .problem import BAD_ANSWER, NO_INPUT, NOT_OURS, Problem, run

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEBIAN = os.path.join(os.path.dirname(HERE), "debian.bash")
# These come with the image, or not at all.
NEVER = re.compile(r"libcamera")


@dataclass(frozen=True)
class Package:
    path: str
    name: str
    version: str
    architecture: str


def look_at(path):
    done = run(["dpkg-deb", "-f", path, "Package", "Version", "Architecture"], check=False)
    fields = dict(line.split(": ", 1) for line in done.stdout.decode(errors="replace").splitlines() if ": " in line)
    if done.returncode != 0 or set(fields) != {"Package", "Version", "Architecture"}:
        raise Problem(NO_INPUT, f"{path} can't be read as a Debian package: {done.stderr.decode(errors='replace').strip() or 'it names no package'}")
    return Package(path, fields["Package"], fields["Version"], fields["Architecture"])


def our_package(path, folder, architecture):
    """The package to put on the card: the one that is named, or the newest of the folder for this architecture."""
    if path is None:
        found = sorted(glob.glob(os.path.join(folder, f"scanstation_*_{architecture}.deb")), key=os.path.getmtime)
        if not found:
            raise Problem(NO_INPUT, f"there is no ScanStation package for {architecture} in {folder}, and it could not be built: "
                                    f"make deb ARCH={architecture} says why. Or name one: --package FILE")
        path = found[-1]
    package = look_at(path)
    if package.name != "scanstation":
        raise Problem(NO_INPUT, f"{path} is the package {package.name}, not scanstation")
    if package.architecture != architecture:
        raise Problem(BAD_ANSWER, f"{path} is for {package.architecture}, and the image for {architecture}: build the other one (make deb ARCH={architecture})")
    return package


def has_newer(system, package):
    """Whether the image has a newer ScanStation already, as a card may that was started and updated. first-boot leaves that one alone."""
    there = system.installed.get("scanstation")
    return there is not None and run(["dpkg", "--compare-versions", there, "gt", package.version], check=False).returncode == 0


def mirrors():
    """This machine's Debian, and its security updates if it has them: apt lines for trixie."""
    done = run(["bash", "-c", f'. "{DEBIAN}"; debian_mirror; debian_mirror Debian-Security || true'], check=False)
    found = done.stdout.decode().split()
    if not found:
        raise Problem(NOT_OURS, "this machine's apt names no Debian archive, and what the image lacks comes from there. "
                                "Run it on Debian (13, or 12 with debian-archive-keyring), or give the packages: --packages FOLDER")
    lines = [f"deb {found[0]} trixie main", f"deb {found[0]} trixie-updates main"]
    return lines + [f"deb {found[1]} trixie-security main" for _ in found[1:2]]


def collect(package, system, work, sources):
    """Resolves, fetches, and returns the files that go onto the card: ours first.

    - Parameter sources: apt's lines of where Debian is.
    """
    ours = os.path.join(work, "ours")
    for folder in ("ours", "lists/partial", "archives/partial", "none"):
        os.makedirs(os.path.join(work, folder))
    shutil.copy(package.path, ours)
    with open(os.path.join(ours, "Packages"), "wb") as file:
        file.write(packages_index([os.path.join(ours, os.path.basename(package.path))]))
    with open(os.path.join(work, "status"), "wb") as file:
        file.write(system.status)
    with open(os.path.join(work, "sources.list"), "w") as file:
        file.write("\n".join([f"deb [trusted=yes] file:{ours} ./", *sources]) + "\n")
    apt = ["apt-get", "-q", "-y", *(word for option in (
        f"Dir::Etc::SourceList={work}/sources.list", f"Dir::Etc::SourceParts={work}/none", f"Dir::Etc::PreferencesParts={work}/none",
        f"Dir::Etc::Preferences={work}/none/preferences", f"Dir::State={work}", f"Dir::State::Lists={work}/lists", f"Dir::State::Status={work}/status",
        f"Dir::Cache={work}", f"Dir::Cache::Archives={work}/archives", f"APT::Architecture={system.architecture}",
        f"APT::Architectures={system.architecture}", "APT::Install-Recommends=false", "APT::Sandbox::User=root", "Acquire::Languages=none",
        "Debug::NoLocking=true", "Acquire::Retries=3",
        # Else lists that can't be fetched are a warning, and what is missing then looks like the image's fault.
        "APT::Update::Error-Mode=any") for word in ("-o", option))]
    updated = run([*apt, "update"], check=False)
    if updated.returncode != 0:
        raise Problem(NO_INPUT, f"Debian's lists can't be fetched: {last_line(updated.stderr)}. Is there a network?")
    wanted = f"scanstation={package.version}"
    # It is carried, and not installed: the card may get another configuration or password.
    install = ["install", *(["--allow-downgrades"] if has_newer(system, package) else []), wanted]
    plan = run([*apt, "-s", "--no-remove", *install], check=False)
    if plan.returncode != 0:
        raise Problem(NOT_OURS, f"{os.path.basename(package.path)} can't be installed on this image: {unmet(plan)}. Nothing was changed.")
    planned = re.findall(r"^Inst (\S+)", plan.stdout.decode(), re.MULTILINE)
    carried = [name for name in planned if NEVER.match(name)]
    if carried:
        raise Problem(NOT_OURS, f"{', '.join(carried)} would have to come onto the card, and the image must have its own: take the vendor's image")
    fetched = run([*apt, "--download-only", *install], check=False)
    if fetched.returncode != 0:
        raise Problem(NO_INPUT, f"what the image lacks can't be fetched: {last_line(fetched.stderr)}")
    return [os.path.join(ours, os.path.basename(package.path)), *sorted(glob.glob(os.path.join(work, "archives", "*.deb")))]


def from_folder(package, system, folder, work):
    """The same from packages that lie in a folder, without a network."""
    others = sorted(path for path in glob.glob(os.path.join(folder, "*.deb")) if look_at(path).name != "scanstation")
    if not others:
        raise Problem(NO_INPUT, f"there is no package in {folder}")
    store = os.path.join(work, "store")
    os.makedirs(store)
    for path in others:
        shutil.copy(path, store)
    with open(os.path.join(store, "Packages"), "wb") as file:
        file.write(packages_index([os.path.join(store, os.path.basename(path)) for path in others]))
    inner = os.path.join(work, "apt")
    os.makedirs(inner)
    files = collect(package, system, inner, [f"deb [trusted=yes] copy:{store} ./"])
    return files


def unmet(plan):
    lines = (plan.stdout + plan.stderr).decode(errors="replace").splitlines()
    found = [line.strip() for line in lines if "Depends:" in line or line.startswith("E:")]
    return "; ".join(found[:3]) or "apt doesn't say why"


def last_line(said):
    lines = [line for line in said.decode(errors="replace").splitlines() if line.startswith(("E:", "W:"))]
    return lines[0][3:] if lines else "apt doesn't say why"


def file_name(path):
    """Debian writes an epoch's colon as %3a; FAT's names have neither problem with it nor use for it."""
    return os.path.basename(path).replace("%3a", ".")


def packages_index(paths):
    """apt's index of a flat folder with these files."""
    paragraphs = []
    for path in sorted(paths, key=file_name):
        control = run(["dpkg-deb", "-f", path]).stdout.decode().strip()
        with open(path, "rb") as file:
            data = file.read()
        paragraphs.append(f"{control}\nFilename: ./{file_name(path)}\nSize: {len(data)}\nSHA256: {hashlib.sha256(data).hexdigest()}\n")
    return "\n".join(paragraphs).encode()


def release(index):
    """What apt wants to see beside it: the index's own sum."""
    return (f"Origin: ScanStation\nLabel: ScanStation card\nSuite: card\nDate: Thu, 01 Jan 1970 00:00:00 UTC\n"
            f"SHA256:\n {hashlib.sha256(index).hexdigest()} {len(index)} Packages\n").encode()
