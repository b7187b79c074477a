"""A web server for the webhook tests: the path says how it behaves, and it tells on standard output what it got.

Written with Python's own modules, so that what is sent is judged by somebody else's HTTP and HMAC. It ends when its standard
input does.
"""

import argparse
import base64
import hashlib
import hmac
import http.server
import json
import os
import ssl
import sys
import threading
import time
import urllib.parse

ended = threading.Event()
counts = {}
printing = threading.Lock()


def tell(value):
    with printing:
        print(json.dumps(value), flush=True)


def is_genuine(header, body, key, tolerance=300):
    """As the documentation of X-ScanStation-Signature says."""
    fields = dict(part.split("=", 1) for part in header.split(","))
    expected = hmac.new(key, fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, fields["v1"]) and abs(time.time() - int(fields["t"])) <= tolerance


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 204:
            self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        tell({
            "path": url.path,
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "body": base64.b64encode(body).decode(),
            "peer": self.client_address[1],
        })
        parts = url.path.strip("/").split("/")
        getattr(self, "serve_" + parts[0])(parts[1:], query, body)

    def serve_status(self, parts, query, body):
        """/status/429?retry=2: each number in turn, the last one forever."""
        turns = parts[0].split(",")
        turn = counts.get(self.path, 0)
        counts[self.path] = turn + 1
        status = int(turns[min(turn, len(turns) - 1)])
        headers = [("Retry-After", query["retry"])] if "retry" in query and status >= 400 else []
        self.answer(status, query.get("body", f"said {status}\nand more").encode(), headers)

    def serve_redirect(self, parts, query, body):
        self.answer(307, headers=[("Location", query["to"])])

    def serve_signed(self, parts, query, body):
        genuine = is_genuine(self.headers.get("X-ScanStation-Signature", "t=0,v1="), body, query["key"].encode())
        self.answer(200 if genuine else 401)

    def serve_hang(self, parts, query, body):
        ended.wait()

    def serve_trickle(self, parts, query, body):
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while not ended.wait(0.01):
            self.wfile.write(b"x")
            self.wfile.flush()

    def serve_big(self, parts, query, body):
        self.answer(200, b"x" * 10_000_000)

    def serve_headers(self, parts, query, body):
        self.send_response(200)
        self.flush_headers()
        while not ended.is_set():
            self.wfile.write(b"X-More: " + b"x" * 1000 + b"\r\n")

    def serve_bye(self, parts, query, body):
        """A server that has had enough of an idle connection."""
        self.answer(200)
        self.close_connection = True

    def serve_drop(self, parts, query, body):
        self.close_connection = True


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request, client_address):
        pass  # Clients that leave are what the tests are about.


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--client-ca")
    arguments = parser.parse_args()
    server = Server(("127.0.0.1", 0), Handler)
    if arguments.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(arguments.certificate, arguments.key)
        if arguments.client_ca:
            context.load_verify_locations(arguments.client_ca)
            context.verify_mode = ssl.CERT_REQUIRED
        # The handshake belongs on the connection's own thread, which wraps it when it first reads.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    tell({"port": server.server_address[1]})
    try:
        sys.stdin.buffer.read()
    except ConnectionResetError:
        pass  # The test ended without reading all that it was told.
    ended.set()
    os._exit(0)


main()
