#!/usr/bin/env python3
"""Decides who may enter: looks each scan up in a file and accepts or refuses it, with the scan's id.

    answer-door.py /run/scanstation/door.sock /etc/scanstation/members.txt

The file has one text per line; it is read again when it changes. The station's part is the profile "door" with its output
"door" (scanstation config init --profile door). To ask a server instead, change `is_allowed`: it must answer within host.timeout, because later answers open nothing. Needs only Python 3.9.
"""
import json
import os
import socket
import sys
import time


class Members:
    """The texts in the file, as it is now."""

    def __init__(self, path):
        self.path, self.changed, self.texts = path, None, set()

    def __contains__(self, text):
        try:
            changed = os.stat(self.path).st_mtime_ns
            if changed != self.changed:
                with open(self.path, encoding="utf-8") as file:
                    self.texts = {line.rstrip("\r\n") for line in file} - {""}
                self.changed = changed
        except (OSError, UnicodeDecodeError) as error:
            print(f"{self.path}: {error}: nobody is let in", flush=True)
            self.changed, self.texts = None, set()
        return text in self.texts


def is_allowed(scan, members):
    return scan["text"] is not None and scan["text"] in members


def answer(scan, members):
    # Always with the id: an answer without one may be meant for another scan, and then it moves no relay.
    if is_allowed(scan, members):
        return {"command": "accept", "id": scan["id"]}
    return {"command": "refuse", "id": scan["id"], "reason": "not on the list"}


def serve(path, members):
    with socket.socket(socket.AF_UNIX) as station:
        station.connect(path)
        print(f"connected to {path}", flush=True)
        for line in station.makefile(encoding="utf-8"):
            event = json.loads(line)
            if event["type"] == "scan":
                decision = answer(event, members)
                station.sendall(json.dumps(decision).encode() + b"\n")
                print(f"#{event['seq']}: {decision['command']}", flush=True)
            elif event["type"] == "reply" and not event["ok"]:
                print(f"the station says: {event['error']}", flush=True)


def main():
    path, members = sys.argv[1], Members(sys.argv[2])
    while True:
        try:
            serve(path, members)
        except OSError as error:
            print(f"{path}: {error}: trying again", flush=True)
        time.sleep(1)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
