"""A person with python-caldav. Runs in the environment of the suite, and answers commands in JSON, one on each line."""

import datetime
import json
import sys

import caldav


def task(calendar: caldav.Calendar, uid: str) -> caldav.Todo:
    found = next(todo for todo in calendar.todos(include_completed=True) if todo.icalendar_component["UID"] == uid)
    found.load()
    return found


def fields(todo: caldav.Todo) -> dict:
    component = todo.icalendar_component
    due = component.get("DUE")
    return {
        "name": str(component.get("SUMMARY", "")), "due": due.dt.isoformat() if due else None,
        "completed": component.get("STATUS") == "COMPLETED", "repeats": "RRULE" in component,
    }


def answer(calendar: caldav.Calendar, command: dict) -> object:
    if command["do"] == "list":
        todos = calendar.todos(include_completed=True)
        return {str(todo.icalendar_component["UID"]): fields(todo) for todo in todos}
    if command["do"] == "add":
        due = datetime.datetime(2031, 5, 1, 18, 0, tzinfo=datetime.timezone.utc)
        todo = calendar.save_todo(summary=command["name"], due=due, categories=["client"], priority=3)
        return str(todo.icalendar_component["UID"])
    todo = task(calendar, command["uid"])
    if command["do"] == "rename":
        todo.icalendar_component["SUMMARY"] = command["name"]
        todo.save()
    elif command["do"] == "complete":
        moment = datetime.datetime.now(datetime.timezone.utc)
        if command.get("mode"):
            todo.complete(completion_timestamp=moment, handle_rrule=True, rrule_mode=command["mode"])
        else:
            todo.complete(completion_timestamp=moment)
    elif command["do"] == "delete":
        todo.delete()
    return True


def main() -> None:
    url, user, password, path = sys.argv[1:]
    client = caldav.DAVClient(url=url, username=user, password=password)
    calendar = client.calendar(url=url.rstrip("/") + path)
    for line in sys.stdin:
        try:
            result = answer(calendar, json.loads(line))
        except Exception as error:
            result = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(result), flush=True)


main()
