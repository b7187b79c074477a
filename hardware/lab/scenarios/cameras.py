"""Cameras that somebody else has, that go and come, and that a user may not use."""

import time

from virtual_pi.agent import station_event
from virtual_pi.scenario import expect, scenario

CODE = "WEBCAM-1"
OTHER_CODE = "WEBCAM-2"


def plug_in(pi, code=CODE, options="", kind="yuyv"):
    pi.agent.start("webcam", f"exec /lab/webcam/webcam {options} /lab/webcam/{code[-1]}.{kind} 2>&1")
    pi.agent.run("for i in $(seq 200); do ls /dev/video* >/dev/null 2>&1 && udevadm settle && exit; sleep 0.1; done; exit 1",
                 timeout=180)


def unplug(pi):
    pi.agent.stop("webcam", "KILL")


@scenario("camera-in-use")
def in_use(bench, pi):
    """A USB webcam (uvcvideo) that another program has: `inUse`; once it is released, the station takes over by itself."""
    pi.agent.run("systemctl stop scanstation", check=False)
    pi.show(None)
    pi.configure(pi.wiring())
    plug_in(pi)
    pi.agent.start("cam", "exec cam -c 1 -C 2>&1 | head -c 100000000")
    pi.agent.wait(lambda e: e.get("from") == "cam" and "fps" in e.get("line", ""), "frames in another program", timeout=90)
    mark = pi.restart(camera=None)
    told = pi.wait_state("camera", "inUse", since=mark, timeout=120)
    mark = pi.agent.mark()
    pi.agent.stop("cam")
    pi.wait_camera("running", since=mark, timeout=120)
    scan = pi.wait_scan(CODE, since=mark)
    model = pi.status()["camera"].get("model", "")
    unplug(pi)
    return f"inUse: \"{told.get('detail', '')}\"; running once cam had ended; {scan['text']} read through {model!r}"


@scenario("camera-unplugged")
def unplugged(bench, pi):
    """A USB webcam is unplugged while it runs, and plugged in again: lost with a clear word, and back without a person."""
    pi.agent.run("systemctl stop scanstation", check=False)
    pi.show(None)
    pi.configure(pi.wiring())
    plug_in(pi)
    mark = pi.restart()
    pi.wait_scan(CODE, since=mark)
    before = pi.main_pid()
    mark = pi.agent.mark()
    pulled = time.monotonic()
    unplug(pi)
    gone = station_event(pi.agent.wait(
        lambda e: station_event(e).get("part") == "camera" and station_event(e).get("state") == "unavailable",
        "the station to notice that the camera is gone", since=mark, timeout=180))
    expect(gone.get("reason") == "disconnected", f"the station says {gone}")
    noticed = time.monotonic() - pulled
    pi.agent.run("sleep 3")
    mark = pi.agent.mark()
    plugged = time.monotonic()
    # A code that may never have left the view while there was no camera isn't scanned again: another one is shown.
    plug_in(pi, OTHER_CODE)
    pi.wait_scan(OTHER_CODE, since=mark, timeout=180)
    back = time.monotonic() - plugged
    expect(pi.main_pid() == before, f"it was a new process that read again\n{pi.log_tail()}")
    unplug(pi)
    return (f"{gone['state']} ({gone.get('reason', '')}) after {noticed:.1f} s: \"{gone.get('detail', '')}\"; "
            f"reading again {back:.1f} s after it was plugged in, by the same process")


