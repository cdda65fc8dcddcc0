"""The checks of each server: what one person with todod and another program do to a list, one after the other."""

import re
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import fixtures
import texts
from convergence import BERLIN
from faults import REFUSED_TOKEN, FaultProxy
from person import Person
from processes import Failure, wait
from rewrites import REWRITES, comparable

Check = Callable[["Bench"], None]
CHECKS: list[Check] = []
STAMPS = {"DTSTAMP", "LAST-MODIFIED"}


def check(function: Check) -> Check:
    CHECKS.append(function)
    return function


def expect(condition: object, text: str) -> None:
    if not condition:
        raise Failure(text)


class Skipped(Exception):
    """The server cannot do what a check needs."""


class Bench:
    """A server, a new list, and a person who synchronizes it through a proxy."""

    def __init__(self, kind: str, server: fixtures.Server, proxy: FaultProxy, directory: Path, programs: Path, name: str) -> None:
        self.kind = kind
        self.server = server
        self.proxy = proxy
        self.directory = directory
        self.programs = programs
        self.rewrites = REWRITES[kind]
        self.name = name
        self.client = server.client()
        self.list = server.list_path(name)
        self.people: list[Person] = []
        self.client.make_list(self.list, name)

    def person(self, *lists: str, category: str | None = None) -> Person:
        """Starts a person with an account."""
        person = Person(f"P{len(self.people)}", self.directory / f"person{len(self.people)}", self.programs)
        self.people.append(person)
        person.add_account(self.server, self.proxy.port, *(lists or (self.name,)), category=category)
        return person

    def put(self, name: str, text: str) -> None:
        """Stores a new text, which the server has to accept."""
        answer = self.client.put(f"{self.list}{name}.ics", text)
        expect(answer.status in (200, 201, 204), f"PUT {name} was answered with {answer.status}: {answer.text[:300]}")

    def edit(self, name: str, line: str) -> None:
        """Changes one line of a text, as another program does."""
        path = f"{self.list}{name}.ics"
        for _ in range(5):
            present = self.client.get(path)
            answer = self.client.put(path, texts.with_line(present.text, line), present.etag)
            # A person may write at the same time.
            if answer.status != 412:
                break
        expect(answer.status in (200, 201, 204), f"PUT {name} was answered with {answer.status}: {answer.text[:300]}")

    def text(self, name: str) -> str:
        return self.client.get(f"{self.list}{name}.ics").text

    def text_of(self, uid: str) -> str | None:
        found = [answer.text for answer in self.client.texts(self.list).values() if texts.value(answer.text, "UID") == uid]
        expect(len(found) <= 1, f"the server has {uid} {len(found)} times")
        return found[0] if found else None

    def synchronize(self, person: Person) -> None:
        for _ in range(5):
            if person.synchronize() == (0, 0):
                return
        raise Failure("the synchronization does not come to rest")

    def expect_kept(self, before: str, after: str, *changed: str) -> None:
        """Checks that a text has the same lines as before, except for some properties and the changes of the server."""
        ignored = STAMPS | set(changed)
        first, second = comparable(before, self.rewrites, ignored), comparable(after, self.rewrites, ignored)
        expect(
            sorted(first) == sorted(second),
            "other lines have changed: " + "; ".join(
                [f"-{line}" for line in first if line not in second] + [f"+{line}" for line in second if line not in first]))

    def stop(self) -> None:
        for person in self.people:
            person.stop()
        self.client.request("DELETE", self.list)
        self.client.close()
        self.proxy.clear()


# MARK: - Items

@check
def discovery_finds_the_list(bench: Bench) -> None:
    person = bench.person()
    lists = person.status()["accounts"][0]["lists"]
    expect(len(lists) == 1 and lists[0]["url"].endswith(bench.list), f"the lists are {lists}")


