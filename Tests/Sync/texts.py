"""Texts of iCalendar, line by line."""

import re
from collections.abc import Iterable

HEADER = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Foreign client//EN"]
FOOTER = ["END:VCALENDAR"]


def task(uid: str, *lines: str, before: Iterable[str] = (), after: Iterable[str] = ()) -> str:
    """Returns the text of a task with some lines, and other components before and after it."""
    return joined([
        *HEADER, *before, "BEGIN:VTODO", f"UID:{uid}", "DTSTAMP:20261101T080000Z", *lines, "END:VTODO", *after, *FOOTER])


def joined(lines: Iterable[str]) -> str:
    return "".join(fold(line) + "\r\n" for line in lines)


def fold(line: str) -> str:
    """Folds a line at 75 bytes, between characters."""
    parts, part = [], ""
    for character in line:
        if len((part + character).encode()) > (75 if not parts else 74):
            parts.append(part)
            part = ""
        part += character
    return "\r\n ".join([*parts, part])


def unfolded(text: str) -> list[str]:
    """Returns the lines of a text without line ends and folds."""
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if line[:1] in (" ", "\t") and lines:
            lines[-1] += line[1:]
        elif line:
            lines.append(line)
    return lines


def name(line: str) -> str:
    """Returns the name of the property of a line."""
    return re.split("[;:]", line, maxsplit=1)[0].upper()


def task_lines(text: str) -> list[str]:
    """Returns the lines directly in the task that is not a changed occurrence."""
    found: list[list[str]] = []
    depth: list[str] = []
    for line in unfolded(text):
        if line.upper().startswith("BEGIN:"):
            depth.append(line[6:].upper())
            if depth == ["VCALENDAR", "VTODO"]:
                found.append([])
        elif line.upper().startswith("END:"):
            depth.pop()
        elif depth == ["VCALENDAR", "VTODO"]:
            found[-1].append(line)
    masters = [lines for lines in found if not any(name(line) == "RECURRENCE-ID" for line in lines)]
    return (masters or found or [[]])[0]


def value(text: str, property_name: str) -> str | None:
    """Returns the value of a property of the task, without escapes."""
    for line in task_lines(text):
        if name(line) == property_name:
            return unescape(raw_value(line))
    return None


def values(text: str, property_name: str) -> list[str]:
    """Returns the values of all properties with a name, each of which may be a list."""
    return [
        unescape(part) for line in task_lines(text) if name(line) == property_name
        for part in re.split(r"(?<!\\),", raw_value(line))]


def raw_value(line: str) -> str:
    """Returns the part after the first colon that is not in quotes."""
    return re.match(r'(?:[^":]|"[^"]*")*:(.*)', line, re.DOTALL)[1]  # type: ignore[index]


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] in "nN" else match[1], text)


def escape(text: str) -> str:
    return re.sub(r"([\\,;])", r"\\\1", text).replace("\n", "\\n")


def with_line(text: str, line: str, add: bool = False) -> str:
    """Returns the text of a task with another line in the place of those of the same property, or one more with `add`."""
    lines = unfolded(text)
    begin = lines.index("BEGIN:VTODO")
    end = next(index for index in range(begin, len(lines)) if lines[index] == "END:VTODO")
    depth, places = 0, []
    for index in range(begin + 1, end):
        if lines[index].startswith("BEGIN:"):
            depth += 1
        elif lines[index].startswith("END:"):
            depth -= 1
        elif depth == 0 and name(lines[index]) == name(line) and not add:
            places.append(index)
    for index in reversed(places):
        del lines[index]
    lines.insert(places[0] if places else begin + 1, line)
    return joined(lines)
