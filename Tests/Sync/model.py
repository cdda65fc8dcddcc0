"""The model of the convergence test: the operations of all people, and the results that they allow."""

from dataclasses import dataclass, field

import texts
from rewrites import Rewrites, comparable

# The property of iCalendar for each field of an item that an operation changes.
PROPERTIES = {"name": "SUMMARY", "notes": "DESCRIPTION", "url": "URL", "tags": "CATEGORIES", "completed": "STATUS"}
# The properties that todod may write when it changes a field.
WRITTEN = {
    "name": {"SUMMARY"}, "notes": {"DESCRIPTION", "X-TODOD-DESCRIPTION"}, "url": {"URL"}, "tags": {"CATEGORIES"}, "priority": {"PRIORITY"},
    # An alarm keeps its alert if a date becomes a time.
    "due": {"DUE", "DTSTART", "TRIGGER"},
    "completed": {"STATUS", "COMPLETED", "PERCENT-COMPLETE", "DUE", "DTSTART", "RRULE", "EXDATE", "RDATE", "X-TODOD-PERCENT"},
}
# Every writer sets these.
STAMPS = {"DTSTAMP", "LAST-MODIFIED"}


@dataclass
class Edit:
    """A change of one field by one person. A tag that was added is an edit of its own."""

    number: int
    author: str
    field: str
    value: object
    # The value that the author saw before.
    seen: object
    # Whether the program of the author gives up its own change if the server has another one.
    is_weak: bool = False


@dataclass
class Deletion:
    number: int
    author: str
    # The item as its author saw it.
    seen: dict


