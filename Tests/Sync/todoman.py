"""A person with todoman and vdirsyncer, which keep a list as files."""

import json
import subprocess
from pathlib import Path

import processes
import texts
from environment import PYTHON
from fixtures import PASSWORD, Server

BINARIES = PYTHON.parent


class Todoman:
    """The files of one list, which vdirsyncer synchronizes with a server."""

    def __init__(self, directory: Path, server: Server, list_name: str, zone: str = "Europe/Berlin") -> None:
        (directory / "config/todoman").mkdir(parents=True)
        self.list_name = list_name
        self.folder = directory / "lists" / list_name
        settings = directory / "vdirsyncer"
        settings.write_text(
            f'[general]\nstatus_path = "{directory}/status"\n'
            f'[pair pair]\na = "server"\nb = "files"\ncollections = ["{list_name}"]\nconflict_resolution = "a wins"\n'
            f'[storage server]\ntype = "caldav"\nurl = "{server.url}"\nusername = "{server.user}"\npassword = "{PASSWORD}"\n'
            'item_types = ["VTODO"]\n'
            f'[storage files]\ntype = "filesystem"\npath = "{directory}/lists"\nfileext = ".ics"\n')
        (directory / "config/todoman/config.py").write_text(
            f'path = "{directory}/lists/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
            f'default_list = "{list_name}"\ncache_path = "{directory}/cache.db"\n')
        self.environment = {
            "HOME": str(directory), "PATH": f"{BINARIES}:/usr/bin:/bin", "TZ": zone, "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": f"{directory}/config", "VDIRSYNCER_CONFIG": str(settings)}
        self.run("vdirsyncer", "discover", text="y\n" * 8)
        # SOGo may end a connection that vdirsyncer is about to use again.
        if "Connection reset" in self.synchronize():
            self.run("vdirsyncer", "sync")

    def run(self, program: str, *arguments: str, text: str = "", check: bool = True) -> subprocess.CompletedProcess[str]:
        return processes.run([BINARIES / program, *arguments], self.environment, text, check=check)

    def synchronize(self) -> str:
        """Synchronizes, and returns "ok" or the error."""
        result = self.run("vdirsyncer", "sync", check=False)
        return "ok" if result.returncode == 0 else result.stderr[-300:]

    # MARK: - Tasks

    def tasks(self) -> dict[str, str]:
        """Returns the texts of all tasks by their UIDs."""
        found = [path.read_bytes().decode() for path in sorted(self.folder.glob("*.ics"))]
        return {uid: text for text in found if (uid := texts.value(text, "UID"))}

    def number(self, uid: str) -> str | None:
        """Returns the number by which todoman knows a task."""
        listed = json.loads(self.run("todo", "--porcelain", "list", "--status", "ANY").stdout)
        name = texts.value(self.tasks()[uid], "SUMMARY")
        numbers = [str(entry["id"]) for entry in listed if entry["summary"] == name]
        return numbers[0] if len(numbers) == 1 else None

    def add(self, name: str, *options: str) -> tuple[str, str]:
        """Adds a task, and returns its UID and its text."""
        known = self.tasks()
        self.run("todo", "new", "-l", self.list_name, *options, name)
        return next((uid, text) for uid, text in self.tasks().items() if uid not in known)

    def rename(self, uid: str, name: str) -> bool:
        # todoman has an editor for names, so the file is changed as the editor would do it.
        for path in self.folder.glob("*.ics"):
            text = path.read_bytes().decode()
            if texts.value(text, "UID") == uid:
                path.write_text(texts.with_line(text, f"SUMMARY:{name}"), newline="")
                return True
        return False

    def complete(self, uid: str) -> bool:
        if (number := self.number(uid)) is None:
            return False
        return self.run("todo", "done", number, check=False).returncode == 0

    def delete(self, uid: str) -> bool:
        if (number := self.number(uid)) is None:
            return False
        return self.run("todo", "delete", "--yes", number, check=False).returncode == 0
