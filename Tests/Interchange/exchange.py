"""Checks that other programs read the exports of a running todod as it means them, and that todod reads theirs."""

import datetime
import subprocess
import sys
from pathlib import Path

import icalendar
import recurring_ical_events

UTC = datetime.timezone.utc
SOCKET = sys.argv[1]
# The rules and the single times of one repeating task each. All times are in the future of any test run.
SERIES = {
    "excluded": ["DTSTART;TZID=Europe/Berlin:20770301T090000", "DUE;TZID=Europe/Berlin:20770301T090000",
                 "RRULE:FREQ=DAILY;COUNT=6", "EXDATE;TZID=Europe/Berlin:20770302T090000,20770304T090000"],
    "clocks change": ["DTSTART;TZID=Europe/Berlin:20770326T090000", "DUE;TZID=Europe/Berlin:20770326T090000",
                      "RRULE:FREQ=DAILY;COUNT=5", "EXDATE;TZID=Europe/Berlin:20770328T090000"],
    "first excluded": ["DTSTART:20770301T080000Z", "DUE:20770301T080000Z", "RRULE:FREQ=WEEKLY;COUNT=4",
                       "EXDATE:20770301T080000Z"],
    "added": ["DTSTART:20770301T080000Z", "DUE:20770301T080000Z", "RRULE:FREQ=DAILY;COUNT=3",
              "RDATE:20770302T120000Z", "RDATE:20770310T080000Z"],
    "dates": ["DTSTART;VALUE=DATE:20770301", "DUE;VALUE=DATE:20770301", "RRULE:FREQ=DAILY;COUNT=5",
              "EXDATE;VALUE=DATE:20770303"],
    "changed": ["DTSTART;TZID=Europe/Berlin:20770301T090000", "DUE;TZID=Europe/Berlin:20770301T090000",
                "RRULE:FREQ=DAILY;COUNT=4"],
    "until": ["DTSTART;TZID=Europe/Berlin:20770301T090000", "DUE;TZID=Europe/Berlin:20770301T090000",
              "RRULE:FREQ=DAILY;UNTIL=20770304T080000Z"],
}
CHANGED = ["RECURRENCE-ID;TZID=Europe/Berlin:20770303T090000", "SUMMARY:changed, later",
           "DTSTART;TZID=Europe/Berlin:20770303T170000", "DUE;TZID=Europe/Berlin:20770303T170000"]
KEPT = ["LOCATION;LANGUAGE=de:Küche", "GEO:52.5;13.4", "X-COLOR:#ff0000", "ATTENDEE;CN=\"Lee; Ann\":mailto:ann@example.com"]


def todoctl(*arguments: str, standard_input: str | None = None) -> str:
    result = subprocess.run(
        ["todoctl", "--socket", SOCKET, *arguments], input=standard_input, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"todoctl {' '.join(arguments)}: {result.stderr}")
    return result.stdout


def task(uid: str, *lines: str) -> str:
    summary = [] if any(line.startswith("SUMMARY") for line in lines) else [f"SUMMARY:{uid}"]
    return "\r\n".join(["BEGIN:VTODO", f"UID:{uid}", "DTSTAMP:20260101T000000Z", *summary, *lines, "END:VTODO", ""])


def calendar(*tasks: str) -> str:
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//test//EN\r\n" + "".join(tasks) + "END:VCALENDAR\r\n"


def check(claim: str, found: object, expected: object) -> None:
    if found != expected:
        sys.exit(f"{claim}: failed\n  found    {found}\n  expected {expected}")
    print(f"{claim}: passed")


def moment(value: datetime.date) -> str:
    """Returns a time in UTC, or a date."""
    if not isinstance(value, datetime.datetime):
        return value.isoformat()
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if value.tzinfo else value.isoformat()


