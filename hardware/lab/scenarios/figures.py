"""What the installed service costs, beside the desk's run of the same program in the same machine."""

import time

from virtual_pi.scenario import expect, scenario

SECONDS = 20
# Memory (PSS) and processor time of a process and its children, in KiB and seconds.
MEASURE = """
sum_pss() { total=0; for p in "$@"; do v=$(awk '/^Pss:/ { print $2 }' /proc/$p/smaps_rollup 2>/dev/null); total=$((total + ${v:-0})); done; echo $total; }
sum_cpu() { total=0; for p in "$@"; do v=$(awk '{ print $14 + $15 }' /proc/$p/stat 2>/dev/null); total=$((total + ${v:-0})); done; echo $total; }
pids="PID $(pgrep -P PID | tr '\\n' ' ')"
before=$(sum_cpu $pids); sleep SECONDS; after=$(sum_cpu $pids)
echo $(sum_pss $pids) $((after - before)) $(getconf CLK_TCK)
"""


def measure(pi, pid):
    out = pi.agent.run(MEASURE.replace("PID", str(pid)).replace("SECONDS", str(SECONDS)), timeout=SECONDS + 60).out.split()
    pss, ticks, hertz = map(int, out)
    return pss * 1024, ticks / hertz / SECONDS * 100


@scenario("figures", arch=("amd64", "arm64"))
def figures(bench, pi):
    """Memory and idle processor time of the installed service, and of `run --simulate` beside it; start to first scan."""
    starts = []
    for _ in range(3):
        pi.agent.run("systemctl stop scanstation", check=False)
        pi.show("03-code128")
        mark = pi.agent.mark()
        started = time.monotonic()
        pi.agent.run("systemctl --no-block start scanstation")
        pi.wait_scan(since=mark)
        starts.append(time.monotonic() - started)
    bench.figures["service start to first scan"] = f"{sorted(starts)[1]:.1f} s (median of 3)"

    # Idle: the camera runs, nothing is in view.
    idle = "capture: {preset: low, frameRate: 10}\njournal: {storage: memory}\n"
    pi.set_up("05-empty", pi.wiring())
    pi.agent.run("sleep 5")
    service = measure(pi, pi.main_pid())
    pi.agent.run("systemctl stop scanstation")
    pi.agent.write("/tmp/desk.yaml", idle)
    pid = pi.agent.start("desk", "exec scanstation run --simulate --config /tmp/desk.yaml --socket /tmp/desk.sock "
                                 "--scene /usr/share/scanstation/scene/05-empty.png >/dev/null")
    pi.agent.run("sleep 8")
    desk = measure(pi, pid)
    pi.agent.stop("desk")
    expect(service[0] > 0 and desk[0] > 0, f"nothing was measured: {service}, {desk}")
    bench.figures["memory (PSS, with readers)"] = (
        f"{service[0] / 1e6:.1f} MB; desk run in the same machine {desk[0] / 1e6:.1f} MB; ratio {service[0] / desk[0]:.2f}")
    bench.figures["idle processor time"] = (
        f"{service[1]:.1f} % of a processor (emulated); desk run {desk[1]:.1f} %; ratio {service[1] / max(desk[1], 0.05):.2f}")
    return (f"PSS {service[0] / 1e6:.1f} MB (desk {desk[0] / 1e6:.1f}), idle {service[1]:.1f} % (desk {desk[1]:.1f} %), "
            f"start to first scan {sorted(starts)[1]:.1f} s")
