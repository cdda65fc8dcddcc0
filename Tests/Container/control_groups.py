"""Separate control groups on a machine without systemd, which would provide them."""

import os
import select
from pathlib import Path

PREFIX = "todod-container-"


class ControlGroups:
    """One group in each hierarchy that systemd uses, from entry to exit of the `with` statement."""

    def __init__(self):
        self.parents = _current_groups()
        self.groups = [parent / f"{PREFIX}{os.getpid()}" for parent in self.parents]

    def __enter__(self) -> "ControlGroups":
        _remove(self._abandoned())
        try:
            for group in self.groups:
                group.mkdir()
        except OSError:
            _remove(self.groups)
            raise
        return self

    def __exit__(self, *_) -> None:
        _remove(self.groups)

    def join(self) -> None:
        """Move the calling process into the groups."""
        for group in self.groups:
            (group / "cgroup.procs").write_text("0")

    def _abandoned(self) -> list[Path]:
        """Return the groups of earlier runs that were killed with SIGKILL."""
        return [
            group for parent in self.parents for group in parent.glob(f"{PREFIX}*")
            if not Path("/proc", group.name.removeprefix(PREFIX)).exists()]


def _current_groups() -> list[Path]:
    """Return the groups of this process in the unified hierarchy and in the older one of systemd."""
    mounts = {}
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields, _, filesystem = line.partition(" - ")
        kind, _, options = filesystem.split(" ", 2)
        root, point = fields.split()[3:5]
        if kind == "cgroup2":
            mounts["0::"] = (root, point)
        elif kind == "cgroup" and "name=systemd" in options.split(","):
            mounts["name=systemd:"] = (root, point)
    groups = []
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        for key, (root, point) in mounts.items():
            _, found, path = line.partition(key)
            if found:
                groups.append(Path(point, os.path.relpath(path, root)))
    return groups


def _remove(groups: list[Path]) -> None:
    """Remove groups and their subgroups after their last processes have ended."""
    for group in groups:
        # Only the unified hierarchy reports that a group is empty. The same processes are in the other one.
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
