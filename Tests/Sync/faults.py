"""The control of the proxy that makes requests fail."""

import json
import random
import subprocess
from dataclasses import dataclass

from environment import FAULT_PROXY, SYSTEM_PYTHON

REFUSED_TOKEN = '<?xml version="1.0"?><D:error xmlns:D="DAV:"><D:valid-sync-token/></D:error>'


@dataclass(frozen=True)
class Fault:
    """A fault, the methods that it applies to, and how often it is chosen."""

    name: str
    description: dict
    methods: tuple[str, ...] = ("PROPFIND", "REPORT", "GET", "PUT", "DELETE")
    weight: int = 2


FAULTS = [
    Fault("cut before", {"kind": "cut-before"}),
    Fault("cut after", {"kind": "cut-after"}, weight=3),
    Fault("cut after a change", {"kind": "cut-after"}, ("PUT", "DELETE"), 4),
    Fault("412", {"kind": "reply", "status": 412}, ("PUT", "DELETE"), 3),
    Fault("429", {"kind": "reply", "status": 429, "headers": [["Retry-After", "1"]]}),
    Fault("500", {"kind": "reply", "status": 500}),
    Fault("503", {"kind": "reply", "status": 503, "headers": [["Retry-After", "1"]]}),
    Fault("404 for the list", {"kind": "reply", "status": 404}, ("PROPFIND", "REPORT"), 1),
    Fault("slow", {"kind": "slow", "seconds": 0.2}),
    Fault("truncated", {"kind": "truncate"}, ("PROPFIND", "REPORT", "GET")),
    Fault("garbage", {"kind": "garbage"}, weight=1),
    Fault("refused token", {"kind": "reply", "status": 403, "body": REFUSED_TOKEN}, ("REPORT",)),
]


class FaultProxy:
    """A proxy before a server. Without a fault, it changes nothing."""

    def __init__(self, port: int) -> None:
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", SYSTEM_PYTHON, FAULT_PROXY, str(port)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port: int = self.answer()["port"]

    def answer(self) -> dict:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def send(self, command: dict) -> dict:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def add(self, description: dict) -> None:
        self.send({"add": description})

    def add_random(self, rng: random.Random, slow: str = "slow") -> str:
        """Adds a fault for some of the next requests, and returns its description."""
        fault = rng.choices(FAULTS, [fault.weight for fault in FAULTS])[0]
        method = rng.choice(fault.methods)
        times = rng.choice([1, 1, 2])
        kind = slow if fault.name == "slow" else fault.description["kind"]
        self.add(fault.description | {"kind": kind, "method": method, "times": times})
        return f"{fault.name}, {method}" + (f" {times} times" if times > 1 else "")

    def change_one_at_a_time(self) -> None:
        """Lets the server change one resource at a time."""
        self.send({"serial": True})

    def hold_reads(self) -> None:
        """Lets no other program change anything between the read of a resource and the next request of todod-sync."""
        self.send({"holds": True})

    def log(self) -> list[dict]:
        return self.send({"log": True})  # type: ignore[return-value]

    def clear(self) -> None:
        self.send({"clear": True})

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
