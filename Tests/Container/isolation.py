"""Isolates the tests, so that their mounts and processes are removed when they end.

The tests run in separate mount and process namespaces. When the tests end for any reason, the kernel unmounts
their file systems and kills their processes. This does not cover control groups, so the tests run in separate
groups, which are removed afterwards.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys

from control_groups import ControlGroups

MARKER = "TODOD_CONTAINER_ISOLATED"
TOOLS = ["unshare", "nsenter", "systemd-nspawn"]
UNSHARE = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
PR_SET_PDEATHSIG = 1


class CannotIsolate(Exception):
    """This machine does not allow namespaces or control groups."""


def is_isolated() -> bool:
    """Whether this process already runs inside the namespaces."""
    # A shell in the container inherits the variable, but is not the first process of a namespace.
    return os.environ.get(MARKER) == "1" and os.getpid() == 1


def run_isolated() -> int:
    """Run this program again in isolation, and return its exit status."""
    _check_that_it_is_possible()
    command = [*UNSHARE, sys.executable, *sys.argv]
    if os.path.isdir("/run/systemd/system"):
        # systemd provides control groups on request and removes them afterwards.
        scope = ["systemd-run", "--quiet", "--scope", "--property=Delegate=yes"]
        return _run([*scope, *command], prepare=_die_with_parent)
    try:
        with ControlGroups() as groups:
            return _run(command, prepare=lambda: (_die_with_parent(), groups.join()))
    except OSError as error:
        raise CannotIsolate(f"no control groups: {error}") from error


def _check_that_it_is_possible() -> None:
    for tool in TOOLS:
        if shutil.which(tool) is None:
            raise CannotIsolate(f"{tool} is not installed")
    attempt = subprocess.run([*UNSHARE, "true"], capture_output=True, text=True)
    if attempt.returncode != 0:
        raise CannotIsolate(attempt.stderr.strip())


def _run(command: list[str], prepare) -> int:
    process = subprocess.Popen(command, env={**os.environ, MARKER: "1"}, preexec_fn=prepare)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: process.kill())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # The terminal also interrupts the child, which then ends by itself.
            continue


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
