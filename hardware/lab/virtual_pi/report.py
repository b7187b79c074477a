"""The report of a run, as Markdown: printed, and appended to a file when one is named."""

import hashlib
import os
import subprocess
import sys

from .readme import section

# Said once, where who flashes a card reads it.
NOT_SHOWN = ("docs/flashing.md", "## What the virtual Pi can't show")


def megabytes(count):
    return f"{count / 1e6:.1f} MB"


def write_report(run, total):
    text = compose(run, total)
    print("\n" + text, flush=True)
    if run.options.report:
        with open(run.options.report, "a") as file:
            file.write(text + "\n")


def command(words):
    """The command as somebody would type it again: without the file that the report goes to."""
    words = list(words)
    if "--report" in words:
        place = words.index("--report")
        del words[place:place + 2]
    return " ".join(["hardware/lab/lab", *words])


def compose(run, total):
    bench, figures = run.bench, dict(run.bench.figures)
    cuts = figures.pop("power cuts", [])
    for name in ("package", "installed size", "disk used with dependencies"):
        if name in figures:
            figures[name] = megabytes(figures[name])
    version = subprocess.run([f"qemu-system-{'x86_64' if bench.arch == 'amd64' else 'aarch64'}", "--version"],
                             stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[0]
    with open(bench.deb, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    lines = [
        f"## {bench.arch}", "",
        f"{run.started:%Y-%m-%d %H:%M} UTC, `{command(sys.argv[1:])}`, {version}, "
        f"accelerator {figures.pop('accelerator', '?')}, kernel {figures.pop('kernel', '?')}; {os.path.basename(bench.deb)} (sha256 {digest[:16]}…); "
        f"{total:.0f} s in all.", "",
        "| scenario | verdict | s | what was seen |", "|---|---|---|---|",
    ]
    for scenario in run.done:
        seen = scenario.seen.replace("|", "\\|").replace("\n", "<br>")
        lines.append(f"| {scenario.name} | {'pass' if scenario.passed else '**FAIL**'} | {scenario.seconds:.1f} | {seen} |")
    if any(scenario.needs == "card" for scenario in run.done):
        lines += ["", "What `flash` can't show, each with the command on a Pi that would settle it:", ""]
        lines += [line for line in section(*NOT_SHOWN).splitlines() if line.startswith("|")]
    lines += ["", "| figure | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in figures.items()]
    if cuts:
        lines += ["", "Power cuts: scans told and beeps heard before each, what the disk did with what was not flushed, and how many "
                  "of the scans told so far were missing at the boot before it.", "",
                  "| cut | scans | beeps | writes | flushes | sectors forgotten | unflushed sectors kept | scans lost |",
                  "|---|---|---|---|---|---|---|---|"]
        for row in cuts:
            lines.append(f"| {row['cut']} | {row['scans']} | {row['beeps']} | {row.get('writes', '')} | {row.get('flushes', '')} | "
                         f"{row.get('forgotten', '')} | {row.get('kept', '')} | {row['lost before']} |")
    return "\n".join(lines) + "\n"
