"""The package's life: upgrade, downgrade, removal, purge."""

import os

from virtual_pi.scenario import expect, scenario

APT = "DEBIAN_FRONTEND=noninteractive apt-get -y -q"


@scenario("package-life", needs="disk", arch=("amd64", "arm64"))
def life(bench):
    """Upgraded while it scans, not downgraded by accident, removed with the journal kept, purged without a trace."""
    pi = bench.machine("packages")
    pi.power_on()
    pi.watch()
    mark = pi.set_up("03-code128")
    pi.wait_scan(since=mark)
    configuration = pi.agent.run("sha256sum /etc/scanstation/station.yaml").out
    kept = len(pi.journal())
    seen = []

    mark = pi.agent.mark()
    upgrade = pi.agent.run(f"{APT} install /lab/deb/newer.deb", timeout=600)
    expect("dpkg: warning" not in upgrade.out + upgrade.err, str(upgrade))
    version = pi.agent.run("dpkg-query -W -f '${Version}' scanstation").out
    expect(version == bench.newer, f"after the upgrade it is {version}")
    expect(pi.agent.run("systemctl is-active scanstation", check=False).out.strip() == "active", "the service doesn't run")
    pi.wait_camera("running", since=mark)
    pi.wait_scan(since=mark)
    expect(pi.agent.run("sha256sum /etc/scanstation/station.yaml").out == configuration, "the configuration was changed")
    expect(len(pi.journal()) > kept, "scans from before the upgrade are gone")
    seen.append(f"upgraded to {version}: service restarted, configuration and {kept} scan(s) kept")

    pid = pi.main_pid()
    downgrade = pi.agent.run(f"{APT} --allow-downgrades install /lab/deb/{os.path.basename(bench.deb)}", timeout=600, check=False)
    expect(downgrade.code != 0, f"the downgrade went through: {downgrade}")
    said = next((line for line in (downgrade.err + downgrade.out).splitlines() if "older" in line), None)
    expect(said, f"no reason is given: {downgrade}")
    expect(pi.agent.run("dpkg-query -W -f '${Status} ${Version}' scanstation").out == f"install ok installed {bench.newer}",
           "the refusal left a half installed package")
    expect(pi.main_pid() == pid, "the refusal restarted the service")
    seen.append(f"downgrade refused: \"{said.strip()}\", the service went on")

    # The same once more: maintainer scripts do no harm the second time.
    again = pi.agent.run(f"{APT} --reinstall install /lab/deb/newer.deb", timeout=600)
    expect(again.code == 0, str(again))

    rows = len(pi.journal())
    pi.agent.run(f"{APT} remove scanstation", timeout=600)
    expect(pi.agent.run("systemctl is-active scanstation", check=False).out.strip() == "inactive", "it runs after its removal")
    left = pi.agent.run("ls /etc/scanstation/station.yaml /var/lib/scanstation/journal.db; test ! -e /usr/bin/scanstation", check=False)
    expect(left.code == 0, f"after removal: {left}")
    seen.append("removed: stopped, configuration and journal left")

    pi.agent.run(f"{APT} install /lab/deb/newer.deb", timeout=600)
    pi.wait_camera("running", since=pi.agent.mark())
    expect(len(pi.journal()) >= rows, "the journal of before the removal is not used again")
    seen.append("installed again: the same journal")

    pi.agent.run(f"{APT} purge scanstation", timeout=600)
    traces = pi.agent.run(
        "find / -xdev \\( -path /proc -o -path /sys -o -path /lab -o -path /home -o -path /root -o -path /var/log "
        "-o -path /var/lib/dpkg -o -path /var/cache -o -path /tmp -o -path /var/tmp \\) -prune -o "
        "\\( -iname '*scanstation*' \\) -print").out.split()
    lab_own = [path for path in traces if not path.startswith("/etc/systemd/system/scanstation.service.d")]
    expect(not lab_own, f"left after the purge: {lab_own}")
    failed = pi.agent.run("systemctl --failed --no-legend | cat").out.strip()
    expect("scanstation" not in failed, f"systemd has a failed unit left: {failed}")
    seen.append("purged: no file of its name is left")
    return "; ".join(seen)
