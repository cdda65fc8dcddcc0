"""A person with Evolution: its data server with the CalDAV backend. Runs in a session bus of its own.

It answers commands in JSON, one on each line.
"""

import json
import sys
import time

import gi

gi.require_version("ECal", "2.0")
gi.require_version("EDataServer", "1.2")
gi.require_version("ICalGLib", "3.0")
from gi.repository import ECal, EDataServer, GLib, ICalGLib  # noqa: E402


def source(registry: EDataServer.SourceRegistry, url: str, port: int, user: str, password: str, path: str) -> EDataServer.Source:
    """Registers a list of tasks on a server, with its password."""
    source = EDataServer.Source.new_with_uid("list", None)
    source.set_display_name("list")
    source.set_parent("caldav-stub")
    tasks = source.get_extension(EDataServer.SOURCE_EXTENSION_TASK_LIST)
    tasks.set_backend_name("caldav")
    authentication = source.get_extension(EDataServer.SOURCE_EXTENSION_AUTHENTICATION)
    authentication.set_host("127.0.0.1")
    authentication.set_port(port)
    authentication.set_user(user)
    authentication.set_method("plain/password")
    authentication.set_remember_password(True)
    source.get_extension(EDataServer.SOURCE_EXTENSION_SECURITY).set_method("none")
    webdav = source.get_extension(EDataServer.SOURCE_EXTENSION_WEBDAV_BACKEND)
    webdav.set_resource_path(path)
    source.get_extension(EDataServer.SOURCE_EXTENSION_REFRESH).set_enabled(False)
    source.get_extension(EDataServer.SOURCE_EXTENSION_OFFLINE).set_stay_synchronized(True)
    registry.commit_source_sync(source, None)
    for _ in range(100):
        if found := registry.ref_source("list"):
            break
        time.sleep(0.05)
    return found


def log_in(client: ECal.Client, source: EDataServer.Source, user: str, password: str) -> None:
    """Gives the backend the password when it asks for it."""
    credentials = EDataServer.NamedParameters.new()
    credentials.set(EDataServer.SOURCE_CREDENTIAL_USERNAME, user)
    credentials.set(EDataServer.SOURCE_CREDENTIAL_PASSWORD, password)
    wait(2)
    for _ in range(20):
        source.invoke_authenticate_sync(credentials, None)
        wait(1)
        if not client.is_readonly():
            return
    sys.exit("The backend does not connect.")


def wait(seconds: float) -> None:
    """Lets the library handle its messages for some time."""
    context = GLib.MainContext.default()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        while context.iteration(False):
            pass
        time.sleep(0.02)


def fields(component: ECal.Component) -> dict:
    task = component.get_icalcomponent()
    due = task.get_due()
    status = task.get_first_property(ICalGLib.PropertyKind.STATUS_PROPERTY)
    return {
        "name": task.get_summary(), "due": due.as_ical_string() if not due.is_null_time() else None,
        "completed": status is not None and status.get_value_as_string() == "COMPLETED",
        "repeats": task.count_properties(ICalGLib.PropertyKind.RRULE_PROPERTY) > 0,
    }


def answer(client: ECal.Client, command: dict) -> object:
    if command["do"] == "list":
        client.refresh_sync(None)
        wait(2)
        _, components = client.get_object_list_as_comps_sync("#t", None)
        return {component.get_uid(): fields(component) for component in components}
    if command["do"] == "add":
        uid = f"evolution-{time.time_ns()}"
        component = ICalGLib.Component.new_from_string(
            f"BEGIN:VTODO\r\nUID:{uid}\r\nDTSTAMP:20261101T080000Z\r\nSUMMARY:{command['name']}\r\n"
            "DUE:20310501T180000Z\r\nPRIORITY:3\r\nCATEGORIES:client\r\nEND:VTODO\r\n")
        return client.create_object_sync(component, ECal.OperationFlags.NONE, None)[1]
    _, component = client.get_object_sync(command["uid"], None, None)
    component = component.clone()
    if command["do"] == "rename":
        component.set_summary(command["name"])
        return client.modify_object_sync(component, ECal.ObjModType.ALL, ECal.OperationFlags.NONE, None)
    if command["do"] == "complete":
        ECal.util_mark_task_complete_sync(component, GLib.DateTime.new_now_utc().to_unix(), client, None)
        return client.modify_object_sync(component, ECal.ObjModType.ALL, ECal.OperationFlags.NONE, None)
    return client.remove_object_sync(command["uid"], None, ECal.ObjModType.ALL, ECal.OperationFlags.NONE, None)


def main() -> None:
    url, port, user, password, path = sys.argv[1:]
    # The source needs it as long as it is used.
    registry = EDataServer.SourceRegistry.new_sync(None)
    found = source(registry, url, int(port), user, password, path)
    client = ECal.Client.connect_sync(found, ECal.ClientSourceType.TASKS, 1, None)
    log_in(client, client.get_source(), user, password)
    for line in sys.stdin:
        try:
            result = answer(client, json.loads(line))
        except Exception as error:
            result = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(result), flush=True)


main()