def occurrences(text: str, uid: str) -> list[str]:
    """Returns the due times of a task by recurring-ical-events."""
    source = icalendar.Calendar.from_ical(text)
    found = recurring_ical_events.of(source, components=["VTODO"]).between((2077, 1, 1), (2078, 1, 1))
    # The duration of an item that has moved on is not that of its occurrences.
    return sorted(moment(todo["DTSTART"].dt) for todo in found if todo["UID"] == uid)


def occurrences_here(uid: str) -> list[str]:
    """Returns the due times at which todod shows a task, until it is done."""
    times = []
    while True:
        lines = todoctl("list", "--where", f"uid == '{uid}' AND completed == NO", "--format", "{id} {due}").splitlines()
        if not lines:
            return sorted(times)
        number, due = lines[0].split(" ", 1)
        times.append(due)
        todoctl("done", number)


def main() -> int:
    text = calendar(
        task("plain", *KEPT, "DUE:20770101T090000Z", "PRIORITY:3", "CATEGORIES:Home,garden",
             "DESCRIPTION:One\\, two\\nthree"),
        task("cancelled", "STATUS:CANCELLED"),
        *(task(uid, *lines) for uid, lines in SERIES.items()), task("changed", *CHANGED))
    expected = {uid: occurrences(text, uid) for uid in SERIES}
    todoctl("import", "-", standard_input=text)
    export = todoctl("export", "--format", "icalendar")
    check("a second import changes nothing", todoctl("import", "-", standard_input=text).split(",")[0].split()[1], "unchanged")

    source = icalendar.Calendar.from_ical(export)
    check("icalendar reads an export without errors", [todo.errors for todo in source.todos if todo.errors], [])
    plain = next(todo for todo in source.todos if todo["UID"] == "plain")
    check("icalendar reads the same values", [
        str(plain["SUMMARY"]), str(plain["DESCRIPTION"]), int(plain["PRIORITY"]), moment(plain["DUE"].dt),
        str(plain["LOCATION"]), plain["LOCATION"].params["LANGUAGE"], str(plain["X-COLOR"]),
        plain["ATTENDEE"].params["CN"],
    ], ["plain", "One, two\nthree", 3, "2077-01-01T09:00:00Z", "Küche", "de", "#ff0000", "Lee; Ann"])
    cancelled = next(todo for todo in source.todos if todo["UID"] == "cancelled")
    check("a cancelled item is cancelled", str(cancelled["STATUS"]), "CANCELLED")
    for uid, times in expected.items():
        check(f"recurring-ical-events, {uid}", occurrences(export, uid), times)
    resorted = icalendar.Calendar.from_ical(export).to_ical().decode()
    todoctl("import", "-", standard_input=resorted)
    export = todoctl("export", "--format", "icalendar")
    for uid, times in expected.items():
        check(f"a file that icalendar wrote, {uid}", occurrences(export, uid), times)
    check_todoman(export)
    for uid, times in expected.items():
        check(f"todod, {uid}", occurrences_here(uid), times)
    return 0


def check_todoman(export: str) -> None:
    """Shows the tasks with todoman, which has a file for each."""
    directory = Path("lists/todo")
    directory.mkdir(parents=True)
    source = icalendar.Calendar.from_ical(export)
    for todo in source.todos:
        if "RECURRENCE-ID" in todo:
            continue
        uid = str(todo["UID"])
        single = calendar(todo.to_ical().decode())
        Path(directory, f"{uid}.ics").write_bytes(single.encode())
    Path("config.py").write_text(f'path = "{Path("lists").resolve()}/*"\ndate_format = "%Y-%m-%d"\n')
    result = subprocess.run(
        ["todo", "--config", str(Path("config.py").resolve()), "list", "--status", "ANY"], capture_output=True, text=True)
    missing = [uid for uid in ["plain", "cancelled", *SERIES] if uid not in result.stdout]
    check("todoman shows the items", (missing, result.stderr), ([], ""))



if __name__ == "__main__":
    sys.exit(main())