@check
def first_synchronization_of_200_tasks(bench: Bench) -> None:
    for number in range(100):
        bench.put(f"task{number}", texts.task(f"task{number}", f"SUMMARY:Task {number}", f"PRIORITY:{number % 9 + 1}"))
    person = Person("P0", bench.directory / "person0", bench.programs)
    bench.people.append(person)
    person.call("AddCategory", name=bench.name)
    for number in range(100):
        person.call("AddItem", name=f"Item {number}", category=bench.name)
    person.add_account(bench.server, bench.proxy.port, bench.name)
    bench.synchronize(person)
    items = person.items()
    expect(len(items) == 200, f"{len(items)} items")
    expect(all(items[f"task{number}"]["priority"] == number % 9 + 1 for number in range(100)), "priorities differ")
    served = {texts.value(answer.text, "UID") for answer in bench.client.texts(bench.list).values()}
    expect(served == set(items), f"the server has {len(served)} tasks")
    bench.proxy.clear()
    expect(person.synchronize() == (0, 0), "a synchronization without changes transfers something")
    # The token of SOGo is a second, so the changes of the last one are reported again.
    limit = 2 if bench.kind == "sogo" else 1
    expect(len(bench.proxy.log()) <= limit, f"it takes {len(bench.proxy.log())} requests")


@check
def changes_go_both_ways(bench: Bench) -> None:
    bench.put("a", texts.task("a", "SUMMARY:Here", "PRIORITY:5"))
    person = bench.person()
    bench.synchronize(person)
    item = person.item("a")
    expect(item and item["name"] == "Here" and item["priority"] == 5, f"the item is {item}")
    person.call("UpdateItems", ids=[item["id"]], notes="From todod, and\nmore", tags=["one", "two"])
    bench.edit("a", "PRIORITY:1")
    bench.synchronize(person)
    text, item = bench.text("a"), person.item("a")
    expect(texts.value(text, "DESCRIPTION") == "From todod, and\nmore", text)
    expect(sorted(texts.values(text, "CATEGORIES")) == ["one", "two"], text)
    expect(item["priority"] == 1 and texts.value(text, "PRIORITY") == "1", f"the priority is {item['priority']}")
    person.call("CompleteItems", ids=[item["id"]])
    bench.synchronize(person)
    expect(texts.value(bench.text("a"), "STATUS") == "COMPLETED", bench.text("a"))
    bench.edit("a", "STATUS:NEEDS-ACTION")
    bench.edit("a", "COMPLETED;X-NONE=1:20261120T100000Z")
    text = bench.client.get(f"{bench.list}a.ics")
    lines = [line for line in texts.unfolded(text.text) if texts.name(line) not in ("COMPLETED", "PERCENT-COMPLETE")]
    expect(bench.client.put(f"{bench.list}a.ics", texts.joined(lines), text.etag).status < 300, "PUT failed")
    bench.synchronize(person)
    expect(person.item("a")["completed"] is False, "the item is still done")


@check
def local_change_is_sent_within_seconds(bench: Bench) -> None:
    person = bench.person()
    bench.synchronize(person)
    uid = person.call("AddItem", name="Soon", category=bench.name)["item"]["uid"]
    began = time.monotonic()
    wait(lambda: bench.text_of(uid), "the item is on the server")
    expect(time.monotonic() - began < 4, f"it took {time.monotonic() - began:.1f} s")


@check
def deletions_go_both_ways(bench: Bench) -> None:
    for name in ("a", "b", "c"):
        bench.put(name, texts.task(name, f"SUMMARY:{name}"))
    person = bench.person()
    bench.synchronize(person)
    person.call("DeleteItems", ids=[person.item("a")["id"]])
    bench.client.delete(f"{bench.list}b.ics")
    bench.synchronize(person)
    expect(set(person.items()) == {"c"}, f"the items are {sorted(person.items())}")
    expect(bench.text_of("a") is None and bench.text_of("b") is None and bench.text_of("c"), "the server has others")


