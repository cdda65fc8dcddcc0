"""An ordinary user of the container, with a home, a lingering user manager, a shell and a journal."""

import json
import os
import selectors
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from container import COMMAND_SECONDS, Container
from messages import MESSAGES
from transcript import show

EVENT_SECONDS = 30


@dataclass
class Result:
    """The exit status and output of a shell line."""

    status: int
    output: str


class User:
    def __init__(self, container: Container, name: str, home: Path):
        self.container = container
        self.name = name
        self.home = home
        container.run(f"mkdir -p {home.parent}"
                      f" && useradd --create-home --home-dir {home} --shell /bin/bash {name}"
                      f" && loginctl enable-linger {name} && systemctl start user@$(id -u {name})")
        self.uid = container.run(f"id -u {name}").strip()

    def command(self, line: str) -> list[str]:
        """Return the command line that runs a shell line in the container, in a login shell of this user."""
        return self.container.command(
            ["setpriv", f"--reuid={self.uid}", f"--regid={self.uid}", "--init-groups", "--reset-env",
             "env", f"XDG_RUNTIME_DIR=/run/user/{self.uid}", "bash", "--login", "-c", f"cd && {line}"])

    def attempt(self, line: str, brief: bool = False) -> Result:
        """Run a shell line and return its result. Show its output, or if brief only that of a failure."""
        result = subprocess.run(
            self.command(line), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=COMMAND_SECONDS)
        output = "" if brief and result.returncode == 0 else result.stdout
        show(f"{self.name}$ {line}", output, result.returncode)
        return Result(result.returncode, result.stdout)

    def run(self, line: str, brief: bool = False) -> str:
        """Run a shell line that must succeed, and return its output."""
        result = self.attempt(line, brief)
        if result.status != 0:
            raise AssertionError(f"exit status {result.status}: {line}")
        return result.output

    def write(self, path: str, text: str) -> None:
        """Write a file in the home directory and create its parent directories."""
        subprocess.run(
            self.command(f'mkdir -p "$(dirname {path})" && cat > {path}'), input=text, text=True, check=True)
        show(f"{self.name}$ cat {path}", text)

    def unit_property(self, unit: str, name: str) -> str:
        """Return one property of a unit as systemctl shows it."""
        return self.run(f"systemctl --user show --value --property={name} {unit}").strip()

    # The journal. A mark is a position in it. A test takes a mark before an action and waits for entries after it.

    def mark(self) -> str:
        """Return the current end of this user's journal."""
        line = "journalctl --user --lines=0 --show-cursor --quiet"
        output = subprocess.run(self.command(line), capture_output=True, text=True, check=True).stdout
        return output.strip().removeprefix("-- cursor: ")

    def wait_for(self, what: str, matches: Callable[[dict], bool], after: str) -> dict:
        """Wait for the first matching journal entry after the mark and return it. This does not poll."""
        line = "exec journalctl --user --follow --lines=all --output=json --all --quiet"
        follower = subprocess.Popen(self.command(f"{line} --after-cursor='{after}'"), stdout=subprocess.PIPE)
        deadline = time.monotonic() + EVENT_SECONDS
        unread = b""
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(follower.stdout, selectors.EVENT_READ)
                while selector.select(max(0, deadline - time.monotonic())):
                    chunk = os.read(follower.stdout.fileno(), 65536)
                    if not chunk:
                        raise AssertionError(f"journalctl ended while waiting for {what}")
                    *lines, unread = (unread + chunk).split(b"\n")
                    for entry in map(json.loads, lines):
                        if matches(entry):
                            show(f"journal: {what}", str(entry.get("MESSAGE")))
                            return entry
        finally:
            follower.kill()
            follower.wait()
        raise AssertionError(f"no {what} in the journal within {EVENT_SECONDS} s")

    def wait_for_message(self, name: str, after: str, unit: str = "todod.service") -> dict:
        """Wait for the first entry with this name in `messages` that concerns the unit."""
        identifier = MESSAGES[name]
        return self.wait_for(
            name, lambda entry: entry.get("MESSAGE_ID") == identifier and unit in unit_names(entry), after)


def unit_names(entry: dict) -> set:
    """Return the units of an entry: its writer, and the unit that the user manager reports on."""
    return {entry.get("_SYSTEMD_USER_UNIT"), entry.get("USER_UNIT")}
