"""Processes that end with the suite."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

DEADLINE_SECONDS = 60


class Failure(Exception):
    """A check that failed. Its text says what was expected."""


class Process:
    """A process whose output is in a file. The kernel kills it when the thread that started it ends."""

    def __init__(self, arguments: list, log: Path, environment: dict[str, str] | None = None, group: bool = False) -> None:
        self.arguments = [str(argument) for argument in arguments]
        self.log = log
        self.is_group = group
        with log.open("ab") as output:
            self.child = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *self.arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=environment, start_new_session=group)

    def check(self) -> None:
        """Raises a failure with the output if the process has ended."""
        if self.child.poll() is not None:
            raise Failure(
                f"{Path(self.arguments[0]).name} ended with status {self.child.returncode}:\n{self.output[-2000:]}")

    @property
    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        self.child.wait()

    def stop(self) -> None:
        """Ends the process, and kills it after a while."""
        self.send(signal.SIGTERM)
        try:
            self.child.wait(timeout=3)
        except subprocess.TimeoutExpired:
            pass
        self.kill()

    def send(self, number: int) -> None:
        try:
            if self.is_group:
                os.killpg(self.child.pid, number)
            elif self.child.poll() is None:
                self.child.send_signal(number)
        except ProcessLookupError:
            pass


def wait(condition: Callable[[], object], description: str, process: Process | None = None) -> None:
    """Waits until a condition is true."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        if process is not None:
            process.check()
        if time.monotonic() > deadline:
            raise Failure(f"waited {DEADLINE_SECONDS} s until {description}")
        time.sleep(0.01)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts_connections(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        return True
    except OSError:
        return False


def accepts_connections_at(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def run(arguments: list, environment: dict[str, str] | None = None, text: str = "", timeout: float = DEADLINE_SECONDS,
        check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs a command, and raises a failure with its output if it fails."""
    arguments = [str(argument) for argument in arguments]
    result = subprocess.run(
        ["setpriv", "--pdeathsig", "KILL", *arguments], input=text, capture_output=True, text=True, env=environment,
        timeout=timeout)
    if check and result.returncode != 0:
        raise Failure(
            f"{' '.join([Path(arguments[0]).name, *arguments[1:]])} ended with status {result.returncode}:\n"
            f"{result.stdout}{result.stderr}")
    return result
