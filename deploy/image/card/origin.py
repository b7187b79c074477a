"""What a package was made of, and whether the tree beside it has gone on since. Every package of a version has the same name."""

import os
import time

from .problem import run

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
# What a package's programs come from.
SOURCES = ("Package.swift", "Sources", "deploy", ":(exclude)deploy/image")
COMMITS = 1000


def describe(package, tree=TREE):
    """Lines to be shown: file, dates and commit; and a warning where the sources are newer. Never fails: without git there is less to say."""
    path = package.path
    made = _date(os.path.getmtime(path))
    recorded = _recorded(path)
    if recorded is None:
        return [f"package: {path}, of {made}"]
    commit = next((word for seconds, word in _log(tree) if seconds == recorded), None)
    lines = [f"package: {path}, of {made}; its sources are of {_date(recorded)}" + (f", commit {commit}" if commit else "")]
    newer = [seconds for seconds, _ in _log(tree, *SOURCES) if seconds > recorded]
    if newer:
        count = f"{len(newer)} commits" if len(newer) > 1 else "a commit"
        lines.append(f"warning: the sources here are newer than this package, by {count}, the last one of {_date(max(newer))}: "
                     f"make deb ARCH={package.architecture} builds it again")
    return lines


def _date(seconds):
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _recorded(path):
    """What dpkg-deb wrote into the archive's first header: the time of the last commit (SOURCE_DATE_EPOCH, deploy/package/build)."""
    try:
        with open(path, "rb") as file:
            return int(file.read(36)[24:])
    except (OSError, ValueError):
        return None


def _log(tree, *paths):
    """Times and short names of commits, newest first; empty where there is no git or no tree of it."""
    if not os.path.exists(os.path.join(tree, ".git")):
        return []
    try:
        # The tree may belong to another user than root.
        done = run(["git", "-c", f"safe.directory={tree}", "-C", tree, "log", f"-{COMMITS}", "--format=%ct %h", "--", *paths], check=False)
        return [(int(seconds), name) for seconds, name in (line.split() for line in done.stdout.decode().splitlines())]
    except (OSError, ValueError):
        return []