@scenario("camera-mjpeg")
def mjpeg(bench, pi):
    """A webcam with nothing but MJPEG is read; cut frames are left out, counted and told once; nothing but those is a state that says so."""
    pi.agent.run("systemctl stop scanstation", check=False)
    pi.show(None)
    # It delivers ten a second, and that is what the station says, however many are asked for.
    pi.configure(pi.wiring().replace("frameRate: 10", "frameRate: 30"))
    plug_in(pi, options="--mjpeg", kind="jpeg")
    mark = pi.restart()
    pi.wait_scan(CODE, since=mark)
    camera = pi.status()["camera"]
    expect(camera["format"] == "MJPEG" and camera["resolution"] == "640x480", f"the camera is {camera}")
    expect(round(camera["frameRate"]) == 10, f"the webcam gives 10 frames a second, and the station says {camera['frameRate']}")
    spent = busy(pi)
    doctor = pi.agent.run("scanstation doctor", check=False).out
    expect("640x480 MJPEG" in doctor, f"doctor doesn't say what the camera gives:\n{doctor}")
    before = pi.main_pid()

    unplug(pi)
    pi.wait_state("camera", "unavailable", since=mark, reason="disconnected")
    mark = pi.agent.mark()
    plug_in(pi, OTHER_CODE, options="--mjpeg --cut 3", kind="jpeg")
    pi.wait_scan(OTHER_CODE, since=mark, timeout=180)
    damaged = wait_damaged(pi, 30)
    # The log has it from the camera's own controller, and as the station's error event.
    told = pi.agent.run("journalctl -u scanstation -o cat --no-pager | grep -c 'capture: .* came damaged and were left out'", check=False).out
    expect(told.strip() == "1", f"damaged frames were told {told.strip()} times, not once\n{pi.log_tail()}")

    mark = pi.agent.mark()
    unplug(pi)
    pi.wait_state("camera", "unavailable", since=mark, reason="disconnected")
    mark = pi.agent.mark()
    plug_in(pi, OTHER_CODE, options="--mjpeg --cut 1", kind="jpeg")
    failed = pi.wait_state("camera", "unavailable", since=mark, reason="streamFailed")
    expect("MJPEG" in failed.get("detail", ""), f"the state doesn't say why: {failed}")

    mark = pi.agent.mark()
    unplug(pi)
    plug_in(pi, CODE, options="--mjpeg", kind="jpeg")
    pi.wait_scan(CODE, since=mark, timeout=180)
    expect(pi.main_pid() == before, f"it was a new process that read again\n{pi.log_tail()}")
    unplug(pi)
    return (f"640x480 MJPEG, 10 fps; of a processor {spent}; every third frame cut: read, {damaged} counted, told once; "
            f"all cut: \"{failed['detail']}\"; read again by the same process")


def wait_damaged(pi, count):
    for _ in range(200):
        damaged = pi.status()["camera"]["framesDamaged"]
        if damaged >= count:
            return damaged
        pi.agent.run("sleep 0.2")
    raise AssertionError(f"{damaged} frames are counted as damaged, {count} were waited for\n{pi.log_tail()}")


def busy(pi, wait=5):
    """What the station's processes take of a processor."""
    def total():
        out = pi.agent.run("cat /proc/[0-9]*/stat 2>/dev/null | grep '(scanstation'", check=False).out
        return sum(int(field) for line in out.splitlines() for field in line.rsplit(") ", 1)[1].split()[11:13])
    begin = total()
    pi.agent.run(f"sleep {wait}")
    return f"{(total() - begin) / wait:.0f} %"


@scenario("camera-formats")
def formats(bench, pi):
    """A webcam that offers YUYV twice a second and MJPEG ten times: asked for ten, MJPEG; asked for two, YUYV."""
    pi.agent.run("systemctl stop scanstation", check=False)
    pi.show(None)
    pi.configure(pi.wiring())
    plug_in(pi, options="--both", kind="jpeg")
    mark = pi.restart()
    pi.wait_scan(CODE, since=mark)
    given = pi.status()["camera"]
    expect(given["format"] == "MJPEG", f"ten frames a second were asked for: {given}")
    line = pi.agent.run("journalctl -u scanstation -o cat --no-pager | grep 'much more than' | tail -n 1", check=False).out.strip()
    expect("YUYV 640x480, 2 fps" in line, f"the log doesn't say what MJPEG was chosen over: {line}")
    unplug(pi)
    pi.configure(pi.wiring().replace("frameRate: 10", "frameRate: 2"))
    pi.agent.run("systemctl stop scanstation", check=False)
    # The webcam that has none ends when it is asked for YUYV: what is tried here is that it is asked.
    mark = pi.agent.mark()
    plug_in(pi, options="--both", kind="jpeg")
    pi.restart(camera=None)
    pi.agent.wait(lambda e: e.get("from") == "webcam" and "chose YUYV" in e.get("line", ""), "the webcam to be asked for YUYV",
                  since=mark, timeout=120)
    unplug(pi)
    return f"\"{line}\"; two frames a second asked for: YUYV"


