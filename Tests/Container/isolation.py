"""Keeps whatever the container leaves behind in a place that vanishes with it.

The tests run in a mount namespace and a process namespace of their own. When they end, however they end, the
kernel unmounts what they mounted and kills what they started. Control groups are not covered by that, so they
run in one of their own too, which is removed afterwards.
"""

import ctypes
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

MARKER = "TODOD_CONTAINER_ISOLATED"
GROUP = "todod-container-"
PR_SET_PDEATHSIG = 1


def is_isolated() -> bool:
    """Whether this process already runs inside the namespaces."""
    # A shell in the container inherits the variable, but is not the first process of a namespace.
    return os.environ.get(MARKER) == "1" and os.getpid() == 1


def run_isolated() -> int:
    """Run this very program again, isolated, and return its exit status."""
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, *sys.argv]
    environment = {**os.environ, MARKER: "1"}
    if os.path.isdir("/run/systemd/system"):
        # A machine that runs systemd hands out control groups on request, and takes them back.
        scope = ["systemd-run", "--quiet", "--scope", "--property=Delegate=yes"]
        return _wait(subprocess.Popen(scope + command, env=environment, preexec_fn=_die_with_parent))
    parents = _own_control_groups()
    # What a run killed with SIGKILL could not remove.
    _remove([
        group for parent in parents for group in parent.glob(f"{GROUP}*")
        if not Path("/proc", group.name.removeprefix(GROUP)).exists()])
    groups = [parent / f"{GROUP}{os.getpid()}" for parent in parents]
    try:
        for group in groups:
            group.mkdir()
        return _wait(subprocess.Popen(command, env=environment, preexec_fn=lambda: _enter(groups)))
    finally:
        _remove(groups)


def _wait(process: subprocess.Popen) -> int:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: process.kill())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # The terminal told the child as well; it ends by itself.
            continue


def _enter(groups: list[Path]) -> None:
    _die_with_parent()
    for group in groups:
        (group / "cgroup.procs").write_text("0")


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _own_control_groups() -> list[Path]:
    """The directories of this process in the hierarchies systemd uses: the unified one, and its own old one."""
    mounts = {}
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields, _, filesystem = line.partition(" - ")
        kind, _, options = filesystem.split(" ", 2)
        root, point = fields.split()[3:5]
        if kind == "cgroup2":
            mounts["0::"] = (root, point)
        elif kind == "cgroup" and "name=systemd" in options.split(","):
            mounts["name=systemd:"] = (root, point)
    directories = []
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        for key, (root, point) in mounts.items():
            _, found, path = line.partition(key)
            if found:
                directories.append(Path(point, os.path.relpath(path, root)))
    return directories


def _remove(groups: list[Path]) -> None:
    """Remove control groups and those in them, once their last processes are gone."""
    for group in groups:
        # Only the unified hierarchy tells; the same processes leave the other one at the same moment.
        events = group / "cgroup.events"
        if events.exists():
            (group / "cgroup.kill").write_text("1")
            _wait_until_empty(events)
    for group in groups:
        for directory, _, _ in os.walk(group, topdown=False):
            os.rmdir(directory)


def _wait_until_empty(events: Path) -> None:
    with events.open() as file:
        changes = select.poll()
        changes.register(file, select.POLLPRI)
        while "populated 1" in file.read():
            changes.poll()
            file.seek(0)
