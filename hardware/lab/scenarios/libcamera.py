"""A libcamera that changes under the station: 0.4 to 0.7, and one that no plugin of the package fits."""

from virtual_pi.scenario import expect, scenario

PACKAGED = "/usr/lib/scanstation"


def installed(pi):
    return pi.agent.run("dpkg-query -W -f '${Package} ${Version} ${db:Status-Abbrev}\\n' 'libcamera0.*' | grep '^libcamera0.*ii' | "
                        "cut -d' ' -f1,2").out.strip().replace("\n", ", ")


@scenario("libcamera-0.7", needs="disk", arch=("amd64",))
def newer(bench):
    """Debian 13's libcamera 0.4 gives way to 0.7 of backports: the other plugin is chosen, at the next start, and reads."""
    pi = bench.machine("libcamera")
    pi.power_on()
    pi.watch()
    mark = pi.set_up("03-code128")
    pi.wait_scan(since=mark)
    before = installed(pi)
    plugins = pi.agent.run("scanstation camera plugins", check=False).out
    pi.agent.run("apt-get install -y -q -t trixie-backports libcamera0.7 libcamera-ipa libcamera-tools libcamera-dev && "
                 "apt-get remove -y -q libcamera0.4", timeout=900)
    mark = pi.set_up("03-code128")
    told = pi.wait_scan(since=mark)
    after = installed(pi)
    expect("libcamera0.7" in after and "libcamera0.4" not in after, f"installed is {after}")
    mapped = pi.agent.run("grep -ho '/[^ ]*libcamera[^ ]*' /proc/$(systemctl show -p MainPID --value scanstation)/maps | "
                          "sort -u").out.split()
    expect(any(path.endswith("libcamera-0.7.so") for path in mapped), f"the process has mapped {mapped}")

    # As after the next libcamera: none of the package's plugins fits. One is built here, of the files that the package brings.
    pi.agent.run(f"mkdir /root/away && mv {PACKAGED}/libcamera-*.so /root/away/")
    mark = pi.restart(camera=None)
    none = pi.wait_state("camera", "unavailable", since=mark, reason="noPlugin")
    expect("scanstation camera build" in none.get("detail", ""), f"the station doesn't say what to do: {none}")
    built = pi.agent.run("scanstation camera build", timeout=900)
    mark = pi.restart()
    pi.wait_scan(since=mark)
    return (f"{before}: reads; {after}: reads {told['text']} through libcamera-0.7.so; none fits: \"noPlugin\", "
            f"`scanstation camera build`: {built.out.strip().splitlines()[0]}; reads"
            + ("" if plugins else " (scanstation camera plugins said nothing)"))
