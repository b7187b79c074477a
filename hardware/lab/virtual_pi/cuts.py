"""The record of the power cuts that take minutes each: one line a cut, which adds up over runs, seeds and days (cuts.tsv)."""

import contextlib
import datetime
import hashlib
import os
import subprocess

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
DEFAULT = os.path.join(HERE, "cuts.tsv")
REPORT = os.path.join(HERE, "report.md")
COLUMNS = ("date", "commit", "package", "scenario", "seed", "life", "cut", "at", "of", "done", "keep", "writes", "flushes", "forgotten", "kept",
           "verdict", "seen")
# A person may end a run because it hangs: so what was cut and not judged is on record, too.
PASS, FAIL, BROKEN_OFF = "pass", "FAIL", "broken off"
HEADING = "## Power cuts in all"


def commit():
    """What is checked out. The record and the report change with each run, and don't make it another tree."""
    git = ["git", "-c", "safe.directory=*", "-C", REPOSITORY]
    name = subprocess.run([*git, "rev-parse", "--short=7", "HEAD"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip() or "?"
    others = [f":(exclude){os.path.relpath(path, REPOSITORY)}" for path in (DEFAULT, REPORT)]
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", ":/", *others], check=False).returncode
    return name + ("-dirty" if changed else "")


def digest(package):
    """Begins like the sum in the report: the commit is the tree's, and a package may be older."""
    with open(package, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def read(path):
    if not path or not os.path.exists(path):
        return []
    with open(path) as file:
        lines = file.read().splitlines()
    return [dict(zip(COLUMNS, line.split("\t"))) for line in lines[1:]]


def cell(value):
    return " ".join(str(value).split())[:300]


class Life:
    """One machine's cuts, one after the other, before it is looked at. They share a verdict: nobody knows which of them did the harm."""

    def __init__(self, number):
        self.number = number
        self.rows = []


class CutRecord:
    """`path`: where to; none, and nothing is kept. `package` is asked for when there is something to write."""

    def __init__(self, path, seed, package):
        self.path = path
        self.seed = str(seed)
        self.package = package
        self.commit = commit()

    def rows(self, scenario):
        return [row for row in read(self.path) if row["scenario"] == scenario]

    def length(self, scenario, otherwise):
        """How long what is cut took at the last one on record."""
        return next((float(row["of"]) for row in reversed(self.rows(scenario))), otherwise)

    def in_all(self, scenario):
        return in_words(self.rows(scenario)) if self.path else "not on record"

    def next_life(self, scenario):
        """The same seed again goes on where the record ends, so that no run repeats another's moments."""
        return max([int(row["life"]) for row in self.rows(scenario) if row["seed"] == self.seed], default=0) + 1

    @contextlib.contextmanager
    def life(self, scenario, number):
        """Around one machine's cuts and the look at what became of it. However it ends, each cut is one line of the record at once."""
        life = Life(number)
        verdict, seen = BROKEN_OFF, "the run was ended"
        try:
            yield life
            verdict, seen = PASS, ""
        except Exception as error:
            verdict, seen = FAIL, str(error) or type(error).__name__
            raise
        finally:
            self.write(scenario, life, verdict, seen)

    def write(self, scenario, life, verdict, seen):
        if not self.path or not life.rows:
            return
        new = not os.path.exists(self.path)
        date = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%MZ}"
        package = digest(self.package())
        with open(self.path, "a") as file:
            if new:
                file.write("\t".join(COLUMNS) + "\n")
            for number, row in enumerate(life.rows, 1):
                whole = {**row, "date": date, "commit": self.commit, "package": package, "scenario": scenario, "seed": self.seed,
                         "life": life.number, "cut": number, "done": "yes" if row.get("done") else "no", "verdict": verdict, "seen": seen}
                file.write("\t".join(cell(whole.get(name, "")) for name in COLUMNS) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # With sudo, what lies in the tree belongs to the user who called it.
        if new and "SUDO_UID" in os.environ:
            os.chown(self.path, int(os.environ["SUDO_UID"]), int(os.environ["SUDO_GID"]))


def learn(row, length):
    """How long what is cut takes here, by a machine's first cut: what was done by then is no longer; what wasn't, near the end, is. A slower machine's
    cuts would all fall into its beginning otherwise."""
    return min(length, row["at"]) if row["done"] else max(length, row["at"] * 1.25)


def count(rows):
    return {"cuts": len(rows), **{verdict: sum(row["verdict"] == verdict for row in rows) for verdict in (FAIL, BROKEN_OFF)}}


def in_words(rows):
    counted = count(rows)
    text = f"{counted['cuts']} cuts in all, {counted[FAIL]} failed"
    return text + (f", {counted[BROKEN_OFF]} not judged" if counted[BROKEN_OFF] else "")


def dates(rows):
    days = sorted({row["date"][:10] for row in rows})
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def line(name, what, rows):
    counted = count(rows)
    lives = len({(row["seed"], row["life"]) for row in rows})
    return (f"| {name} | {what} | {counted['cuts']} | {lives} | {'**%d**' % counted[FAIL] if counted[FAIL] else 0} | {counted[BROKEN_OFF]} | "
            f"{sum(int(row['forgotten'] or 0) for row in rows)} | {', '.join(sorted({row['seed'] for row in rows}))} | {dates(rows)} |")


def summary(path):
    """The record, counted: for each scenario the whole, then each commit it consists of; and what failed."""
    rows = read(path)
    text = [HEADING, "", f"From `{os.path.relpath(path, REPOSITORY)}`, which has a line for each cut; several cuts in one life share its verdict.", ""]
    if not rows:
        return "\n".join([*text, "There are none yet.", ""])
    text += ["| scenario | commit | cuts | lives | failed | not judged | sectors forgotten | seeds | when |", "|---|---|---|---|---|---|---|---|---|"]
    for scenario in dict.fromkeys(row["scenario"] for row in rows):
        of_it = [row for row in rows if row["scenario"] == scenario]
        text.append(line(scenario, "all", of_it))
        text += [line("", name, [row for row in of_it if row["commit"] == name]) for name in dict.fromkeys(row["commit"] for row in of_it)]
    failed = [row for row in rows if row["verdict"] == FAIL and row["cut"] == "1"]
    if failed:
        text += ["", "Failed:", ""]
        text += [f"- {row['scenario']}, commit {row['commit']}, seed {row['seed']}, life {row['life']}, {row['date']}: {row['seen']}" for row in failed]
    return "\n".join([*text, ""])


def put_summary(path, report):
    """Into the report, in place of the one it had; what else it says stays."""
    text = ""
    if os.path.exists(report):
        with open(report) as file:
            text = file.read()
    before, found, after = text.partition(HEADING + "\n")
    if found:
        rest = after.partition("\n## ")
        text = before + summary(path) + (f"\n## {rest[2]}" if rest[1] else "")
    else:
        text = text.rstrip("\n") + ("\n\n" if text.strip() else "") + summary(path)
    with open(report, "w") as file:
        file.write(text)
