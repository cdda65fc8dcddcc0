"""Desktop notifications on a real notification server on a user's session bus, and their buttons."""

import json
import shlex
from datetime import datetime, timedelta

from case import ServiceCase

SERVER = "/usr/bin/python3 -m dbusmock --session --template notification_daemon"
PARAMETERS = '{"capabilities": "actions body body-markup"}'
NAME = "org.freedesktop.Notifications"
OBJECT = f"{NAME} /org/freedesktop/Notifications"


class DesktopTest(ServiceCase):
    def start_server(self) -> None:
        """Start a notification server. It writes its calls to the journal under its own name."""
        self.user.run(
            "systemd-run --user --unit=notification-server --property=Type=dbus"
            f" --property=BusName={NAME} --property=SyslogIdentifier=notification-server"
            f" {SERVER} --parameters {shlex.quote(PARAMETERS)}")

    def wait_for_line(self, *parts: str, after: str) -> None:
        """Wait for a call of the server that contains all of these parts."""
        self.user.wait_for(
            f"note of {parts[0]}",
            lambda entry: entry.get("SYSLOG_IDENTIFIER") == "notification-server"
            and all(part in entry["MESSAGE"] for part in parts), after)

    def press(self, button: str, number: int) -> None:
        """Let the server report that a user pressed a button."""
        self.user.run(
            f"busctl --user call {OBJECT} org.freedesktop.DBus.Mock EmitSignal sssav"
            f" {NAME} ActionInvoked us 2 u {number} s {button}")

    def test_alert_is_a_notification_and_done_closes_it(self):
        self.start_server()
        self.start()
        mark = self.user.mark()
        self.user.run("todoctl category add 'Home & garden'")
        self.user.run("todoctl add 'Water <the> plants' --due 'in 3 minutes' --category 'Home & garden'")
        self.wait_for_line("Notify", "Water <the> plants", "Due in 3 min", after=mark)
        self.wait_for_line("Home &amp; garden", "Snooze 10 min", after=mark)

        mark = self.user.mark()
        self.user.run("todoctl done 1")
        self.wait_for_line("CloseNotification 1", after=mark)

    def test_next_alert_of_an_item_replaces_its_notification(self):
        self.user.write("~/.config/todod/todod.conf", "[Alert]\nQuietTime=1s\n")
        self.start_server()
        self.start()
        mark = self.user.mark()
        self.user.run("todoctl add Other --due 'in 3 minutes'")
        self.wait_for_line('Notify "todod" 0 ', "Other", after=mark)
        self.user.run("todoctl add Twice --due 'in 3 minutes' --lead 179s,176s")
        self.wait_for_line('Notify "todod" 0 ', "Twice", after=mark)
        self.wait_for_line('Notify "todod" 2 ', "Twice", after=mark)

    def test_buttons_change_the_item(self):
        self.start_server()
        self.start()
        for number, (button, sign) in enumerate(
            [("done", '"completed":true'), ("snooze", '"snoozedUntil":"2'), ("mute", '"muted":true')], 1
        ):
            with self.subTest(button):
                mark = self.user.mark()
                self.user.run(f"todoctl add Item of {button} --due 'in 3 minutes'")
                self.wait_for_line("Notify", f"Item of {button}", after=mark)
                mark = self.user.mark()
                self.press(button, number)
                self.user.wait_for(
                    "note of the choice",
                    lambda entry: f"was chosen for item {number}" in str(entry.get("MESSAGE")), mark)
                listed = self.user.run("todoctl --json list --all").replace(" ", "")
                self.assertIn(sign, listed)

    def test_done_moves_a_repeating_item_to_its_next_time(self):
        self.start_server()
        self.start()
        mark = self.user.mark()
        self.user.run("todoctl add Pills --due 'in 3 minutes' --every day")
        self.wait_for_line("Notify", "Pills", after=mark)
        due = self.item(1)["due"]
        mark = self.user.mark()
        self.press("done", 1)
        self.user.wait_for(
            "note of the choice",
            lambda entry: "was chosen for item 1" in str(entry.get("MESSAGE")), mark)
        item = self.item(1)
        self.assertFalse(item["completed"])
        days = datetime.fromisoformat(item["due"]).date() - datetime.fromisoformat(due).date()
        self.assertEqual(days, timedelta(days=1))
        self.wait_for_line("CloseNotification 1", after=mark)

    def item(self, number: int) -> dict:
        return json.loads(self.user.run(f"todoctl --json show {number}"))["items"][0]

    def test_bus_that_appears_later_is_used(self):
        self.user.run("systemctl --user stop dbus.service dbus.socket")
        self.start()
        mark = self.user.mark()
        self.user.run("todoctl add Unseen --due 'in 3 minutes'")
        self.user.wait_for_message("alert", after=mark)
        self.user.run("systemctl --user start dbus.socket dbus.service")
        self.start_server()
        self.user.run("todoctl add Seen --due 'in 3 minutes'")
        self.wait_for_line("Notify", "Seen", after=mark)
        self.assertEqual(self.warnings(), "")

    def test_server_without_replies_delays_no_alerts(self):
        self.start_server()
        method = shlex.quote("time.sleep(1000)")
        self.user.run(
            f"busctl --user call {OBJECT} org.freedesktop.DBus.Mock AddMethod sssss"
            f" {NAME} Notify 'susssasa{{sv}}i' u {method}")
        self.start()
        mark = self.user.mark()
        for name in ("One", "Two", "Three"):
            self.user.run(f"todoctl add {name} --due 'in 3 minutes'")
            self.user.wait_for(
                f"alert of {name}", lambda entry: entry.get("TODO_NAME") == name, mark)
        self.user.wait_for_message("alert sink failed", after=mark)
        self.assertEqual(len(self.warnings().splitlines()), 1)

    def warnings(self) -> str:
        return self.user.run("journalctl --user -u todod -t todod -p warning -o cat -q")