@check
def edit_wins_over_deletion(bench: Bench) -> None:
    for name in ("a", "b", "c"):
        bench.put(name, texts.task(name, f"SUMMARY:{name}", f"X-FOREIGN:{name}"))
    person = bench.person()
    bench.synchronize(person)
    stop = {"kind": "reply", "status": 503, "times": 1000}
    bench.proxy.add(stop)
    person.call("UpdateItems", ids=[person.item("a")["id"]], notes="edited here")
    person.call("DeleteItems", ids=[person.item("b")["id"]])
    bench.client.delete(f"{bench.list}a.ics")
    bench.edit("b", "DESCRIPTION:edited there")
    bench.proxy.clear()
    bench.synchronize(person)
    expect(set(person.items()) == {"a", "b", "c"}, f"the items are {sorted(person.items())}")
    text = bench.text_of("a") or ""
    expect(texts.value(text, "DESCRIPTION") == "edited here" and texts.value(text, "X-FOREIGN") == "a", text)
    expect(person.item("b")["notes"] == "edited there", f"the item is {person.item('b')}")


@check
def deletion_is_sent_after_a_change_of_stamps(bench: Bench) -> None:
    bench.put("a", texts.task("a", "SUMMARY:a"))
    person = bench.person()
    bench.synchronize(person)
    bench.proxy.add({"kind": "reply", "status": 503, "times": 1000})
    person.call("DeleteItems", ids=[person.item("a")["id"]])
    bench.edit("a", "DTSTAMP:20310101T000000Z")
    bench.proxy.clear()
    bench.synchronize(person)
    expect(not person.items() and not bench.client.etags(bench.list), f"the items are {sorted(person.items())}")


@check
def race_for_one_task_is_merged(bench: Bench) -> None:
    bench.put("a", texts.task("a", "SUMMARY:a", "X-FOREIGN:1"))
    first, second = bench.person(), bench.person()
    for person in (first, second):
        bench.synchronize(person)
    for number in range(5):
        first.call("UpdateItems", ids=[first.item("a")["id"]], notes=f"first {number}", addTags=[f"first{number}"])
        second.call("UpdateItems", ids=[second.item("a")["id"]], url=f"https://example.org/{number}", addTags=[f"second{number}"])
        bench.edit("a", f"X-FOREIGN:{number}")
        first.synchronize()
        second.synchronize()
    for person in (first, second, first):
        bench.synchronize(person)
    tags = sorted(f"{name}{number}" for name in ("first", "second") for number in range(5))
    for person in (first, second):
        item = person.item("a")
        expect(item["notes"] == "first 4" and item["url"] == "https://example.org/4", f"the item is {item}")
        expect(sorted(item["tags"]) == tags, f"the tags are {item['tags']}")
    expect(texts.value(bench.text("a"), "X-FOREIGN") == "4", bench.text("a"))


@check
def lost_answer_makes_no_twin(bench: Bench) -> None:
    person = bench.person()
    bench.synchronize(person)
    bench.proxy.add({"kind": "cut-after", "method": "PUT", "times": 2})
    uid = person.call("AddItem", name="Once", category=bench.name)["item"]["uid"]
    time.sleep(0.5)
    person.kill_sync()
    bench.synchronize(person)
    expect(list(person.items()) == [uid], f"the items are {person.items()}")
    expect(len(bench.client.etags(bench.list)) == 1, "the server has a twin")


@check
def refused_token_leads_to_a_comparison(bench: Bench) -> None:
    for name in ("a", "b", "c", "d", "e"):
        bench.put(name, texts.task(name, f"SUMMARY:{name}"))
    person = bench.person()
    bench.synchronize(person)
    bench.client.delete(f"{bench.list}a.ics")
    bench.edit("b", "SUMMARY:changed")
    bench.proxy.add({"kind": "reply", "status": 403, "body": REFUSED_TOKEN, "method": "REPORT", "times": 1})
    bench.synchronize(person)
    expect(set(person.items()) == {"b", "c", "d", "e"}, f"the items are {sorted(person.items())}")
    expect(person.item("b")["name"] == "changed", f"the item is {person.item('b')}")


