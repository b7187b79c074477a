"""The console as the package installs it: a service and a user of its own, and libcamera's picture through its API."""

import json

from virtual_pi.scenario import expect, scenario

PASSWORD = "six red hens in a lab"

# A browser's part, in the guest. Prints a line of JSON for each answer, and the picture's size.
BROWSER = r"""
import http.cookiejar, json, struct, sys, urllib.error, urllib.request
base = "http://127.0.0.1:8080/api/v1"
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

def ask(method, path, body=None, origin="http://127.0.0.1:8080"):
    request = urllib.request.Request(base + path, method=method, data=None if body is None else json.dumps(body).encode(),
                                     headers={"Content-Type": "application/json", **({"Origin": origin} if origin else {})})
    try:
        with browser.open(request, timeout=240) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()

def tell(name, status, content):
    print(json.dumps({"name": name, "status": status, "body": content.decode("utf-8", "replace")[:20000]}), flush=True)

"""

# Signs in, and asks.
CLIENT = BROWSER + r"""
tell("before", *ask("GET", "/state"))
tell("wrong", *ask("POST", "/session", {"password": "not " + sys.argv[1]}))
tell("foreign", *ask("POST", "/session", {"password": sys.argv[1]}, origin="http://evil.example"))
tell("in", *ask("POST", "/session", {"password": sys.argv[1]}))
tell("state", *ask("GET", "/state"))
tell("torch", *ask("POST", "/commands", {"command": "torch", "mode": "on"}))
tell("relay", *ask("POST", "/commands", {"command": "relay"}))
tell("health", *ask("GET", "/health"))
for attempt in range(20):
    status, content = ask("GET", "/preview/next")
    if status != 200:
        continue
    length = struct.unpack(">I", content[:4])[0]
    preview = json.loads(content[4:4 + length])
    if preview["codes"]:
        break
picture = content[4 + length:] if status == 200 else b""
print(json.dumps({"name": "picture", "status": status, "jpeg": picture[:3].hex(), "bytes": len(picture), "preview": preview}), flush=True)
"""

# For somebody who has the password already: a line of JSON for each path.
READER = BROWSER + r"""
ask("POST", "/session", {"password": sys.argv[1]})
for path in sys.argv[2:]:
    tell(path, *ask("GET", path))
"""

# Another user of the machine at the console's socket.
STRANGER = r"""
import socket
peer = socket.socket(socket.AF_UNIX)
peer.settimeout(10)
peer.connect("/run/scanstation/console/console.sock")
try:
    peer.sendall(b'{"command":"status"}\n')
except BrokenPipeError:
    pass  # It has said no already.
print(peer.recv(4096).decode())
"""


def read_console(pi, *paths, password=None):
    """What the console's API answers to each path, for somebody who signs in with this password; without one, it is set before."""
    run = pi.agent.run
    if password is None:
        password = PASSWORD
        run("scanstation console password", input=f"{password}\n".encode())
    run("cat >/tmp/console-reader.py", input=READER.encode())
    told = [json.loads(line) for line in run(f"python3 /tmp/console-reader.py {json.dumps(password)} {' '.join(paths)}", timeout=900).out.splitlines()]
    expect([answer["status"] for answer in told] == [200] * len(paths), f"the console answers: {told}")
    return [json.loads(answer["body"]) for answer in told]


@scenario("console")
def console(bench, pi):
    """The console's service runs as its own user; with a password, a client signs in, sees the codes in libcamera's picture and lights the torch, and can't move the relay."""
    mark = pi.set_up("03-code128")
    text = bench.truth["03-code128"][0]["text"]
    pi.wait_scan(text, since=mark)
    run = pi.agent.run
    # It is ready once it listens, and gives the station two seconds to say where.
    state = run("systemctl is-enabled scanstation-console; for i in $(seq 60); do systemctl is-active -q scanstation-console && break; sleep 1; done; "
                "systemctl is-active scanstation-console", check=False, timeout=120).out.split()
    expect(state == ["enabled", "active"], f"the console's service is {state}:\n" + run("systemctl status scanstation-console --no-pager", check=False).out)
    pid = run("systemctl show -P MainPID scanstation-console").out.strip()
    user = run(f"stat -c %U /proc/{pid}").out.strip()
    expect(user == "scanstation-console", f"the console runs as {user}")
    groups = run("id -Gn scanstation-console").out.split()
    expect(groups == ["scanstation-console"], f"the console's user is in the groups {groups}")
    # Others of this machine don't get in by the socket.
    run("cat >/tmp/stranger.py", input=STRANGER.encode())
    # The socket lets everybody connect, and says no: a script that fails otherwise shows nothing.
    # Nobody's account has no shell to run it in.
    stranger = run("setpriv --reuid nobody --regid nogroup --clear-groups python3 /tmp/stranger.py").out
    expect("may not use" in stranger and '"ok":true' not in stranger, f"a stranger at the console's socket hears: {stranger[:300]}")
    run("scanstation console password", input=f"{PASSWORD}\n".encode())
    run("cat >/tmp/console-client.py", input=CLIENT.encode())
    # It notices the password within seconds, and listens on the network then.
    run("for i in $(seq 60); do grep -qE ' 0+:1F90 .* 0A ' /proc/net/tcp /proc/net/tcp6 && exit 0; sleep 1; done; "
        "echo 'it listens on this machine only'; exit 1", timeout=120)
    told = {}
    for line in run(f"python3 /tmp/console-client.py {json.dumps(PASSWORD)}", timeout=900).out.splitlines():
        answer = json.loads(line)
        told[answer["name"]] = answer
    status = {name: answer["status"] for name, answer in told.items()}
    expect(status["before"] == 401 and status["wrong"] == 401 and status["foreign"] == 403, f"who may: {status}")
    expect(status["in"] == 204 and status["state"] == 200 and status["health"] == 200, f"signed in: {status}")
    expect(status["torch"] == 200 and status["relay"] in (403, 409), f"commands: {status}, {told['relay']}")
    pi.lines.wait_level(17, 1)
    pi.ctl("torch off")
    picture = told["picture"]
    expect(picture["status"] == 200 and picture["jpeg"] == "ffd8ff", f"no JPEG: {picture}")
    read = [code["text"] for code in picture["preview"]["codes"]]
    expect(text in read, f"the picture's codes are {read}, not {text}")
    facts = pi.agent.run("systemctl show -P MemoryCurrent scanstation-console").out.strip()
    return (f"as {user}; signed in; torch on by the page, relay refused ({status['relay']}); libcamera's picture "
            f"{picture['preview']['width']}x{picture['preview']['height']}, {picture['bytes']} bytes of JPEG, with {text} outlined; {int(facts) // 1024} kB")
