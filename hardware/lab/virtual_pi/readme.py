"""The commands of a page's section, as a user would type them: docs/installing.md, "On a Raspberry Pi", unless another is named."""

import os
import re

from .workbench import REPOSITORY

DOCUMENT = "docs/installing.md"
HEADING = "## On a Raspberry Pi"


def commands(document=DOCUMENT, heading=HEADING):
    """The lines of the section's shell blocks, in order; remarks behind a "#" are left out."""
    with open(os.path.join(REPOSITORY, document)) as file:
        page = file.read().split(f"\n{heading}\n", 1)
    if len(page) != 2:
        raise ValueError(f"{document} has no section \"{heading}\"")
    text = re.split(r"\n## ", page[1], maxsplit=1)[0]
    found = []
    for block in re.findall(r"^[ ]*```sh\n(.*?)^[ ]*```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            command = re.sub(r"\s+#\s.*$", "", line.strip())
            if command and not command.startswith("#"):
                found.append(command)
    return found
