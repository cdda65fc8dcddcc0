"""Keeps whatever the container leaves behind in a place that vanishes with it.

The tests run in a mount namespace and a process namespace of their own. When they end, however they end, the
kernel unmounts what they mounted and kills what they started. Control groups are not covered by that, so they
run in some of their own, which are removed afterwards.
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
    """This machine does not give us namespaces or control groups."""


def is_isolated() -> bool:
    """Whether this process already runs inside the namespaces."""
    # A shell in the container inherits the variable, but is not the first process of a namespace.
    return os.environ.get(MARKER) == "1" and os.getpid() == 1


def run_isolated() -> int:
    """Run this very program again, isolated, and return its exit status."""
    _check_that_it_is_possible()
    command = [*UNSHARE, sys.executable, *sys.argv]
    if os.path.isdir("/run/systemd/system"):
        # A machine that runs systemd hands out control groups on request, and takes them back.
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
            # The terminal told the child as well; it ends by itself.
            continue


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
