"""The convergence test: several people change one list, with faults and kills. Then all of them have to agree.

Two people have todod with clocks that differ. A third program has no logic of its own and writes texts with properties that
todod does not know. In some seeds, a fourth person has todoman and vdirsyncer. A seed decides all operations, faults and kills,
but not the moments at which the programs do their work, so a seed that has failed may pass when it is repeated.
"""

import random
import re
import shutil
import subprocess
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

import fixtures
import processes
import texts
from faults import FaultProxy
from model import WRITTEN, Model, Record, item_of
from person import Person
from processes import Failure
from rewrites import REWRITES
from todoman import Todoman
from varlink import CallError

STEPS = 24
# One of so many seeds has a person with todoman, whose commands take more than a second each.
TODOMAN_SHARE = 19
CLOCK_OFFSETS = [0, 1, -1, 45, -90, 3600, -7200, 86_400]
ZONES = ["UTC", "UTC", "Europe/Berlin", "America/St_Johns"]
# The number of rounds in which the programs have to agree.
ROUNDS = 10


@dataclass
class Result:
    """The result of one seed on one server."""

    server: str
    seed: int
    operations: int = 0
    faults: int = 0
    kills: int = 0
    # Changes that lost against others, and that todod shows.
    conflicts: int = 0
    lost: int = 0
    twins: int = 0
    changed_lines: int = 0
    other: int = 0
    seconds: float = 0
    problems: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    def add(self, problem: str) -> None:
        self.problems.append(problem)
        if problem.startswith("lost"):
            self.lost += 1
        elif problem.startswith("twin"):
            self.twins += 1
        elif problem.startswith("changed lines"):
            self.changed_lines += 1
        else:
            self.other += 1