@check
def empty_list_holds_deletions_back(bench: Bench) -> None:
    for number in range(12):
        bench.put(f"t{number}", texts.task(f"t{number}", f"SUMMARY:{number}"))
    person = bench.person()
    bench.synchronize(person)
    for number in range(12):
        bench.client.delete(f"{bench.list}t{number}.ics")
    person.todoctl("sync", "now", check=False)
    expect(len(person.items()) == 12, f"{len(person.items())} items are left")
    held = person.status()["accounts"][0]["lists"][0].get("heldDeletions")
    expect(held, "todoctl sync status does not say that deletions are held back")
    person.todoctl("sync", "restore", bench.name)
    bench.synchronize(person)
    expect(len(bench.client.etags(bench.list)) == 12, f"the server has {len(bench.client.etags(bench.list))} tasks")


# MARK: - Texts

FOREIGN = texts.task(
    "foreign", "SUMMARY;LANGUAGE=en;X-PARAMETER=\"a;b:c\":A name", "X-FOREIGN;X-PARAMETER=1:a\\, b", "X-LONG:" + "lang ä " * 40 + ".",
    "LOCATION;ALTREP=\"https://example.org\":Here\\; there", "GEO:48.208300;16.373100", "CLASS:PRIVATE", "COMMENT:One", "COMMENT:Two",
    "CONTACT:Ann", "RESOURCES:beamer", "SEQUENCE:3", "CREATED:20261101T080000Z", "DUE;X-FOREIGN=1:20310501T090000Z", "BEGIN:VALARM",
    "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER;RELATED=END:-PT15M", "X-FOREIGN-ALARM:1", "ACKNOWLEDGED:20261102T070000Z", "END:VALARM")


@check
def unknown_properties_stay(bench: Bench) -> None:
    bench.put("foreign", FOREIGN)
    stored = bench.text("foreign")
    bench.expect_kept(FOREIGN, stored)
    person = bench.person()
    bench.synchronize(person)
    expect(bench.text("foreign") == stored, "reading has changed the text")
    person.call("UpdateItems", ids=[person.item("foreign")["id"]], notes="A note", priority=2)
    bench.synchronize(person)
    after = bench.text("foreign")
    bench.expect_kept(stored, after, "DESCRIPTION", "PRIORITY")
    if not bench.rewrites.sorts_properties:
        kept = [line for line in texts.unfolded(after) if texts.name(line) not in {*STAMPS, "DESCRIPTION", "PRIORITY"}]
        former = [line for line in texts.unfolded(stored) if texts.name(line) not in {*STAMPS, "DESCRIPTION", "PRIORITY"}]
        # The description of the alarm is no change of todod, and is compared by its place.
        expect(kept == former, "the order of the lines has changed")


@check
def unknown_components_stay(bench: Bench) -> None:
    text = texts.task("thing", "SUMMARY:a", "BEGIN:X-THING", "X-INNER:1", "END:X-THING")
    answer = bench.client.put(f"{bench.list}thing.ics", text)
    expect(answer.status in (201, 204), f"PUT was answered with {answer.status}")
    stored = bench.text("thing")
    expect(("X-THING" in stored) != bench.rewrites.drops_unknown_components, "change the table of rewrites")
    person = bench.person()
    bench.synchronize(person)
    person.call("UpdateItems", ids=[person.item("thing")["id"]], notes="A note")
    bench.synchronize(person)
    bench.expect_kept(stored, bench.text("thing"), "DESCRIPTION")


@check
def unknown_lower_case_property_stays(bench: Bench) -> None:
    bench.put("lower", texts.task("lower", "SUMMARY:a", "x-foreign;x-parameter=a:b"))
    stored = bench.text("lower")
    expect(("x-foreign" in stored.lower()) != bench.rewrites.drops_unknown_properties, "change the table of rewrites")
    person = bench.person()
    bench.synchronize(person)
    person.call("UpdateItems", ids=[person.item("lower")["id"]], notes="A note")
    bench.synchronize(person)
    bench.expect_kept(stored, bench.text("lower"), "DESCRIPTION")


