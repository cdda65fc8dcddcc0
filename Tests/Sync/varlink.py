"""A client of the sockets of todod and todod-sync."""

import json
import socket
from pathlib import Path


class CallError(Exception):
    """The error with which a method replied."""

    def __init__(self, name: str, parameters: dict) -> None:
        super().__init__(f"{name} {json.dumps(parameters)}")
        self.name = name.rpartition(".")[2]


class Connection:
    """A connection that calls one method after another. It is opened again after the daemon was restarted."""

    def __init__(self, path: Path, interface: str) -> None:
        self.path = path
        self.interface = interface
        self.socket: socket.socket | None = None
        self.rest = b""

    def call(self, method: str, **parameters: object) -> dict:
        """Calls a method, and returns the parameters of its reply."""
        if self.socket is None:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(60)
            self.rest = b""
            try:
                self.socket.connect(str(self.path))
            except OSError:
                self.close()
                raise
        message = {"method": f"{self.interface}.{method}", "parameters": parameters}
        try:
            self.socket.sendall(json.dumps(message).encode() + b"\0")
            while b"\0" not in self.rest:
                received = self.socket.recv(1 << 16)
                if not received:
                    raise ConnectionError(f"{self.path} was closed")
                self.rest += received
        except OSError:
            self.close()
            raise
        text, _, self.rest = self.rest.partition(b"\0")
        reply = json.loads(text)
        if "error" in reply:
            raise CallError(reply["error"], reply.get("parameters", {}))
        return reply.get("parameters", {})

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None
