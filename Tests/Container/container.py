"""A temporary machine with a real systemd: an overlay of this machine, booted by systemd-nspawn."""

import os
import shlex
import socket
import subprocess
import time
from pathlib import Path

NSPAWN_ENVIRONMENT = {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
NSPAWN_OPTIONS = [
    "--quiet",
    "--machine=todod-test",
    "--private-network",
    # The container reports when it has booted, and needs no systemd on this machine.
    "--notify-ready=yes",
    "--register=no",
    "--keep-unit",
    # Units that this machine has enabled or changed are not part of the test.
    "--tmpfs=/etc/systemd/system",
    "--tmpfs=/etc/systemd/user",
]
# Only the units that a login and a user manager need are started.
BOOT_OPTIONS = [
    "systemd.unit=basic.target",
    "systemd.wants=systemd-logind.service",
    "systemd.wants=systemd-user-sessions.service",
]
# A file that exists in the container only.
INSIDE = "etc/todod-test-container"
BOOT_SECONDS = 60
COMMAND_SECONDS = 120


class CannotBoot(Exception):
    """This machine cannot run the container, for a reason that does not concern todod."""


class Container:
    """A container that boots on entry of the `with` statement. Isolation of the caller removes its mounts."""

    def __init__(self, directory: Path):
        """Use the existing directory `directory` as the mount point of all file systems."""
        self.directory = directory
        self.root = directory / "root"
        self.console = directory.with_suffix(".log")

    def __enter__(self) -> "Container":
        started = time.monotonic()
        self._mount()
        self._boot()
        self._check_that_commands_run_inside()
        self.boot_seconds = time.monotonic() - started
        return self

    def __exit__(self, *_) -> None:
        self.supervisor.kill()
        self.supervisor.wait()

    def command(self, arguments: list[str]) -> list[str]:
        """Return the command line that runs `arguments` as root in the container."""
        return ["nsenter", f"--target={self.leader}", "--all", "--root", "--wd", "--", *arguments]

    def run(self, line: str) -> str:
        """Run a shell line as root in the container, which must succeed, and return its output."""
        result = subprocess.run(
            self.command(["bash", "-c", line]),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=COMMAND_SECONDS)
        if result.returncode != 0:
            raise AssertionError(f"root# {line}\nexit status {result.returncode}\n{result.stdout}")
        return result.stdout

    def _mount(self) -> None:
        self._prepare(["mount", "--make-rprivate", "/"])
        self._prepare(["mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", self.directory])
        upper, work = self.directory / "upper", self.directory / "work"
        for each in (upper, work, self.root):
            each.mkdir()
        options = f"lowerdir=/,upperdir={upper},workdir={work}"
        self._prepare(["mount", "-t", "overlay", "-o", options, "overlay", self.root])
        # The container has its own identity, and a journal that ordinary users can read.
        (self.root / "etc/machine-id").write_text("")
        (self.root / "var/lib/dbus/machine-id").unlink(missing_ok=True)
        (self.root / "var/log/journal").mkdir(parents=True, exist_ok=True)
        (self.root / INSIDE).touch()

    def _boot(self) -> None:
        address = self.directory / "notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifications:
            notifications.bind(str(address))
            with open(self.console, "wb") as console:
                self.supervisor = subprocess.Popen(
                    ["systemd-nspawn", *NSPAWN_OPTIONS, f"--directory={self.root}", "--boot", *BOOT_OPTIONS],
                    env={**os.environ, **NSPAWN_ENVIRONMENT, "NOTIFY_SOCKET": str(address)},
                    stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT,
                    start_new_session=True)
            self.leader = self._wait_until_booted(notifications)

    def _wait_until_booted(self, notifications: socket.socket) -> int:
        leader = None
        deadline = time.monotonic() + BOOT_SECONDS
        notifications.settimeout(0.2)
        while time.monotonic() < deadline and self.supervisor.poll() is None:
            try:
                message = notifications.recv(4096).decode().splitlines()
            except TimeoutError:
                continue
            for line in message:
                name, _, value = line.partition("=")
                if name == "X_NSPAWN_LEADER_PID":
                    leader = int(value)
                elif line == "READY=1" and leader is not None:
                    return leader
        self.supervisor.kill()
        tail = self.console.read_text(errors="replace").strip().splitlines()[-5:]
        raise CannotBoot("\n".join(["systemd did not boot in a container:", *tail]))

    def _check_that_commands_run_inside(self) -> None:
        # The tests add users and delete files as root, which must never change the machine itself.
        if subprocess.run(self.command(["test", "-e", f"/{INSIDE}"])).returncode != 0:
            raise CannotBoot("commands meant for the container would run outside of it")

    def _prepare(self, arguments: list) -> None:
        result = subprocess.run(arguments, capture_output=True, text=True)
        if result.returncode != 0:
            line = shlex.join(str(each) for each in arguments)
            raise CannotBoot(f"{line}: {result.stderr.strip()}")