@check
def time_zones_stay(bench: Bench) -> None:
    due = "DUE;TZID=Europe/Berlin:20310501T093000"
    bench.put("with", texts.task("with", "SUMMARY:with", due, before=BERLIN))
    bench.put("without", texts.task("without", "SUMMARY:without", due))
    bench.put("unknown", texts.task("unknown", "SUMMARY:unknown", "DUE;TZID=My zone:20310501T093000", before=[
        line.replace("Europe/Berlin", "My zone") for line in BERLIN]))
    bench.put("date", texts.task("date", "SUMMARY:date", "DUE;VALUE=DATE:20310501"))
    bench.put("floating", texts.task("floating", "SUMMARY:floating", "DUE:20310501T093000"))
    person = bench.person()
    bench.synchronize(person)
    for name, expected in (
        ("with", "2031-05-01T07:30:00Z"), ("without", "2031-05-01T07:30:00Z"), ("date", "2031-05-01"),
        ("floating", "2031-05-01T09:30:00"),
    ):
        expect(person.item(name)["due"] == expected, f"{name} is due {person.item(name)['due']}")
        stored = bench.text(name)
        person.call("UpdateItems", ids=[person.item(name)["id"]], name=f"{name} 2")
        bench.synchronize(person)
        bench.expect_kept(stored, bench.text(name), "SUMMARY")
    person.call("UpdateItems", ids=[person.item("with")["id"]], due="2031-06-01 10:00")
    bench.synchronize(person)
    expect("DUE;TZID=Europe/Berlin:20310601T120000" in texts.task_lines(bench.text("with")), bench.text("with"))


@check
def repeating_task_moves_on(bench: Bench) -> None:
    bench.put("repeating", texts.task(
        "repeating", "SUMMARY:r", "DTSTART:20310501T080000Z", "DUE:20310501T090000Z", "RRULE:FREQ=DAILY;COUNT=5", "X-FOREIGN:1"))
    person = bench.person()
    bench.synchronize(person)
    stored = bench.text("repeating")
    person.call("CompleteItems", ids=[person.item("repeating")["id"]])
    bench.synchronize(person)
    text = bench.text("repeating")
    expect(texts.value(text, "DUE") == "20310502T090000Z" and texts.value(text, "DTSTART") == "20310502T080000Z", text)
    expect("COUNT=4" in (texts.value(text, "RRULE") or ""), text)
    bench.expect_kept(stored, text, "DTSTART", "DUE", "RRULE", "STATUS", "PERCENT-COMPLETE", "COMPLETED")
    # Another program, such as Tasks.org, moves the task on, too.
    bench.edit("repeating", "DTSTART:20310503T080000Z")
    bench.edit("repeating", "DUE:20310503T090000Z")
    bench.edit("repeating", "RRULE:FREQ=DAILY;COUNT=3")
    bench.synchronize(person)
    item = person.item("repeating")
    expect(item["due"] == "2031-05-03T09:00:00Z" and not item["completed"], f"the item is {item}")
    expect(len(bench.client.etags(bench.list)) == 1, "the server has more than one task")


@check
def changed_occurrence_stays(bench: Bench) -> None:
    override = [
        "BEGIN:VTODO", "UID:override", "DTSTAMP:20261101T080000Z", "RECURRENCE-ID:20310503T080000Z", "SUMMARY:another name",
        "DTSTART:20310503T100000Z", "DUE:20310503T110000Z", "X-FOREIGN:2", "END:VTODO"]
    text = texts.task(
        "override", "SUMMARY:o", "DTSTART:20310501T080000Z", "DUE:20310501T090000Z", "RRULE:FREQ=DAILY;COUNT=5",
        "EXDATE:20310502T080000Z", "X-FOREIGN:1", after=override)
    bench.put("override", text)
    person = bench.person()
    bench.synchronize(person)
    stored = bench.text("override")
    person.call("UpdateItems", ids=[person.item("override")["id"]], priority=3)
    bench.synchronize(person)
    bench.expect_kept(stored, bench.text("override"), "PRIORITY")


