"""The commands of docs/installing.md, "On a Raspberry Pi", as a user would type them."""

import os
import re

from .workbench import REPOSITORY

DOCUMENT = "docs/installing.md"
HEADING = "## On a Raspberry Pi"


def commands():
    """The lines of the section's shell blocks, in order; remarks behind a "#" are left out."""
    with open(os.path.join(REPOSITORY, DOCUMENT)) as file:
        page = file.read().split(f"\n{HEADING}\n", 1)
    if len(page) != 2:
        raise ValueError(f"{DOCUMENT} has no section \"{HEADING}\"")
    text = re.split(r"\n## ", page[1], maxsplit=1)[0]
    found = []
    for block in re.findall(r"^[ ]*```sh\n(.*?)^[ ]*```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            command = re.sub(r"\s+#\s.*$", "", line.strip())
            if command and not command.startswith("#"):
                found.append(command)
    return found
