"""How a run ends that changes nothing."""

import argparse
import os
import shutil
import subprocess
import sys

# Exit codes, as sysexits(3) has them.
USAGE = 64
BAD_ANSWER = 65
NO_INPUT = 66
NOT_OURS = 69
NO_ROOM = 73
BROKEN_IMAGE = 74
NO_PERMISSION = 77


class Problem(Exception):
    """Says what was tried, what is the case, and what to do. `code` is the exit code."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Parser(argparse.ArgumentParser):
    """Ends with the exit code that sysexits(3) has for wrong use."""

    def error(self, message):
        self.print_usage(sys.stderr)
        print(f"{self.prog}: {message}; --help says more", file=sys.stderr)
        sys.exit(USAGE)


DEBIAN_ELSEWHERE = "Run it on Debian 12 or newer: on a PC, in a virtual machine or a container, on Windows in WSL with Debian"


def need_tools(*wanted, elsewhere=DEBIAN_ELSEWHERE):
    """`wanted`: pairs of a program and the Debian package that has it. `elsewhere`: what to do on a system that isn't Debian."""
    programs = [program for program, _ in wanted if not find_tool(program)]
    packages = " ".join(sorted({package for program, package in wanted if program in programs}))
    if not programs:
        return
    if find_tool("apt-get") and find_tool("dpkg"):
        raise Problem(NOT_OURS, f"programs are missing here. Run: sudo apt install {packages}")
    raise Problem(NOT_OURS, f"{', '.join(programs)} can't be found here, and this isn't Debian, whose packages have them ({packages}). {elsewhere}")


def find_tool(program):
    """Users other than root have no sbin in their path, where debugfs and e2fsck are."""
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")


def run(command, **more):
    """A tool's output; by its absolute path, and in English, as messages of it are shown."""
    more.setdefault("check", True)
    path = find_tool(command[0]) or command[0]
    environment = {**more.pop("env", os.environ), "LC_ALL": "C.UTF-8"}
    return subprocess.run([path, *command[1:]], stdin=subprocess.DEVNULL if "input" not in more else None,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, **more)
