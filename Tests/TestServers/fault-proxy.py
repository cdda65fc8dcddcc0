"""A proxy before a CalDAV server that makes requests fail on demand, and a log of all requests.

Usage: fault-proxy.py UPSTREAM_PORT [CERTIFICATE KEY]. With the port 0, there is no server, and every request needs a fault of
the kind "reply". With a certificate, connections to the proxy are encrypted. The proxy prints {"port": N} when it listens, and
then answers each line of its standard input with one line:

    {"add": FAULT}  adds a fault            {"log": true}  the requests so far            {"clear": true}  removes faults and log
    {"offline": true}  refuses connections, until {"offline": false}
    {"serial": true}   lets the server change one resource at a time
    {"holds": true}    lets no other program change anything between the read of a resource and the next request

A request with the header X-Without-Faults has no fault, and is not in the log.

A fault has a kind, and optionally a method, a part of the path, the number of requests that it applies to, the number of
requests that it skips before, the processes to kill then, and:

    cut-before    the connection ends before the server gets the request
    cut-after     the server carries the request out, and the connection ends without an answer
    reply         an answer of the proxy: status, headers, body
    slow          the server gets the request after that many seconds
    slow-answer   the server carries the request out, and the answer comes after that many seconds
    truncate      the connection ends in the middle of the body
    etag-suffix   -gzip is added to etags in the head and in the body
    etag-weak     W/ is added to etags in the head
    garbage       random bytes instead of an answer
    silence       no answer until the client gives up
"""

import http.client
import json
import os
import random
import re
import signal
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOP_HEADERS = {"connection", "keep-alive", "transfer-encoding", "content-length"}

UPSTREAM = int(sys.argv[1])
LOCK = threading.Lock()
FAULTS: list[dict] = []
LOG: list[dict] = []
# Held during a change, if the server is to make one at a time.
CHANGE = threading.Lock()
IS_SERIAL = threading.Event()
HOLDS_READS = threading.Event()
# The longest time between a read and the next request, in seconds.
HOLD_LIMIT = 0.5
SERVERS: list["Server"] = []


