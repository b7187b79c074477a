"""docs/installing.md, "On a Raspberry Pi", followed to the letter on a machine that has never seen ScanStation."""

import os
import re
import shutil
import time

from virtual_pi.readme import commands
from virtual_pi.scenario import expect, scenario
from virtual_pi.workbench import CUT_TEXTS

# Commands that go on until somebody ends them: they are given this long, and must have said something by then.
ENDLESS = re.compile(r"\bscanstation watch\b|journalctl\b.*-\w*f|\bscanstation run\b")
ENDLESS_SECONDS = 20
USER = "pi"


def to_this_machine(command, bench):
    """The page names the package as "scanstation_…_arm64.deb": here it is the one of this machine."""
    return re.sub(r"\./scanstation_\S*?_(arm64|amd64)\.deb", f"./{os.path.basename(bench.deb)}", command)


@scenario("install-by-readme", needs="nothing", arch=("amd64", "arm64"))
def install(bench):
    page = commands()
    expect(any("apt install ./scanstation" in command for command in page),
           f"docs/installing.md has no command that installs the package; it has: {page}")
    pi = bench.machine("install")
    pi.power_on()
    bench.figures["accelerator"] = pi.accelerator
    bench.figures["kernel"] = pi.agent.run("uname -r").out.strip()
    # A user as Raspberry Pi Imager makes one, who has downloaded the package.
    pi.agent.run(f"useradd -m -s /bin/bash -G sudo {USER} && echo '{USER} ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/{USER} && "
                 f"cp /lab/deb/{os.path.basename(bench.deb)} /home/{USER}/")
    # Codes that come and go, for a browser that follows the page.
    pi.show("cuts")
    before = int(pi.agent.run("df --output=used -k / | tail -n 1").out)
    followed = []
    for command in page:
        command = to_this_machine(command, bench)
        started = time.monotonic()
        if ENDLESS.search(command):
            outcome = pi.agent.run(f"timeout {ENDLESS_SECONDS} {command}", user=USER, check=False)
            expect(outcome.code == 124 and CUT_TEXTS[0][:4] in outcome.out,
                   f"docs/installing.md says, and it ended or told of no code:\n{outcome}")
        else:
            # Enter, where apt asks whether to go on.
            outcome = pi.agent.run(command, user=USER, check=False, timeout=1800, input=b"\n")
            expect(outcome.code == 0, f"docs/installing.md says, and it failed:\n{outcome}")
        if "apt install" in command and "apt install" not in bench.figures:
            bench.figures["apt install"] = f"{time.monotonic() - started:.1f} s"
            expect("Errors were encountered" not in outcome.out, str(outcome))
        followed.append(command)
    after = int(pi.agent.run("sync; df --output=used -k / | tail -n 1").out)
    bench.figures["package"] = os.path.getsize(bench.deb)
    bench.figures["installed size"] = int(bench.package_field("Installed-Size")) * 1024
    bench.figures["disk used with dependencies"] = (after - before) * 1024
    installed = pi.agent.run("dpkg-query -W -f '${Status} ${Version}' scanstation").out
    expect(installed == f"install ok installed {bench.version}", f"dpkg says: {installed}")
    active = pi.agent.run("systemctl is-enabled scanstation; systemctl is-active scanstation", check=False).out.split()
    expect(active == ["enabled", "active"], f"the service is {active}\n{pi.log_tail()}")
    groups = pi.agent.run("id -Gn scanstation").out.split()
    expect({"video", "gpio", "dialout"} <= set(groups), f"the user scanstation is in {groups}")

    # The lab's own wiring, for what follows; the journal begins empty.
    pi.agent.run("systemctl stop scanstation; rm -rf /var/lib/scanstation/*; sync")
    pi.agent.write("/etc/scanstation/station.yaml", pi.wiring())
    pi.power_off()
    # Kept under another name: the machine's folder may go.
    bench.golden = os.path.join(bench.folder, "golden.qcow2")
    shutil.move(pi.disk, bench.golden)
    return f"{len(followed)} commands of docs/installing.md:\n" + "\n".join(followed)
