"""The checks with foreign clients: two people with todod and one with another program change the same list in turns."""

import json
import os
import signal
import subprocess
import tempfile
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

import fixtures
import texts
from convergence import comparable_item, difference
from environment import PYTHON, SYSTEM_PYTHON
from faults import FaultProxy
from fixtures import PASSWORD, Server
from person import Person
from processes import Failure
from servers import FOREIGN, Bench, expect
from todoman import Todoman


class ForeignClient(ABC):
    """A program that reads and writes a list. Tasks are known by their UIDs."""

    name: str

    @abstractmethod
    def tasks(self) -> dict[str, dict]:
        """Synchronizes, and returns the tasks as the program shows them: their name, due, completed and repeats."""

    @abstractmethod
    def add(self, name: str) -> str:
        """Adds a task, and returns its UID."""

    @abstractmethod
    def rename(self, uid: str, name: str) -> None: ...

    @abstractmethod
    def complete(self, uid: str) -> None: ...

    @abstractmethod
    def delete(self, uid: str) -> None: ...

    def finish(self) -> None:
        """Sends all changes."""

    def stop(self) -> None: ...


class CommandClient(ForeignClient):
    """A client in a process that answers commands in JSON."""

    def __init__(self, arguments: list, directory: Path, environment: dict[str, str]) -> None:
        directory.mkdir(parents=True, mode=0o700)
        self.log = (directory / "log").open("w+")
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.log, text=True, env=environment, start_new_session=True)

    def call(self, command: dict) -> object:
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(json.dumps(command) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.log.seek(0)
            raise Failure(f"{self.name} has ended: {self.log.read()[-1500:]}")
        result = json.loads(line)
        if isinstance(result, dict) and set(result) == {"error"}:
            raise Failure(f"{self.name}: {command}: {result['error']}")
        return result

    def tasks(self) -> dict[str, dict]:
        return self.call({"do": "list"})  # type: ignore[return-value]

    def add(self, name: str) -> str:
        return self.call({"do": "add", "name": name})  # type: ignore[return-value]

    def rename(self, uid: str, name: str) -> None:
        self.call({"do": "rename", "uid": uid, "name": name})

    def complete(self, uid: str) -> None:
        self.call({"do": "complete", "uid": uid})

    def delete(self, uid: str) -> None:
        self.call({"do": "delete", "uid": uid})

    def stop(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.log.close()


class PythonCaldav(CommandClient):
    """python-caldav, which by default completes a whole series."""

    name = "python-caldav"
    mode: str | None = None

    def __init__(self, server: Server, path: str, list_name: str, directory: Path) -> None:
        super().__init__(
            [PYTHON, Path(__file__).with_name("caldav_client.py"), server.root, server.user, PASSWORD, path], directory,
            {"HOME": str(directory), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"})

    def complete(self, uid: str) -> None:
        self.call({"do": "complete", "uid": uid, "mode": self.mode})


class SafePythonCaldav(PythonCaldav):
    """python-caldav, in the mode in which it adds a copy for each completed occurrence."""

    name = "python-caldav (safe)"
    mode = "safe"


class Evolution(CommandClient):
    """Evolution's data server."""

    name = "Evolution"

    def __init__(self, server: Server, path: str, list_name: str, directory: Path) -> None:
        environment = {
            "HOME": str(directory), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "XDG_RUNTIME_DIR": str(directory), "XDG_CONFIG_HOME": f"{directory}/config", "XDG_DATA_HOME": f"{directory}/data",
            "XDG_CACHE_HOME": f"{directory}/cache", "GSETTINGS_BACKEND": "memory", "GIO_USE_NETWORK_MONITOR": "base",
        }
        super().__init__(
            ["dbus-run-session", "--", SYSTEM_PYTHON, Path(__file__).with_name("evolution_client.py"), server.url, server.port,
             server.user, PASSWORD, path], directory, environment)


class TodomanClient(ForeignClient):
    """todoman, with vdirsyncer. It adds a new task for the next occurrence."""

    name = "todoman"

    def __init__(self, server: Server, path: str, list_name: str, directory: Path) -> None:
        self.todoman = Todoman(directory, server, list_name)

    def tasks(self) -> dict[str, dict]:
        self.finish()
        listed = json.loads(self.todoman.run("todo", "--porcelain", "list", "--status", "ANY").stdout)
        found = {}
        for uid, text in self.todoman.tasks().items():
            shown = [entry for entry in listed if entry["summary"] == texts.value(text, "SUMMARY")]
            expect(shown, f"todoman does not show {uid}")
            found[uid] = {
                "name": shown[0]["summary"], "due": shown[0]["due"], "completed": texts.value(text, "STATUS") == "COMPLETED",
                "repeats": "RRULE" in text}
        return found

    def add(self, name: str) -> str:
        return self.todoman.add(name, "-d", "2031-05-01 18:00", "-c", "client", "--priority", "high")[0]

    def rename(self, uid: str, name: str) -> None:
        expect(self.todoman.rename(uid, name), f"todoman does not have {uid}")

    def complete(self, uid: str) -> None:
        expect(self.todoman.complete(uid), f"todoman cannot complete {uid}")

    def delete(self, uid: str) -> None:
        expect(self.todoman.delete(uid), f"todoman cannot delete {uid}")

    def finish(self) -> None:
        outcome = self.todoman.synchronize()
        expect(outcome == "ok", f"vdirsyncer: {outcome}")


CLIENTS = [TodomanClient, PythonCaldav, SafePythonCaldav, Evolution]


# MARK: - The check

def exercise(bench: Bench, kind: type) -> None:
    """Lets two people with todod and one with another program change a list in turns."""
    bench.put("foreign", FOREIGN)
    first, second = bench.person(), bench.person()
    uids = {}
    for name, values in {
        "Plain": {"due": "2031-05-01 09:30", "notes": "A note, with a comma", "tags": ["one", "two"], "priority": 3},
        "Repeating": {"due": "2031-05-01 09:30", "every": "day 5 times"}, "Deleted": {}, "Done": {"due": "2031-05-02"},
    }.items():
        uids[name] = first.call("AddItem", name=name, category=bench.name, **values)["item"]["uid"]
    settle(bench, first, second)
    client = kind(bench.server, bench.list, bench.name, bench.directory / "client")
    try:
        shown = client.tasks()
        expect(set(shown) == {*uids.values(), "foreign"}, f"{kind.name} shows {shown}")
        for name, uid in uids.items():
            expect(shown[uid]["name"] == name and not shown[uid]["completed"], f"{kind.name} shows {shown[uid]} for {name}")
        expect(shown[uids["Plain"]]["due"] and shown[uids["Done"]]["due"], f"{kind.name} shows no due time")
        expect(shown[uids["Repeating"]]["repeats"], f"{kind.name} shows no rule")

        added = client.add("From the client")
        client.rename(uids["Plain"], "Renamed")
        client.complete(uids["Done"])
        client.complete(uids["Repeating"])
        client.delete(uids["Deleted"])
        # vdirsyncer would give up the change of todoman if the server had another one first.
        client.finish()
        first.call("UpdateItems", ids=[first.item(uids["Done"])["id"]], notes="at the same time")
        items = settle(bench, first, second)
        expect(uids["Deleted"] not in items, "the deleted task is still there")
        expect(items[uids["Plain"]]["name"] == "Renamed", f"the name is {items[uids['Plain']]['name']}")
        expect(items[uids["Plain"]]["notes"] == "A note, with a comma", f"the item is {items[uids['Plain']]}")
        expect(sorted(items[uids["Plain"]]["tags"]) == ["one", "two"], f"the tags are {items[uids['Plain']]['tags']}")
        expect(items[uids["Done"]]["completed"], "the completed task is open")
        expect(items[uids["Done"]].get("notes") == "at the same time", "the change of todod is lost")
        expect(items[added]["name"] == "From the client" and items[added]["due"] and items[added]["tags"] == ["client"],
               f"the new item is {items[added]}")
        repeating = [item for item in items.values() if item["name"] == "Repeating" and not item["completed"]]
        expect(len(repeating) == 1 and repeating[0]["due"][:10] == "2031-05-02" or kind is SafePythonCaldav,
               f"the repeating items are {repeating}")
        allowed = {*uids.values(), added, "foreign"}
        others = [item for uid, item in items.items() if uid not in allowed]
        expect(all(item["name"] == "Repeating" for item in others) and len(others) <= 1, f"new items: {others}")

        # Then todod changes what the client has written.
        client.rename("foreign", "Renamed by the client")
        client.finish()
        settle(bench, first, second)
        before = bench.text("foreign")
        second.call("UpdateItems", ids=[second.item("foreign")["id"]], notes="A note of todod")
        second.call("UpdateItems", ids=[second.item(added)["id"]], name="Renamed by todod", due="2031-06-01 12:00")
        second.call("CompleteItems", ids=[second.item(uids["Plain"])["id"]])
        items = settle(bench, first, second)
        bench.expect_kept(before, bench.text("foreign"), "DESCRIPTION")
        expect(items["foreign"]["name"] == "Renamed by the client", f"the item is {items['foreign']}")
        shown = client.tasks()
        expect(shown[added]["name"] == "Renamed by todod" and shown[added]["due"], f"{kind.name} shows {shown[added]}")
        expect(shown[uids["Plain"]]["completed"], f"{kind.name} shows {shown[uids['Plain']]}")
        client.finish()
        expect(settle(bench, first, second) == items, "the client changes items that nobody has changed")
    finally:
        client.stop()


def settle(bench: Bench, *people: Person) -> dict[str, dict]:
    """Synchronizes until nothing changes, and returns the items, in which all people have to agree."""
    for _ in range(3):
        for person in people:
            bench.synchronize(person)
    states = [{uid: comparable_item(item) for uid, item in person.items().items()} for person in people]
    for uid in states[0].keys() | states[-1].keys():
        first, second = states[0].get(uid), states[-1].get(uid)
        expect(first == second, f"the items {uid} differ: {difference(first, second)}")
    return people[0].items()


def run_clients(kind: str, programs: Path, report: Callable[[str, str, str], None]) -> int:
    """Runs the check with all clients on a kind of server, and returns the number of failures."""
    failures = 0
    with tempfile.TemporaryDirectory(prefix="todod-sync-") as name:
        directory = Path(name)
        directory.chmod(0o755)
        server = fixtures.KINDS[kind](directory / "server")
        proxy = FaultProxy(server.port)
        try:
            for number, client in enumerate(CLIENTS):
                try:
                    bench = Bench(kind, server, proxy, directory / str(number), programs, f"client{number}")
                    try:
                        exercise(bench, client)
                    finally:
                        bench.stop()
                    report(kind, client.name, "passed")
                except Failure as failure:
                    failures += 1
                    report(kind, client.name, f"failed: {failure}")
                except Exception:
                    failures += 1
                    report(kind, client.name, f"failed: {traceback.format_exc()}")
        finally:
            proxy.stop()
            server.stop()
    return failures