class Hold:
    """The time in which only one connection may change something."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.is_over = False
        CHANGE.acquire()
        timer = threading.Timer(HOLD_LIMIT, self.end)
        timer.daemon = True
        timer.start()

    def end(self) -> None:
        with self.lock:
            if not self.is_over:
                self.is_over = True
                CHANGE.release()


class CutConnection(Exception):
    """The connection is to be closed without another byte."""


def take_fault(method: str, path: str) -> dict:
    """Returns the first fault that applies to a request, and counts it."""
    with LOCK:
        for fault in FAULTS:
            if fault.get("method") in (None, method) and fault.get("path", "") in path and fault["times"] > 0:
                if fault.get("skip", 0) > 0:
                    fault["skip"] -= 1
                    continue
                fault["times"] -= 1
                return fault
    return {"kind": "none"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A head and a body in two packets would delay each answer by 40 ms.
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    hold: Hold | None = None

    def handle_request(self) -> None:
        # A connection from before the proxy went offline.
        if self.server not in SERVERS:
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if "X-Without-Faults" in self.headers:
            return self.pass_on(body)
        fault = take_fault(self.command, self.path)
        entry = {
            "method": self.command, "path": self.path, "fault": fault["kind"], "status": 0,
            "headers": {name.lower(): value for name, value in self.headers.items()}, "body": body.decode("utf-8", "replace")}
        with LOCK:
            LOG.append(entry)
        try:
            self.answer(body, fault, entry)
        except (CutConnection, OSError, http.client.HTTPException):
            self.close_connection = True

    def pass_on(self, body: bytes) -> None:
        try:
            self.write(*self.forward(body), is_truncated=False)
        except (OSError, http.client.HTTPException):
            self.close_connection = True

    def answer(self, body: bytes, fault: dict, entry: dict) -> None:
        kind = fault["kind"]
        if kind == "cut-before":
            self.kill_processes(fault)
            raise CutConnection
        if kind == "silence":
            self.connection.recv(1)
            raise CutConnection
        if kind == "garbage":
            self.wfile.write(random.Random(1).randbytes(2048))
            self.wfile.flush()
            raise CutConnection
        if kind == "slow":
            threading.Event().wait(fault["seconds"])
        if kind == "reply" or UPSTREAM == 0:
            status, headers = fault.get("status", 599), [tuple(header) for header in fault.get("headers", [])]
            content = fault.get("body", "").encode()
        else:
            status, headers, content = self.forward(body)
        entry["status"] = status
        if kind == "cut-after":
            self.kill_processes(fault)
            raise CutConnection
        if kind == "slow-answer":
            threading.Event().wait(fault["seconds"])
        if kind == "etag-suffix":
            headers = [(name, self.with_suffix(value) if name.lower() == "etag" else value) for name, value in headers]
            content = re.sub(rb'(etag>(?:"|&quot;)[^"&<]*)', rb"\1-gzip", content)
        if kind == "etag-weak":
            headers = [(name, "W/" + value if name.lower() == "etag" else value) for name, value in headers]
        self.write(status, headers, content, is_truncated=kind == "truncate")

    @staticmethod
    def kill_processes(fault: dict) -> None:
        for process in fault.get("kills", []):
            os.kill(process, signal.SIGKILL)

    @staticmethod
    def with_suffix(etag: str) -> str:
        return etag[:-1] + '-gzip"' if etag.endswith('"') else etag

    def forward(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        hold, self.hold = self.hold, None
        is_change = self.command in ("PUT", "DELETE")
        if hold is not None and not (is_change and not hold.is_over):
            hold.end()
            hold = None
        if IS_SERIAL.is_set() and is_change and hold is None:
            hold = Hold()
        elif HOLDS_READS.is_set() and self.command == "GET" and "X-Without-Faults" not in self.headers:
            self.hold = Hold()
        try:
            return self.carry_out(body)
        finally:
            if hold is not None:
                hold.end()

    def carry_out(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        server = http.client.HTTPConnection("127.0.0.1", UPSTREAM, timeout=60)
        try:
            headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_HEADERS}
            # A compressed body could not be changed.
            headers.pop("Accept-Encoding", None)
            server.request(self.command, self.path, body, headers)
            answer = server.getresponse()
            content = answer.read()
            return answer.status, [h for h in answer.getheaders() if h[0].lower() not in HOP_HEADERS], content
        finally:
            server.close()

    def write(self, status: int, headers: list[tuple[str, str]], content: bytes, is_truncated: bool) -> None:
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:len(content) // 2] if is_truncated else content)
        self.wfile.flush()
        if is_truncated:
            raise CutConnection

    def log_message(self, *_: object) -> None:
        pass


for method in "GET PUT DELETE PROPFIND REPORT MKCALENDAR MKCOL".split():
    setattr(Handler, f"do_{method}", Handler.handle_request)


class Server(ThreadingHTTPServer):
    daemon_threads = True


def command(line: dict) -> object:
    with LOCK:
        if "add" in line:
            FAULTS.append({"times": 1} | line["add"])
        elif "clear" in line:
            FAULTS.clear()
            LOG.clear()
        elif "serial" in line:
            IS_SERIAL.set()
        elif "holds" in line:
            IS_SERIAL.set()
            HOLDS_READS.set()
        elif "log" in line:
            return list(LOG)
    return {}


def listen(port: int) -> int:
    """Accepts connections at a port, or at any free one if it is 0, and returns the port."""
    server = Server(("127.0.0.1", port), Handler)
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    SERVERS.append(server)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server.server_address[1]


def close() -> None:
    for server in SERVERS:
        server.shutdown()
        server.server_close()
    SERVERS.clear()


def main() -> None:
    port = listen(0)
    print(json.dumps({"port": port}), flush=True)
    for text in sys.stdin:
        line = json.loads(text)
        if "offline" in line:
            close()
            if not line["offline"]:
                listen(port)
        print(json.dumps(command(line)), flush=True)


main()