@check
def attachments_stay(bench: Bench) -> None:
    binary = "ATTACH;FMTTYPE=image/png;ENCODING=BASE64;VALUE=BINARY:" + "iVBORw0KGgoAAAANSUhEUgAA" * 400
    bench.put("attached", texts.task(
        "attached", "SUMMARY:a", binary, "ATTACH;FMTTYPE=text/plain:https://example.org/file.txt"))
    person = bench.person()
    bench.synchronize(person)
    stored = bench.text("attached")
    person.call("UpdateItems", ids=[person.item("attached")["id"]], addLinks=[{"url": "https://example.org/new"}])
    bench.synchronize(person)
    text = bench.text("attached")
    lines = texts.unfolded(text)
    for line in texts.unfolded(stored):
        expect(texts.name(line) in STAMPS or line in lines, f"a line is missing: {line[:80]}")
    expect(any("https://example.org/new" in line for line in lines), "the new link is missing")


@check
def long_notes_are_synchronized(bench: Bench) -> None:
    there, here = ("Ünïcode, and more; " * 10 + "\n") * 1000, ("Other words, of todod. " * 9 + "\n") * 1000
    there, here = there[:200_000] + ".", here[:200_000] + "."
    bench.put("long", texts.task("long", "SUMMARY:long", "DESCRIPTION:" + texts.escape(there)))
    person = bench.person()
    bench.synchronize(person)
    item = person.call("GetItem", id=person.item("long")["id"])["item"]
    expect(item["notes"] == there, f"the notes have {len(item['notes'] or '')} instead of {len(there)} characters")
    person.call("UpdateItems", ids=[item["id"]], notes=here)
    bench.synchronize(person)
    expect(texts.value(bench.text("long"), "DESCRIPTION") == here, "the notes on the server differ")


@check
def odd_names_of_resources_work(bench: Bench) -> None:
    names = ["a%20b", "ann%40example.org", "%C3%BC", "100%25", "a%2Bb", "a&b", "a'b", "a;b", "a,b", "(a)", "a%23b", "a%3Fb", "~a"]
    if bench.kind == "cyrus":
        # In its listings, Cyrus writes the question mark without an escape, so no client can find the resource.
        names.remove("a%3Fb")
    if bench.kind == "sogo":
        # SOGo writes a space in place of the apostrophe, so this name replaces the first one. In its reports, it writes the
        # percent sign without an escape.
        names = [name for name in names if name not in ("a'b", "100%25")]
    accepted = []
    for number, name in enumerate(names):
        answer = bench.client.put(f"{bench.list}{name}.ics", texts.task(f"odd{number}", f"SUMMARY:{number}"))
        if answer.status in (201, 204):
            accepted.append((name, f"odd{number}"))
    expect(len(accepted) >= 8, f"the server accepts only {accepted}")
    person = bench.person()
    bench.synchronize(person)
    expect(set(person.items()) == {uid for _, uid in accepted}, f"the items are {sorted(person.items())}")
    for number, (_, uid) in enumerate(accepted):
        person.call("UpdateItems", ids=[person.item(uid)["id"]], notes=f"Note {number}")
    bench.synchronize(person)
    for number, (name, uid) in enumerate(accepted):
        expect(texts.value(bench.text_of(uid) or "", "DESCRIPTION") == f"Note {number}", f"{name} was not changed")
    expect(len(bench.client.etags(bench.list)) == len(accepted), "the server has other tasks")
    person.call("DeleteItems", ids=[person.item(uid)["id"] for _, uid in accepted[:3]])
    bench.synchronize(person)
    expect(len(bench.client.etags(bench.list)) == len(accepted) - 3, "the server has other tasks")


# MARK: - Lists and accounts

