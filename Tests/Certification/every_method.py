"""Calls every method of dev.todod.Todo, with Python's varlink client.

The client gets the text of the interface from the daemon, and checks every call and every reply against it. The
argument is the path of the socket of a daemon with an empty store.
"""

import sys
import tempfile
from pathlib import Path

import varlink
from varlink.scanner import _Method

INTERFACE = "dev.todod.Todo"


class Recorder:
    """A connection that records the called methods."""

    def __init__(self, connection, called: set[str]):
        self.connection = connection
        self.called = called

    def __getattr__(self, name):
        self.called.add(name)
        return getattr(self.connection, name)

    @property
    def methods(self) -> set[str]:
        members = self.connection._interface.members.values()
        return {member.name for member in members if isinstance(member, _Method)}


def main() -> int:
    with varlink.Client(f"unix:{sys.argv[1]}") as client, client.open(INTERFACE) as connection:
        todo = Recorder(connection, set())
        edit(todo)
        look(todo)
        undo(todo)
        exchange(todo)
        watch(todo, client)
        synchronize(todo)
        refuse(todo)
        missing = todo.methods - todo.called
        assert not missing, f"no call of {sorted(missing)}"
        print(f"{len(todo.called)} methods of {INTERFACE} were called")
    return 0


def edit(todo) -> None:
    assert todo.AddCategory(name="Home")["category"]["name"] == "Home"
    item = todo.AddItem(name="Pay the rent", due="2031-05-01 09:00", timeZone="Europe/Berlin", category="home",
                        muted=False, notes="é \U0001f9fe", priority=1, leads="1d, 1h", past=False)["item"]
    assert item["due"] == "2031-05-01T07:00:00Z" and item["leads"] == [86400, 3600]
    changed = todo.UpdateItems(ids=[item["id"]], name="Pay", ifModified=item["modifiedAt"])["items"][0]
    assert changed["name"] == "Pay" and changed["category"] == "Home"
    ids = [item["id"]]
    assert todo.SnoozeItems(ids=ids, until="2031-04-30 18:00")["items"][0]["snoozedUntil"]
    assert todo.MuteItems(ids=ids, muted=True)["items"][0]["muted"]
    again = todo.UpdateItems(ids=ids, appendNotes="second line", every="day 3 times", afterDone=False,
                             timeZone="Europe/Berlin")["items"][0]
    assert again["notes"] == "é \U0001f9fe\nsecond line"
    assert again["recurrence"] == "FREQ=DAILY;COUNT=3" and again["every"] == "every day, 3 times"
    skipped = todo.SkipItems(ids=ids)["items"][0]
    assert skipped["due"] == "2031-05-02T07:00:00Z" and skipped["occurrencesDone"] == 1
    assert not todo.CompleteItems(ids=ids)["items"][0]["completed"]
    assert todo.CompleteItems(ids=ids)["items"][0]["completed"]
    assert not todo.ReopenItems(ids=ids)["items"][0]["completed"]
    assert todo.UpdateCategory(name="Home", newName="House", muted=True)["category"]["muted"]
    assert todo.DeleteCategory(name="House")["category"]["items"] == 1
    assert [entry.get("skipped") for entry in todo.ListHistory(ids=ids)["entries"]].count(True) == 1
    assert todo.AddView(name="urgent", query={"priorities": [1, 2]})["view"]["query"]["priorities"] == [1, 2]
    assert todo.UpdateView(name="urgent", newName="first")["view"]["name"] == "first"
    assert [view["name"] for view in todo.ListViews()["views"]] == ["first"]
    assert todo.DeleteView(name="first")["view"]["name"] == "first"
    tagged = todo.UpdateItems(ids=ids, addTags=["errand", "post"])["items"][0]
    assert tagged["tags"] == ["errand", "post"]
    assert todo.UpdateItems(ids=ids, removeTags=["post"])["items"][0]["tags"] == ["errand"]
    assert [tag["items"] for tag in todo.ListTags()["tags"]] == [1, 0]
    assert todo.UpdateTag(name="errand", newName="errands")["tag"]["name"] == "errands"
    assert todo.DeleteTag(name="errands")["tag"]["items"] == 1
    assert todo.DeleteItems(ids=ids)["items"][0]["name"] == "Pay"


def look(todo) -> None:
    for number in range(600):
        todo.AddItem(name=f"item {number}", priority=number % 10)
    assert len(todo.ListItems(state="open")["items"]) == 600
    where = todo.ListItems(where="priority > %@ AND name CONTAINS[c] %@", arguments=[{"integer": 5}, {"text": "ITEM 1"}],
                           order=["-priority", "name"], limit=3, offset=1, fields=["name", "priority"])["items"]
    assert [item["priority"] for item in where] == [9, 9, 9], where
    replies = list(todo.ListItems(_more=True))
    assert sum(len(reply["items"]) for reply in replies) == 600 and len(replies) > 1
    assert todo.GetItem(id=5)["item"]["id"] == 5
    assert todo.DueItems(within="2d")["items"] == []
    assert todo.ListCategories()["categories"] == []
    assert todo.Evaluate(dryRun=True)["alerts"] == []
    assert todo.Quiet(until="in 2 hours")["until"]
    assert not todo.Quiet(off=True).get("until")
    assert todo.GetConfig()["settings"]
    assert not todo.CheckConfig()["wrongLines"]
    assert not todo.TakeWarnings()["warnings"]
    status = todo.Status()
    assert status["items"] == 600 and status["openItems"] == 600 and status["watchers"] == 0