@dataclass
class Record:
    """The operations on one item."""

    uid: str
    original: dict
    repeats: bool
    edits: list[Edit] = field(default_factory=list)
    deletions: list[Deletion] = field(default_factory=list)
    # The texts of a program that is not todod.
    foreign_texts: list[str] = field(default_factory=list)
    # The properties that todod or todoman may have written.
    written: set[str] = field(default_factory=set)

    # MARK: - Expectations

    def must_exist(self) -> bool:
        """Whether the item was not deleted, or an edit was unknown to each of its deletions."""
        if not self.deletions:
            return True
        # A completed repeating item moves on, which the fields of a deletion do not show.
        edits = [
            edit for edit in self.edits
            if not edit.is_weak and not (self.repeats and edit.field == "completed") and not self.is_reverted(edit)]
        return any(
            not self.has_rival(edit) and not any(self.is_known(edit, deletion) for deletion in self.deletions)
            for edit in edits)

    def is_reverted(self, edit: Edit) -> bool:
        """Whether the author gave the field its former value again before another person saw a new one."""
        edits = [other for other in self.edits if (other.author, other.field) == (edit.author, edit.field)]
        if edit.field == "tags" or edits[-1].value != edits[0].seen:
            return False
        seen = [other.seen for other in self.edits if other.author != edit.author and other.field == edit.field]
        seen += [deletion.seen.get(edit.field) for deletion in self.deletions]
        return not any(other.value in seen for other in edits[:-1])

    def has_rival(self, edit: Edit) -> bool:
        """Whether another person has changed the same field. Only one of the two values remains."""
        return edit.field != "tags" and any(
            other.field == edit.field and other.author != edit.author for other in self.edits)

    def is_known(self, edit: Edit, deletion: Deletion) -> bool:
        """Whether the author of a deletion knew an edit."""
        if edit.number > deletion.number:
            return False
        if edit.author == deletion.author:
            return True
        seen = deletion.seen.get(edit.field)
        if edit.field == "tags":
            return edit.value in (seen or [])
        later = [other.value for other in self.edits if other.field == edit.field and other.number >= edit.number]
        return seen in later

    def may_be_undone(self, edit: Edit) -> bool:
        """Whether the author of a deletion knew an edit. An item that exists nevertheless may not have it."""
        return any(self.is_known(edit, deletion) for deletion in self.deletions)

    def allowed(self, name: str) -> list[object]:
        """Returns the values that a field may have in the end: those of edits that no later edit has replaced."""
        edits = [edit for edit in self.edits if edit.field == name]
        if all(edit.is_weak or self.may_be_undone(edit) for edit in edits):
            return [self.original.get(name), *(edit.value for edit in edits)]
        return [
            edit.value for edit in edits
            if not any(
                other.number > edit.number and not other.is_weak and not self.may_be_undone(other)
                # Two people can complete an item independently.
                and (other.author == edit.author or other.seen == edit.value and name != "completed") for other in edits)]

    def problems(self, item: dict | None, conflicts: list[str]) -> list[str]:
        """Returns the lost edits, as texts.

        - conflicts: the lines that todod has kept of the changes of this item that lost against others.
        """
        if item is None:
            return [f"lost: {self.describe()}"] if self.must_exist() else []
        found = []
        for name in ("name", "notes", "url", "completed"):
            if name == "completed" and self.repeats:
                continue
            if item.get(name) in self.allowed(name) or self.is_kept(name, conflicts):
                continue
            found.append(f"lost edit: {name} is {item.get(name)!r}, not one of {self.allowed(name)}: {self.describe()}")
        tags = {*self.original.get("tags", []), *(
            edit.value for edit in self.edits if edit.field == "tags" and not self.may_be_undone(edit))}
        if missing := tags - set(item.get("tags", [])):
            found.append(f"lost tags {sorted(missing)}: {self.describe()}")
        return found

    def is_kept(self, name: str, conflicts: list[str]) -> bool:
        """Whether todod has kept a value that the field may have, and shows it as a conflict."""
        kept = [line for lines in conflicts for line in texts.unfolded(lines) if texts.name(line) == PROPERTIES[name]]
        values = {texts.unescape(texts.raw_value(line)) for line in kept}
        if name == "completed":
            return bool(values)
        return any(value in values for value in self.allowed(name))

    def lose_tags(self, tags: list) -> None:
        """Records that todoman has removed tags, which it does if a task has CATEGORIES several times."""
        self.original = self.original | {"tags": [tag for tag in self.original.get("tags", []) if tag not in tags]}
        self.edits = [edit for edit in self.edits if edit.field != "tags" or edit.value not in tags]
        self.written.add("CATEGORIES")

    def changed_lines(self, text: str, rewrites: Rewrites, is_exact: bool) -> list[str]:
        """Returns the lines of other programs that differ from those that were written last."""
        if not self.foreign_texts:
            return []
        ignored = STAMPS | self.written
        present = comparable(text, rewrites, ignored)
        candidates = self.foreign_texts if self.deletions else self.foreign_texts[-1:]
        best: list[str] | None = None
        for candidate in candidates:
            former = comparable(candidate, rewrites, ignored)
            if (former == present) if is_exact else (sorted(former) == sorted(present)):
                return []
            difference = [f"-{line}" for line in former if line not in present]
            difference += [f"+{line}" for line in present if line not in former]
            best = difference or ["the order of the lines"]
        return [f"changed lines of {self.uid}: {line}" for line in best or []]

    def describe(self) -> str:
        edits = [f"{edit.number} {edit.author} {edit.field}={edit.value!r}" for edit in self.edits]
        deletions = [f"{deletion.number} {deletion.author} deletes" for deletion in self.deletions]
        return f"{self.uid} {self.original.get('name')!r} ({'; '.join([*edits, *deletions])})"


class Model:
    """All items that were ever added."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self.number = 0

    def next_number(self) -> int:
        self.number += 1
        return self.number

    def add(self, uid: str, item: dict, repeats: bool = False) -> Record:
        self.records[uid] = Record(uid, item, repeats)
        return self.records[uid]

    def edit(self, uid: str, author: str, field_name: str, new: object, seen: object, is_weak: bool = False) -> None:
        record = self.records[uid]
        record.edits.append(Edit(self.next_number(), author, field_name, new, seen, is_weak))

    def delete(self, uid: str, author: str, seen: dict) -> None:
        if record := self.records.get(uid):
            record.deletions.append(Deletion(self.next_number(), author, seen))


def item_of(text: str) -> dict:
    """Returns the fields of a task that operations change."""
    return {
        "name": texts.value(text, "SUMMARY"), "notes": texts.value(text, "DESCRIPTION"), "url": texts.value(text, "URL"),
        "tags": texts.values(text, "CATEGORIES"), "completed": texts.value(text, "STATUS") in ("COMPLETED", "CANCELLED"),
    }
