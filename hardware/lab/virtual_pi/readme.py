"""A page's section: its commands, as a user would type them (docs/installing.md, "On a Raspberry Pi", unless another is named), and its steps."""

import os
import re

from .workbench import REPOSITORY

DOCUMENT = "docs/installing.md"
HEADING = "## On a Raspberry Pi"


def section(document, heading):
    """The text below a heading, down to the next one of its level."""
    with open(os.path.join(REPOSITORY, document)) as file:
        page = file.read().split(f"\n{heading}\n", 1)
    if len(page) != 2:
        raise ValueError(f"{document} has no section \"{heading}\"")
    return re.split(r"\n## ", page[1], maxsplit=1)[0]


def steps(document, heading):
    """What a person does, by the bold beginnings of the section's numbered list."""
    return [step.rstrip(":. ") for step in re.findall(r"^\d+\. \*\*(.*?)\*\*", section(document, heading), re.MULTILINE)]


def commands(document=DOCUMENT, heading=HEADING):
    """The lines of the section's shell blocks, in order; remarks behind a "#" are left out."""
    found = []
    for block in re.findall(r"^[ ]*```sh\n(.*?)^[ ]*```", section(document, heading), re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            command = re.sub(r"\s+#\s.*$", "", line.strip())
            if command and not command.startswith("#"):
                found.append(command)
    return found