class Run:
    """One seed on one server."""

    def __init__(
        self, kind: str, server: fixtures.Server, proxy: FaultProxy, seed: int, directory: Path, programs: Path,
        todoman: bool | None
    ) -> None:
        self.kind = kind
        self.server = server
        self.proxy = proxy
        self.rng = random.Random(f"{kind} {seed}")
        self.directory = directory
        self.programs = programs
        self.result = Result(kind, seed)
        self.model = Model()
        self.client = server.client()
        if kind == "xandikos-new":
            # It checks a condition before it locks the list, so that two changes at once can both be accepted.
            proxy.change_one_at_a_time()
            self.client.go_through(proxy.port)
        if kind == "sogo":
            # It deletes a task without a condition, so that a change could come after the read before the deletion.
            proxy.hold_reads()
            self.client.go_through(proxy.port)
        self.list_name = f"seed{seed}"
        self.list = server.list_path(self.list_name)
        self.rewrites = REWRITES[kind]
        # SOGo ignores the condition of a deletion, so that one that waits before the server would delete later changes.
        self.slow = "slow-answer" if kind == "sogo" else "slow"
        self.has_todoman = seed % TODOMAN_SHARE == 0 if todoman is None else todoman
        self.people: list[Person] = []
        self.todoman: Todoman | None = None
        self.background: list[subprocess.Popen] = []
        self.began = time.monotonic()

    def log(self, text: str) -> None:
        self.result.log.append(f"{time.monotonic() - self.began:6.2f} {text}")

    # MARK: - The run

    def run(self) -> Result:
        self.proxy.clear()
        try:
            self.client.make_list(self.list, self.list_name)
            self.prepare()
            for _ in range(STEPS):
                self.step()
            self.settle()
            self.check()
        except Failure as failure:
            self.result.add(f"{failure}")
        except Exception:
            self.result.add(traceback.format_exc())
        finally:
            self.proxy.clear()
            if self.result.problems:
                self.collect_logs()
            for process in self.background:
                process.kill()
                process.wait()
            for person in self.people:
                person.stop()
            if not self.result.problems:
                self.client.request("DELETE", self.list)
            self.client.close()
            self.result.seconds = time.monotonic() - self.began
        return self.result

    def prepare(self) -> None:
        """Starts the people, some of whom have items before they add the account."""
        for name in ("A", "B"):
            offset = self.rng.choice(CLOCK_OFFSETS) if name == "B" else 0
            zone = self.rng.choice(ZONES) if name == "B" else "UTC"
            self.log(f"{name}: the clock differs by {offset} s, in the zone {zone}")
            self.people.append(Person(name, self.directory / name, self.programs, offset, zone))
        for _ in range(self.rng.randrange(4)):
            self.foreign_add()
        for person in self.people:
            person.call("AddCategory", name=self.list_name)
            for _ in range(self.rng.randrange(3)):
                self.add(person)
            person.add_account(self.server, self.proxy.port, self.list_name)
        if self.has_todoman:
            self.todoman = Todoman(self.directory / "todoman", self.server, self.list_name)

    def step(self) -> None:
        person = self.rng.choice(self.people)
        choices: list[tuple[float, Callable[[], None]]] = [
            (4, lambda: self.add(person)), (8, lambda: self.edit(person)), (3, lambda: self.tag(person)),
            (3, lambda: self.complete(person)), (1, lambda: self.reopen(person)), (2.5, lambda: self.delete(person)),
            (2, self.foreign_add), (3, self.foreign_edit), (2, self.foreign_line), (1, self.foreign_tag),
            (1, self.foreign_complete), (1.5, self.foreign_delete),
            (4, lambda: self.synchronize(person)), (4, lambda: self.begin_synchronizing(person)), (5, self.fault),
            (1.5, lambda: self.kill(person, person.kill_todod, "todod")),
            (1.5, lambda: self.kill(person, person.kill_sync, "todod-sync")),
        ]
        if self.todoman is not None:
            choices += [(4, self.use_todoman), (2, self.synchronize_todoman)]
        action = self.rng.choices([action for _, action in choices], [weight for weight, _ in choices])[0]
        self.result.operations += 1
        action()

    # MARK: - Operations of todod

    def add(self, person: Person) -> None:
        number = self.model.next_number()
        values: dict[str, object] = {"name": f"Item {number}", "category": self.list_name}
        kind = self.rng.choice(["plain", "due", "date", "floating", "repeating", "counted", "rich"])
        if kind != "plain":
            values["due"] = "2031-05-01" if kind == "date" else "2031-05-01 09:30"
        if kind == "floating":
            values["floating"] = True
        if kind in ("repeating", "counted"):
            values["every"] = "week" if kind == "repeating" else "day 5 times"
        if kind == "rich":
            values |= {
                "notes": "A long text, with a comma; a semicolon\nand lines " * 4, "priority": 3, "leads": "1d, 1h",
                "tags": ["Ä b"], "estimate": "1h30m", "url": "https://example.org/a?b=c,d;e"}
        item = person.call("AddItem", **values)["item"]
        self.log(f"{person.name} adds {item['uid']} {values}")
        self.model.add(item["uid"], item, repeats="every" in values)

    def choose(self, person: Person, is_open: bool | None = None) -> dict | None:
        items = sorted(person.items().values(), key=lambda item: item["name"])
        items = [item for item in items if item["uid"] in self.model.records]
        if is_open is not None:
            items = [item for item in items if item["completed"] != is_open]
        return self.rng.choice(items) if items else None

    def change(self, person: Person, method: str, item: dict, **values: object) -> list[dict] | None:
        """Calls a method for an item. The item may be deleted by a synchronization in the meantime."""
        try:
            return person.call(method, ids=[item["id"]], **values)["items"]
        except CallError as error:
            self.log(f"{person.name}: {error}")
            return None

    def edit(self, person: Person) -> None:
        if not (item := self.choose(person)):
            return
        number = self.model.next_number()
        name, new = self.rng.choice([
            ("name", f"Item {number}"), ("notes", f"Note {number}\nwith two lines"), ("url", f"https://example.org/{number}"),
            ("priority", self.rng.randrange(1, 10)), ("due", f"2031-06-{self.rng.randrange(1, 29):02} 10:00")])
        if self.change(person, "UpdateItems", item, **{name: new}) is None:
            return
        self.log(f"{person.name} changes {name} of {item['uid']} from {item.get(name)!r} to {new!r}")
        record = self.model.records[item["uid"]]
        record.written |= WRITTEN[str(name)]
        if name in ("name", "notes", "url"):
            self.model.edit(item["uid"], person.name, str(name), new, item.get(str(name)))

    def tag(self, person: Person) -> None:
        if not (item := self.choose(person)):
            return
        tag = f"tag{self.model.next_number()}"
        if self.change(person, "UpdateItems", item, addTags=[tag]) is None:
            return
        self.log(f"{person.name} adds {tag} to {item['uid']}")
        self.model.records[item["uid"]].written |= WRITTEN["tags"]
        self.model.edit(item["uid"], person.name, "tags", tag, None)

    def complete(self, person: Person) -> None:
        self.set_completed(person, "CompleteItems", True)

    def reopen(self, person: Person) -> None:
        self.set_completed(person, "ReopenItems", False)

    def set_completed(self, person: Person, method: str, value: bool) -> None:
        item = self.choose(person, is_open=value)
        if item is None or self.change(person, method, item) is None:
            return
        self.log(f"{person.name} calls {method} for {item['uid']}")
        self.model.records[item["uid"]].written |= WRITTEN["completed"]
        self.model.edit(item["uid"], person.name, "completed", value, item["completed"])

    def delete(self, person: Person) -> None:
        if not (item := self.choose(person)):
            return
        deleted = self.change(person, "DeleteItems", item)
        if deleted is None:
            return
        self.log(f"{person.name} deletes {item['uid']}")
        # The reply has the item as it was then.
        self.model.delete(item["uid"], person.name, next(entry for entry in deleted if entry["id"] == item["id"]))

    # MARK: - Synchronization, faults and kills

    def synchronize(self, person: Person) -> None:
        result = person.todoctl("sync", "now", check=False)
        self.log(f"{person.name} synchronizes: {' '.join((result.stdout + result.stderr).split())}")

    def begin_synchronizing(self, person: Person) -> None:
        self.log(f"{person.name} begins to synchronize")
        self.background.append(subprocess.Popen(
            [person.programs / "todoctl", "sync", "now"], env=person.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def fault(self) -> None:
        self.result.faults += 1
        self.log(f"fault: {self.proxy.add_random(self.rng, self.slow)}")

    def kill(self, person: Person, restart: Callable[[], None], program: str) -> None:
        """Kills a program of a person at a random moment of a synchronization."""
        self.begin_synchronizing(person)
        pause = self.rng.choice([0, 0.2]) + self.rng.random() * 0.1
        time.sleep(pause)
        self.result.kills += 1
        self.log(f"{program} of {person.name} is killed after {pause:.3f} s")
        restart()

    # MARK: - Operations of another program

    def foreign_add(self) -> None:
        number = self.model.next_number()
        uid = f"foreign-{self.result.seed}-{number}"
        lines = [f"SUMMARY;LANGUAGE=en:Foreign {number}", "CREATED:20261101T080000Z", "LAST-MODIFIED:20261101T080000Z"]
        optional = [
            ["DUE;TZID=Europe/Berlin:20310501T093000"], ["DUE;VALUE=DATE:20310501"], ["DTSTART:20310501T080000Z",
             "DUE:20310501T090000Z", "RRULE:FREQ=DAILY;COUNT=5"], ["DESCRIPTION;ALTREP=\"cid:1\":A note\\, and more\\nof it"],
            ["CATEGORIES:one", "CATEGORIES:two"], ["LOCATION:Here\\; there", "GEO:48.2;16.37"], ["CLASS:PRIVATE"],
            ["X-FOREIGN-ORDER;X-PARAMETER=\"a:b\":12"], ["X-FOREIGN-EMPTY:"], ["COMMENT:Ünïcode " + "text " * 30],
            ["PERCENT-COMPLETE:20", "STATUS:IN-PROCESS"], ["PRIORITY:7"], ["RELATED-TO;RELTYPE=SIBLING:nobody"],
            ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER;RELATED=END:-PT15M", "X-FOREIGN-ALARM:1", "END:VALARM"],
            ["ATTACH;FMTTYPE=text/plain:https://example.org/file.txt"], ["ORGANIZER;CN=Ann:mailto:ann@example.org"],
        ]
        if self.rewrites.refuses_empty_values:
            optional.remove(["X-FOREIGN-EMPTY:"])
        chosen = self.rng.sample(optional, self.rng.randrange(2, 7))
        due = [part for part in chosen if part[0].startswith(("DUE", "DTSTART"))]
        # A task has one due time, and an alarm needs it.
        for part in due[1:]:
            chosen.remove(part)
        if not due:
            chosen = [part for part in chosen if part[0] != "BEGIN:VALARM"]
        chosen.sort(key=lambda part: part[0] == "BEGIN:VALARM")
        zone = BERLIN if any("TZID" in line for part in chosen for line in part) else []
        text = texts.task(uid, *lines, *(line for part in chosen for line in part), before=zone)
        name = uid if self.rng.random() < 0.7 else f"{number}%20%C3%BC%40{self.result.seed}"
        answer = self.client.put(f"{self.list}{name}.ics", text)
        self.log(f"the other program adds {uid}: {answer.status}")
        if answer.status == 423:
            # Xandikos refuses a change during another one.
            return
        if answer.status not in (200, 201, 204):
            raise Failure(f"PUT was answered with {answer.status}: {answer.text[:300]}\n{text}")
        record = self.model.add(uid, item_of(text), repeats="RRULE" in text)
        record.foreign_texts.append(text)

    def choose_foreign(self) -> tuple[str, str, str, Record] | None:
        """Returns the path, the text, the etag and the record of a task on the server."""
        paths = sorted(self.client.etags(self.list))
        if not paths:
            return None
        path = self.rng.choice(paths)
        answer = self.client.get(path)
        uid = texts.value(answer.text, "UID") if answer.status == 200 else None
        if uid not in self.model.records or answer.etag is None:
            return None
        return path, answer.text, answer.etag, self.model.records[uid]

    def foreign_change(self, change: Callable[[str, Record, int], tuple[str, str | None, object]]) -> None:
        """Changes a task on the server, if it still has the version that was read."""
        if not (found := self.choose_foreign()):
            return
        path, text, etag, record = found
        number = self.model.next_number()
        new, name, value = change(text, record, number)
        new = texts.with_line(new, f"LAST-MODIFIED:{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}")
        answer = self.client.put(path, new, etag)
        self.log(f"the other program changes {name or 'a line'} of {record.uid} to {value!r}: {answer.status}")
        if answer.status not in (200, 201, 204):
            return
        record.foreign_texts += [new] if record.foreign_texts else [text, new]
        if name is not None:
            record.written |= WRITTEN[name]
            self.model.edit(record.uid, "other", name, value, item_of(text).get(name))

    def foreign_edit(self) -> None:
        def change(text: str, record: Record, number: int) -> tuple[str, str | None, object]:
            if self.rng.random() < 0.5:
                return texts.with_line(text, f"SUMMARY:Foreign {number}"), "name", f"Foreign {number}"
            note = f"Foreign note {number}, with a comma"
            return texts.with_line(text, "DESCRIPTION:" + texts.escape(note)), "notes", note
        self.foreign_change(change)

    def foreign_line(self) -> None:
        self.foreign_change(lambda text, record, number: (
            texts.with_line(text, f"X-FOREIGN-COUNT;X-PARAMETER=1:{number}"), None, number))

    def foreign_tag(self) -> None:
        self.foreign_change(lambda text, record, number: (
            texts.with_line(text, f"CATEGORIES:foreign{number}", add=True), "tags", f"foreign{number}"))

    def foreign_complete(self) -> None:
        def change(text: str, record: Record, number: int) -> tuple[str, str | None, object]:
            if record.repeats:
                return texts.with_line(text, f"X-FOREIGN-COUNT:{number}"), None, number
            new = texts.with_line(texts.with_line(text, "STATUS:COMPLETED"), "COMPLETED:20261120T100000Z")
            return new, "completed", True
        self.foreign_change(change)

    def foreign_delete(self) -> None:
        if not (found := self.choose_foreign()):
            return
        path, text, etag, record = found
        answer = self.client.delete(path, etag)
        self.log(f"the other program deletes {record.uid} with {item_of(text)}: {answer.status}")
        if answer.status in (200, 204):
            self.model.delete(record.uid, "other", item_of(text))

    # MARK: - todoman

    def use_todoman(self) -> None:
        assert self.todoman is not None
        number = self.model.next_number()
        action = self.rng.choice(["add", "edit", "complete", "delete"])
        if action == "add":
            uid, text = self.todoman.add(f"Item {number} of todoman")
            self.log(f"todoman adds {uid}")
            self.model.add(uid, item_of(text))
            return
        candidates = {
            uid: text for uid, text in sorted(self.todoman.tasks().items())
            if (record := self.model.records.get(uid)) and not record.repeats and "RRULE" not in text}
        if not candidates:
            return
        uid = self.rng.choice(sorted(candidates))
        record = self.model.records[uid]
        seen = item_of(candidates[uid])
        if action == "edit":
            if not self.todoman.rename(uid, f"Item {number} of todoman"):
                return
            self.model.edit(uid, "todoman", "name", f"Item {number} of todoman", seen["name"], is_weak=True)
        elif action == "complete":
            if seen["completed"] or not self.todoman.complete(uid):
                return
            self.model.edit(uid, "todoman", "completed", True, False, is_weak=True)
        elif not self.todoman.delete(uid):
            return
        else:
            self.model.delete(uid, "todoman", seen)
        self.log(f"todoman: {action} {uid}")
        if action != "delete" and [texts.name(line) for line in texts.task_lines(candidates[uid])].count("CATEGORIES") > 1:
            record.lose_tags(seen["tags"])
        # todoman writes all properties again.
        record.written |= {*WRITTEN["name"], *WRITTEN["completed"], *WRITTEN["due"], "SEQUENCE", "CREATED"}

    def synchronize_todoman(self) -> None:
        assert self.todoman is not None
        self.log(f"vdirsyncer synchronizes: {self.todoman.synchronize()}")

    # MARK: - The end

    def settle(self) -> None:
        """Removes the faults, and synchronizes until nothing is received or sent any more."""
        self.proxy.clear()
        for process in self.background:
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                raise Failure("todoctl sync now does not end") from None
        self.log("silence")
        problem = ""
        quiet_rounds = 0
        for number in range(ROUNDS):
            is_quiet = self.todoman is None or number >= 2
            if self.todoman is not None and number < 3:
                problem = self.todoman.synchronize()
                self.log(f"vdirsyncer: {problem}")
                is_quiet &= problem == "ok"
            for person in self.people:
                if person.accept_deletions():
                    self.log(f"{person.name} accepts the deletions that were held back")
                    is_quiet = False
                try:
                    received, sent = person.synchronize()
                    self.log(f"{person.name}: received {received}, sent {sent}")
                    is_quiet &= received + sent == 0
                except Failure as failure:
                    # Another person may have changed the list at the same time.
                    problem = str(failure)
                    self.log(problem)
                    is_quiet = False
            # A pass that todod-sync began by itself may have sent changes between the calls of one round.
            quiet_rounds = quiet_rounds + 1 if is_quiet else 0
            if quiet_rounds == 2:
                return
        raise Failure(f"the programs do not come to rest within {ROUNDS} rounds: {problem}")

    def check(self) -> None:
        result = self.result
        items = [person.items() for person in self.people]
        for uid in sorted(items[0].keys() | items[1].keys()):
            states = [comparable_item(person_items.get(uid)) for person_items in items]
            if states[0] != states[1]:
                result.add(f"different: {uid}: {difference(states[0], states[1])}")
                self.result.log += [f"{uid}: {person_items.get(uid)}" for person_items in items]
        resources = self.client.texts(self.list)
        self.result.log += [f"{path} is {answer.text!r}" for path, answer in resources.items()]
        served = Counter(texts.value(answer.text, "UID") or path for path, answer in resources.items())
        for uid, count in served.items():
            if count > 1:
                result.add(f"twin: {uid} is {count} times on the server")
        if set(served) != set(items[0]):
            result.add(f"different: UIDs only on the server {sorted(set(served) - set(items[0]))}, "
                       f"only with A {sorted(set(items[0]) - set(served))}")
        if unknown := set(items[0]) - set(self.model.records):
            result.add(f"twin: items that nobody has added: {sorted(unknown)}")
        for name, count in Counter(item["name"] for item in items[0].values()).items():
            if count > 1:
                result.add(f"twin: {count} items have the name {name!r}")
        by_uid = {texts.value(answer.text, "UID"): answer.text for answer in resources.values()}
        conflicts: dict[str, list[str]] = {}
        for person in self.people:
            for conflict in person.call("ListSyncConflicts")["conflicts"]:
                result.conflicts += 1
                uids = {item["id"]: uid for uid, item in person.items().items()}
                conflicts.setdefault(uids.get(conflict.get("item"), ""), []).append(conflict["text"])
        for uid, record in self.model.records.items():
            for problem in record.problems(items[0].get(uid), conflicts.get(uid, [])):
                result.add(problem)
            if uid in by_uid:
                self.check_text(uid, record, items[0].get(uid), by_uid[uid])
        for person in self.people:
            # A property that todod keeps without using it is no problem.
            for remark in (text for text in person.remarks() if "has no effect here" not in text):
                result.add(f"remark of {person.name}: {remark}")

    def check_text(self, uid: str, record: Record, item: dict | None, text: str) -> None:
        """Checks that the text means the item, and has all lines of other programs."""
        meaning = item_of(text)
        for name in ("name", "notes", "url", "completed"):
            values = [meaning[name], item.get(name) if item is not None else None]
            if self.rewrites.strips_values:
                values = [value.rstrip() if isinstance(value, str) else value for value in values]
            if item is not None and (values[0] or None) != (values[1] or None):
                self.result.add(f"different: {name} of {uid} is {meaning[name]!r} on the server, and {item.get(name)!r} with A")
        if item is not None and sorted(meaning["tags"]) != sorted(item.get("tags", [])):
            self.result.add(f"different: tags of {uid} are {meaning['tags']} on the server, and {item.get('tags')} with A")
        is_exact = not self.rewrites.sorts_properties and self.todoman is None
        for problem in record.changed_lines(text, self.rewrites, is_exact=is_exact):
            self.result.add(problem)

    def collect_logs(self) -> None:
        for person in self.people:
            for name in ("todod", "todod-sync"):
                text = (person.directory / f"{name}.log").read_text(errors="replace")
                self.result.log += [f"{person.name} {line}" for line in text.splitlines()[-60:]]


BERLIN = [
    "BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:DAYLIGHT", "DTSTART:19810329T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
    "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "TZNAME:CEST", "END:DAYLIGHT", "BEGIN:STANDARD", "DTSTART:19961027T030000",
    "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "TZNAME:CET", "END:STANDARD",
    "END:VTIMEZONE",
]


def comparable_item(item: dict | None) -> dict | None:
    """Returns an item without the values that belong to a machine."""
    if item is None:
        return None
    result = {name: value for name, value in item.items() if name not in ("id", "occurrencesDone")}
    if match := re.search(r"COUNT=(\d+)", item.get("recurrence") or ""):
        # A text counts a rule from the open occurrence, and an item from its first one.
        count = int(match[1]) - (item.get("occurrencesDone") or 0)
        result["recurrence"] = item["recurrence"].replace(match[0], f"COUNT={count}")
    for name in ("tags", "alerts"):
        result[name] = sorted(result.get(name) or [])
    for name, value in result.items():
        if name in ("due", "start", "completedAt") and isinstance(value, str):
            result[name] = moment(value)
    return result


def moment(text: str) -> str:
    """Returns a time with an offset in UTC and without fractions of a second, and another time as it is."""
    if len(text) <= 19:
        return text
    return datetime.fromisoformat(text).astimezone(timezone.utc).replace(microsecond=0).isoformat()


def difference(first: dict | None, second: dict | None) -> str:
    if first is None or second is None:
        return f"only {'B' if first is None else 'A'} has it: {first or second}"
    return ", ".join(
        f"{name}: {first.get(name)!r} and {second.get(name)!r}" for name in sorted(first.keys() | second.keys())
        if first.get(name) != second.get(name))


# MARK: - Many seeds

def run_seeds(
    kind: str, seeds: list[int], programs: Path, workers: int, report: Callable[[Result], None], todoman: bool | None = None
) -> list[Result]:
    """Runs seeds on a kind of server, of which each worker has its own."""
    def work(numbers: list[int]) -> list[Result]:
        with tempfile.TemporaryDirectory(prefix="todod-sync-") as name:
            directory = Path(name)
            directory.chmod(0o755)
            server = fixtures.KINDS[kind](directory / "server")
            proxy = FaultProxy(server.port)
            results = []
            try:
                for seed in numbers:
                    folder = directory / str(seed)
                    results.append(Run(kind, server, proxy, seed, folder, programs, todoman).run())
                    report(results[-1])
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                proxy.stop()
                server.stop()
            return results

    with ThreadPoolExecutor(workers) as threads:
        parts = list(threads.map(work, [seeds[index::workers] for index in range(min(workers, len(seeds)))]))
    return [result for part in parts for result in part]