def undo(todo) -> None:
    undone = todo.Undo(count=2)["changes"]
    assert [change["summary"] for change in undone] == ["added 'item 599'", "added 'item 598'"], undone
    assert todo.Redo()["changes"][0]["method"] == "AddItem"


def exchange(todo) -> None:
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory, "copy.sqlite")
        assert todo.Backup(path=str(copy))["bytes"] == copy.stat().st_size
    for format in ["json", "icalendar"]:
        text = "".join(reply["text"] for reply in todo.Export(format=format, _more=True))
        half = len(text) // 2
        todo.Import(text=text[:half], format=format, continues=True)
        taken = todo.Import(text=text[half:], format=format, dryRun=True)
        assert taken["unchanged"] == 599, taken


def watch(todo, client) -> None:
    with client.open(INTERFACE) as other:
        events = Recorder(other, todo.called).Watch(_more=True)
        assert next(events)["event"] == "ready"
        item = todo.AddItem(name="seen")["item"]
        added = next(events)
        assert added["event"] == "added" and added["items"][0]["name"] == "seen" and added["ids"] == [item["id"]]


def synchronize(todo) -> None:
    home = "https://dav.example.org/ann/home/"
    account = todo.AddSyncAccount(name="Test", url="https://dav.example.org/", passwordSource="keyring",
                                  lists=[{"url": home, "name": "Garden"}])["account"]
    number = account["lists"][0]["id"]
    task = ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:one\r\nSUMMARY:Mow the lawn\r\n"
            "END:VTODO\r\nEND:VCALENDAR\r\n")
    resource = {"url": home + "one.ics", "etag": '"1"'}
    taken = todo.TakeSyncChanges(list=number, changed=[resource | {"text": task}], deleted=[], missing=[], complete=True)
    assert taken["added"] == 1
    assert todo.ListSyncEntries(list=number)["entries"] == [resource]
    todo.AddItem(name="Water the plants", category="garden")
    upload = todo.ListSyncUploads(list=number)["uploads"][0]
    assert "SUMMARY:Water the plants" in upload["text"]
    todo.RecordSyncUploads(list=number, results=[{"url": upload["url"], "state": upload["state"], "etag": '"2"',
                                                  "sentText": upload["text"], "text": upload["text"]}])
    assert todo.ListSyncUploads(list=number)["uploads"] == []
    assert todo.UpdateSyncList(list=number, problem="no answer")["list"]["problem"] == "no answer"
    assert [each["name"] for each in todo.ListSyncAccounts()["accounts"]] == ["Test"]
    assert todo.ListSyncConflicts()["conflicts"] == []
    todo.DeleteSyncAccount(name="test")


def refuse(todo) -> None:
    for call, error, fields in [
        (lambda: todo.GetItem(id=999), "ItemNotFound", {"ids": [999]}),
        (lambda: todo.AddItem(name="x", due="soonish"), "InvalidDate", {"field": "due"}),
        (lambda: todo.AddItem(name="x", due="2020-01-01"), "PastDate", {"text": "2020-01-01"}),
        (lambda: todo.AddItem(name="x", every="never"), "InvalidRecurrence", {"text": "never"}),
        (lambda: todo.AddItem(name=" "), "InvalidValue", {"field": "name"}),
        (lambda: todo.AddItem(name="x", category="Hom"), "CategoryNotFound", {"name": "Hom"}),
        (lambda: todo.ListItems(where="name =="), "InvalidPredicate", {"offset": 7}),
        (lambda: todo.Redo(), "NothingToUndo", {}),
        (lambda: todo.ResolveSyncConflict(id=999, restore=True), "SyncConflictNotFound", {"id": 999}),
        (lambda: todo.UpdateItems(ids=[1], name="x", ifModified="2020-01-01T00:00:00Z"), "ItemNotFound", {"ids": [1]}),
        (lambda: todo.UpdateItems(ids=[5], name="x", ifModified="2020-01-01T00:00:00Z"), "ItemModified", {"id": 5}),
    ]:
        try:
            call()
        except varlink.VarlinkError as refusal:
            assert refusal.error() == f"{INTERFACE}.{error}", refusal
            assert fields.items() <= refusal.parameters().items(), refusal
        else:
            sys.exit(f"{error} did not come")


if __name__ == "__main__":
    sys.exit(main())
