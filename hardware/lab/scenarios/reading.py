"""From the camera to the host: codes that libcamera sees become scans; a button starts a session."""

import json

from virtual_pi.agent import station_event
from virtual_pi.scenario import expect, scenario


@scenario("scan", arch=("amd64", "arm64"))
def scan(bench, pi):
    """A code before a libcamera camera is a scan on the socket and a line on the serial port."""
    heard = len(pi.serial.received)
    mark = pi.set_up("03-code128")
    wanted = bench.truth["03-code128"][0]
    told = pi.wait_scan(wanted["text"], since=mark)
    expect(told["symbology"] == wanted["symbology"], f"read as {told['symbology']}")
    pi.serial.wait(wanted["text"].encode() + b"\r\n", since=heard)
    status = pi.status()
    camera = status["camera"]
    expect("irtual" in camera["id"] + camera.get("model", ""), f"not libcamera's virtual camera: {camera}")
    kept = pi.journal()
    expect(told["id"] in [row["id"] for row in kept], "the scan is not in the journal")
    receipts = [e for e in map(station_event, pi.agent.since(mark, "socket"))
                if e.get("type") == "receipt" and e["scan"] == told["id"]]
    return (f"{wanted['text']} ({told['symbology']}) by camera {camera['id']!r} {camera['resolution']} {camera['format']}: "
            f"on the socket, on {pi.serial_device}, in the journal; {len(receipts)} receipt(s)")


@scenario("all-codes")
def all_codes(bench, pi):
    """Pictures of the desk's scene, through libcamera, at their own size: PDF417's modules are small."""
    seen = []
    configuration = pi.wiring().replace("preset: low", "resolution: 960x540")
    for picture in ("01-ean13", "04-qr-url", "07-data-matrix-gs1", "08-aztec", "09-pdf417"):
        mark = pi.set_up(picture, configuration)
        for wanted in bench.truth[picture]:
            told = pi.wait_scan(wanted["text"], since=mark)
            expect(told["symbology"] == wanted["symbology"], f"{picture}: read as {told['symbology']}")
            seen.append(told["symbology"])
    return ", ".join(seen)


@scenario("trigger", arch=("amd64", "arm64"))
def trigger(bench, pi):
    """Pressing the button starts a session, which ends with the scan; without a press nothing is read."""
    mark = pi.set_up("03-code128", pi.wiring("pulse"))
    text = bench.truth["03-code128"][0]["text"]
    pi.agent.run("sleep 2")
    expect(not pi.scans(mark), "a code was read though nobody pressed the button")
    sessions = []
    for _ in range(2):
        before = pi.agent.mark()
        pi.lines.press()
        started = pi.wait_state("session", "started", since=before)
        told = pi.wait_scan(text, since=before)
        ended = pi.wait_state("session", "ended", since=before)
        pi.lines.release()
        expect(told["trigger"] == "pulse" and told["session"] > 0, f"the scan says: {json.dumps(told)}")
        sessions.append((told["session"], ended.get("reason"), started["time"]))
    expect(sessions[0][0] != sessions[1][0], "two presses were one session")
    return f"two presses: sessions {sessions[0][0]} and {sessions[1][0]}, each ended by its scan ({sessions[0][1]})"