@check
def list_of_events_is_not_offered(bench: Bench) -> None:
    if bench.kind in ("xandikos", "sogo"):
        raise Skipped("the server says of each list that it accepts tasks")
    path = bench.server.list_path("events")
    bench.client.make_list(path, "events", "VEVENT")
    try:
        person = Person("P0", bench.directory / "person0", bench.programs)
        bench.people.append(person)
        try:
            person.add_account(bench.server, bench.proxy.port, "events")
            raise Skipped("the list of events was accepted")
        except Failure as failure:
            expect("event" in str(failure) or "task" in str(failure), f"the message has no reason: {failure}")
        except Skipped as error:
            raise Failure(str(error)) from None
        bench.person(bench.name)
    finally:
        bench.client.request("DELETE", path)


@check
def wrong_password_is_reported(bench: Bench) -> None:
    if not bench.server.checks_password:
        raise Skipped("the server accepts each password")
    person = Person("P0", bench.directory / "person0", bench.programs)
    bench.people.append(person)
    secret = person.directory / "wrong"
    secret.write_text("wrong\n")
    secret.chmod(0o600)
    result = person.todoctl(
        "sync", "add", f"http://127.0.0.1:{bench.proxy.port}{bench.server.entry}", "--user", bench.server.user,
        "--password-file", secret, "--all", "--yes", check=False)
    expect(result.returncode == 1 and "password" in result.stderr, f"status {result.returncode}: {result.stderr}")


@check
def read_only_list_is_only_read(bench: Bench) -> None:
    if not isinstance(bench.server, fixtures.Radicale):
        raise Skipped("the fixture has no read-only list")
    path = bench.server.make_read_only_list(texts.task("fixed", "SUMMARY:fixed"))
    name = path.strip("/").rpartition("/")[2]
    person = bench.person(name)
    person.todoctl("sync", "now", check=False)
    expect(person.item("fixed"), f"the items are {person.items()}")
    person.call("UpdateItems", ids=[person.item("fixed")["id"]], notes="stays here")
    bench.proxy.clear()
    person.todoctl("sync", "now", check=False)
    expect(person.item("fixed")["notes"] == "stays here", f"the item is {person.item('fixed')}")
    expect(not [entry for entry in bench.proxy.log() if entry["method"] in ("PUT", "DELETE")], "todod-sync tries to write")
    expect(person.status()["accounts"][0]["lists"][0].get("readOnly"), "todoctl sync status does not say that it is read-only")


@check
def restarted_server_goes_on(bench: Bench) -> None:
    bench.put("a", texts.task("a", "SUMMARY:a"))
    person = bench.person()
    bench.synchronize(person)
    person.call("UpdateItems", ids=[person.item("a")["id"]], notes="before")
    bench.server.restart()
    bench.client.close()
    bench.synchronize(person)
    expect(texts.value(bench.text("a"), "DESCRIPTION") == "before", bench.text("a"))


# MARK: - The run

def run_checks(kind: str, programs: Path, pattern: str, report: Callable[[str, str, str], None]) -> int:
    """Runs all checks on a kind of server, and returns the number of failures."""
    failures = 0
    with tempfile.TemporaryDirectory(prefix="todod-sync-") as name:
        directory = Path(name)
        directory.chmod(0o755)
        server = fixtures.KINDS[kind](directory / "server")
        proxy = FaultProxy(server.port)
        try:
            for number, function in enumerate(CHECKS):
                if not re.search(pattern, function.__name__):
                    continue
                try:
                    bench = Bench(kind, server, proxy, directory / str(number), programs, f"list{number}")
                    try:
                        function(bench)
                    finally:
                        bench.stop()
                    report(kind, function.__name__, "passed")
                except Skipped as reason:
                    report(kind, function.__name__, f"not possible: {reason}")
                except Failure as failure:
                    failures += 1
                    report(kind, function.__name__, f"failed: {failure}")
                except Exception:
                    failures += 1
                    report(kind, function.__name__, f"failed: {traceback.format_exc()}")
        finally:
            proxy.stop()
            server.stop()
    return failures
