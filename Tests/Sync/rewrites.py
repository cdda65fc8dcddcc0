"""The changes that servers make in the texts that they store.

The checks compare the text on the server with the one that was sent. They subtract exactly these changes: everything else
that differs is a change of todod. The measurements are in docs/sync.md.
"""

import re
from dataclasses import dataclass

import texts


@dataclass(frozen=True)
class Rewrites:
    """The changes of a server. A text that is only stored has none."""

    # The properties are sorted.
    sorts_properties: bool = False
    # The names of properties are in capitals.
    capitalizes_names: bool = False
    # The parts of a rule are in another order.
    sorts_rules: bool = False
    # The description of a time zone is added where it is missing, or replaced.
    describes_zones: bool = False
    # A list of categories becomes one property for each.
    splits_categories: bool = False
    # Properties that are neither in a standard nor begin with X- are dropped.
    drops_unknown_properties: bool = False
    # Components of a task that are in no standard are dropped.
    drops_unknown_components: bool = False
    # The escapes in the values of unknown properties are removed.
    unescapes_unknown_values: bool = False
    # The properties around the tasks, such as PRODID, may change.
    changes_calendar: bool = False
    # Spaces at the end of a value are dropped.
    strips_values: bool = False
    # The numbers of GEO are written in another way.
    formats_positions: bool = False
    # The semicolon in GEO is escaped.
    escapes_positions: bool = False
    # ORGANIZER gets the status of an invitation, because the server sends them.
    schedules: bool = False
    # Properties that begin with X- and have no value are refused.
    refuses_empty_values: bool = False
    # They are dropped.
    drops_empty_values: bool = False
    # A task without CLASS becomes a public one.
    adds_class: bool = False
    # Commas and semicolons in the values of unknown properties are escaped.
    escapes_unknown_values: bool = False


RADICALE = Rewrites(
    sorts_properties=True, capitalizes_names=True, sorts_rules=True, describes_zones=True, changes_calendar=True)
XANDIKOS = Rewrites(
    sorts_properties=True, capitalizes_names=True, sorts_rules=True, changes_calendar=True, formats_positions=True)
REWRITES = {
    "radicale": RADICALE,
    "radicale-new": RADICALE,
    "xandikos": XANDIKOS,
    "xandikos-new": XANDIKOS,
    "davical": Rewrites(),
    "cyrus": Rewrites(
        sorts_rules=True, capitalizes_names=True, splits_categories=True, drops_unknown_properties=True,
        drops_unknown_components=True, unescapes_unknown_values=True, changes_calendar=True,
        strips_values=True, formats_positions=True, schedules=True, refuses_empty_values=True),
    "sogo": Rewrites(
        sorts_rules=True, capitalizes_names=True, changes_calendar=True, strips_values=True, escapes_positions=True,
        drops_empty_values=True, adds_class=True, escapes_unknown_values=True),
}


def comparable(text: str, rewrites: Rewrites, ignored: set[str]) -> list[tuple[str, ...]]:
    """Returns the lines of a text after the changes of the server, each below its components.

    Properties of the task whose names are in `ignored` are omitted. If TRIGGER is among them, those of alarms are, too.
    """
    found: list[tuple[str, ...]] = []
    path: list[str] = []
    for line in texts.unfolded(text):
        upper = line.upper()
        if upper.startswith("BEGIN:"):
            path.append(upper[6:])
            continue
        if upper.startswith("END:"):
            path.pop()
            continue
        if "VTIMEZONE" in path and rewrites.describes_zones or len(path) == 1 and rewrites.changes_calendar:
            continue
        if path[:2] == ["VCALENDAR", "VTODO"] and texts.name(line) in ignored and (len(path) == 2 or texts.name(line) == "TRIGGER"):
            continue
        found += [(*path, part) for part in rewritten(line, rewrites)]
    return sorted(found) if rewrites.sorts_properties or rewrites.splits_categories else found


def rewritten(line: str, rewrites: Rewrites) -> list[str]:
    """Returns a line after the changes of the server, which may be several or none."""
    name = texts.name(line)
    rest = line[len(name):]
    original = line[:len(name)]
    if rewrites.drops_unknown_properties and original.startswith("x-"):
        return []
    if rewrites.drops_empty_values and not texts.raw_value(line) or rewrites.adds_class and line == "CLASS:PUBLIC":
        return []
    head = name if rewrites.capitalizes_names else original
    if name == "RRULE" and rewrites.sorts_rules:
        return [f"{head}:{';'.join(sorted(texts.raw_value(line).split(';')))}"]
    if name == "CATEGORIES" and rewrites.splits_categories:
        return [f"{head}:{part}" for part in re.split(r"(?<!\\),", texts.raw_value(line))]
    if name.startswith("X-") and (rewrites.unescapes_unknown_values or rewrites.escapes_unknown_values):
        rest = rest.replace("\\,", ",").replace("\\;", ";")
    if name == "GEO" and rewrites.formats_positions:
        rest = ":" + ";".join(f"{float(number):.6f}" for number in texts.raw_value(line).split(";"))
    if name == "GEO" and rewrites.escapes_positions:
        rest = rest.replace("\\;", ";")
    if name == "ORGANIZER" and rewrites.schedules:
        rest = re.sub(r";SCHEDULE-STATUS=[^;:]*", "", rest)
    if rewrites.strips_values:
        rest = rest.rstrip(" ")
    return [head + rest]