@scenario("vimc")
def media_driver(bench, pi):
    """The kernel's media test driver comes and goes by bind and unbind: it is listed, and a camera without luma is refused."""
    pi.agent.run("systemctl stop scanstation", check=False)
    pi.show(None)
    pi.agent.run("echo vimc.0 >/sys/bus/platform/drivers/vimc/bind && udevadm settle")
    try:
        pi.configure(pi.wiring())
        mark = pi.restart(camera=None)
        told = pi.wait_state("camera", "unavailable", since=mark, reason="noLumaFormat")
        listed = pi.agent.run("scanstation cameras", check=False).out
        expect("vimc" in listed, f"`scanstation cameras` doesn't list it:\n{listed}")
    finally:
        pi.agent.run("echo vimc.0 >/sys/bus/platform/drivers/vimc/unbind", check=False)
    mark = pi.agent.mark()
    pi.show("03-code128")
    pi.restart()
    pi.wait_scan(since=mark)
    return f"listed; {told['state']} {told.get('reason', '')}: \"{told.get('detail', '')}\"; the virtual camera reads after it"


@scenario("no-permission")
def permission(bench, pi):
    """A user who may use nothing hears that about the socket, the camera and the lines, each with what to do."""
    pi.set_up("03-code128")
    pi.agent.run("id guest >/dev/null 2>&1 || useradd -m guest")
    seen = []
    outcome = pi.agent.run("scanstation ctl status", user="guest", check=False)
    expect(outcome.code == 77, f"a stranger's ctl: {outcome}")
    seen.append(f"ctl: exit 77, \"{(outcome.err or outcome.out).strip().splitlines()[0]}\"")
    outcome = pi.agent.run("scanstation journal list --folder /var/lib/scanstation", user="guest", check=False)
    expect(outcome.code == 77, f"a stranger's journal: {outcome}")
    pi.agent.run("systemctl stop scanstation")
    # A camera with device nodes: libcamera's virtual one has none that a user could lack permission for.
    pi.show(None)
    pi.agent.run("echo vimc.0 >/sys/bus/platform/drivers/vimc/bind && udevadm settle")
    pi.agent.write("/tmp/guest.yaml", "torch: {line: GPIO17}\njournal: {storage: memory}\n")
    mark = pi.agent.mark()
    pi.agent.start("stranger", "cd /tmp; exec timeout 60 scanstation run --socket /tmp/guest.sock --config /tmp/guest.yaml",
                   user="guest")
    told = pi.agent.wait(lambda e: e.get("from") == "stranger" and "permissionDenied" in e.get("line", ""),
                         "permissionDenied of the camera", since=mark, timeout=180)
    pi.agent.wait(lambda e: e.get("from") == "stranger" and "GPIO17" in e.get("line", "") and "permi" in e.get("line", "").lower(),
                  "a word about the line", since=mark, timeout=180)
    pi.agent.stop("stranger")
    seen.append(f"camera: {told['line'][:240]}")
    doctor = pi.agent.run("scanstation doctor --config /tmp/guest.yaml", user="guest", check=False)
    expect(doctor.code == 1 and "usermod" in doctor.out, f"doctor doesn't say what to do: {doctor}")

    # The service's own user, outside the group of cameras.
    pi.override("lab", "[Service]\nSupplementaryGroups=\nSupplementaryGroups=gpio dialout\n")
    pi.agent.run("gpasswd -d scanstation video")
    try:
        mark = pi.restart(camera=None)
        pi.wait_state("camera", "permissionDenied", since=mark)
    finally:
        pi.agent.run("gpasswd -a scanstation video; echo vimc.0 >/sys/bus/platform/drivers/vimc/unbind")
        pi.override("lab", None)
    pi.show("03-code128")
    mark = pi.restart()
    pi.wait_scan(since=mark)
    seen.append("the service outside of group video: permissionDenied; back in it: reads")
    return "; ".join(seen)
