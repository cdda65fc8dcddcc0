"""A person with todod, todod-sync and todoctl on a machine of their own."""

import json
import subprocess
from pathlib import Path

import processes
from fixtures import PASSWORD, Server
from processes import Failure, Process
from varlink import Connection

# The fields of an item that both machines of a person have to agree on.
FIELDS = [
    "uid", "name", "notes", "url", "links", "priority", "estimate", "percent", "due", "start", "recurrence", "afterDone", "occurrencesDone",
    "completed", "completedAt", "cancelled", "category", "tags", "parent", "blockedBy", "leads", "alerts",
]


class Person:
    """The programs of a person, which can be killed and started again."""

    def __init__(self, name: str, directory: Path, programs: Path, clock_offset: int = 0, zone: str = "UTC") -> None:
        self.name = name
        self.directory = directory
        self.programs = programs
        directory.mkdir(parents=True, mode=0o700)
        self.environment = {
            "HOME": str(directory), "PATH": f"{programs}:/usr/bin:/bin", "TZ": zone, "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(directory), "XDG_CONFIG_HOME": f"{directory}/config",
            "XDG_DATA_HOME": f"{directory}/data", "XDG_STATE_HOME": f"{directory}/state",
            "TODOD_SOCKET": f"{directory}/todod", "TODOD_SYNC_SOCKET": f"{directory}/sync",
            "TODOD_CLOCK_OFFSET": str(clock_offset), "NO_COLOR": "1",
            # As in todod-sync.service.
            "GNUTLS_NO_IMPLICIT_INIT": "1",
        }
        self.todod: Process | None = None
        self.sync: Process | None = None
        self.connection = Connection(directory / "todod", "dev.todod.Todo")
        self.start_todod()
        self.start_sync()

    # MARK: - Programs

    def start_todod(self) -> None:
        self.todod = self.start("todod", ["--store", self.directory / "todo.sqlite"])

    def start_sync(self) -> None:
        self.sync = self.start("todod-sync", [])

    def start(self, program: str, options: list) -> Process:
        socket = self.directory / ("todod" if program == "todod" else "sync")
        # The socket of a killed program remains.
        socket.unlink(missing_ok=True)
        process = Process(
            [self.programs / program, "--socket", socket, *options], self.directory / f"{program}.log", self.environment)
        processes.wait(lambda: processes.accepts_connections_at(socket), f"{program} listens", process)
        return process

    def kill_todod(self) -> None:
        """Kills todod, and starts it again."""
        assert self.todod is not None
        self.todod.kill()
        self.connection.close()
        self.start_todod()

    def kill_sync(self) -> None:
        """Kills todod-sync, and starts it again."""
        assert self.sync is not None
        self.sync.kill()
        self.start_sync()

    def stop(self) -> None:
        self.connection.close()
        for process in (self.sync, self.todod):
            if process is not None:
                process.kill()

    # MARK: - Commands

    def todoctl(self, *arguments: object, text: str = "", check: bool = True) -> subprocess.CompletedProcess[str]:
        return processes.run([self.programs / "todoctl", *arguments], self.environment, text, check=check)

    def add_account(self, server: Server, port: int, *lists: str, category: str | None = None) -> None:
        """Synchronizes lists of a server, which the port may reach through a proxy."""
        options = [option for name in lists for option in ("--list", name)] or ["--all"]
        if category is not None:
            options += ["--category", category]
        secret = self.directory / "password"
        secret.write_text(PASSWORD + "\n")
        secret.chmod(0o600)
        self.todoctl(
            "sync", "add", f"http://127.0.0.1:{port}{server.entry}", "--user", server.user, "--password-file", secret, "--yes",
            *options)

    def synchronize(self) -> tuple[int, int]:
        """Synchronizes, and returns the numbers of received and sent tasks. A problem is a failure."""
        reply = json.loads(self.todoctl("sync", "now", "--json", check=False).stdout or "{}")
        if reply.get("problems") or "received" not in reply:
            raise Failure(f"{self.name}: todoctl sync now: {reply or 'no reply'}")
        return reply["received"], reply["sent"]

    def accept_deletions(self) -> bool:
        """Deletes the items of deletions that are held back, and returns whether there were any."""
        held = [entry["name"] for account in self.status()["accounts"] for entry in account["lists"] if entry.get("heldDeletions")]
        for name in held:
            self.todoctl("sync", "accept", name, "--yes")
        return bool(held)

    def status(self) -> dict:
        return json.loads(self.todoctl("sync", "status", "--json", check=False).stdout)

    def remarks(self) -> list[str]:
        """Returns what todoctl sync status says about tasks that are not synchronized."""
        lists = [entry for account in self.status()["accounts"] for entry in account["lists"]]
        found = [remark for entry in lists for remark in entry.get("remarks", [])]
        return found + [entry[key] for entry in lists for key in ("problem", "heldDeletions") if entry.get(key)]

    # MARK: - Items

    def call(self, method: str, **parameters: object) -> dict:
        return self.connection.call(method, **parameters)

    def items(self) -> dict[str, dict]:
        """Returns all items by their UIDs."""
        found = self.call("ListItems", state="all", order=["name"], fields=FIELDS)["items"]
        uids = {item["id"]: item["uid"] for item in found}
        for item in found:
            # The numbers of items differ between machines.
            if item.get("parent") is not None:
                item["parent"] = uids[item["parent"]]
            item["blockedBy"] = sorted(uids[number] for number in item.get("blockedBy", []))
        return {item["uid"]: item for item in found}

    def item(self, uid: str) -> dict | None:
        return self.items().get(uid)
