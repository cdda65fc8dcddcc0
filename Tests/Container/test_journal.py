"""Alerts in the journal: unusual names, many alerts at once, and a journal that is stopped or missing."""

import json
import subprocess
import time

from case import ServiceCase
from messages import DATE, MESSAGES
from user import EVENT_SECONDS

ADD = """\
import json, socket, sys
items = json.load(sys.stdin)
with socket.socket(socket.AF_UNIX) as daemon:
    daemon.connect(sys.argv[1])
    for item in items:
        call = {"method": "dev.todod.Todo.AddItem", "parameters": item}
        daemon.sendall(json.dumps(call).encode() + b"\\0")
        answer = b""
        while not answer.endswith(b"\\0"):
            answer += daemon.recv(65536)
        if b'"error"' in answer:
            sys.exit(answer)
"""
NAMES = [
    "a newline\nin it",
    "\x1b[31mescape\x1b[0m\x07",
    "turned \u202earound\u202c",
    "\U0001f9f9\U0001f3fd sweep",
    "nul \0 in it",
    "x" * 65536,
    "TODO_ID=7\nPRIORITY=0",
]

# Changes the store as if an item became due while the daemon did not run.
AS_IF_LATER = """\
systemctl --user stop todod.socket todod.service \
&& sqlite3 ~/.local/share/todod/todo.sqlite \
"UPDATE ToDo SET dueDate = unixepoch() - 7200, nextAlertDate = unixepoch() - 7500 WHERE name LIKE '%missed%'" \
&& systemctl --user start todod.socket todod.service"""
# Changes the store as if an alert was sent two hours ago and the item was ignored since.
AS_IF_IGNORED = """\
systemctl --user stop todod.socket todod.service \
&& sqlite3 ~/.local/share/todod/todo.sqlite \
"UPDATE ToDo SET dueDate = unixepoch() - 7200, toldForDue = unixepoch() - 7200, nextAlertDate = unixepoch() \
WHERE name LIKE '%overdue%'" \
&& systemctl --user start todod.socket todod.service"""
JOURNAL_SOCKET = "/run/systemd/journal/socket"
# A kind of alert, its name in TODO_ALERT, the item's due time, the command that causes the alert, and its text.
KINDS_SHOWN = [
    ("alert", "due-soon", "in 3 minutes", None, rf"^Item alert is due in 3 min \({DATE}\)$"),
    ("missed alert", "missed", "in 1 day", AS_IF_LATER, r"^Item missed alert was missed: it was due 2 h ago \("),
    ("snoozed alert", "snoozed", "in 1 day", "todoctl snooze 3 1s",
     r"^Item snoozed alert, snoozed until now, is due in "),
    ("overdue alert", "overdue", "in 1 day", AS_IF_IGNORED, r"^Item overdue alert is overdue: it was due 2 h ago \("),
]
KINDS = "TODO_ALERT=due-soon TODO_ALERT=missed TODO_ALERT=snoozed TODO_ALERT=overdue TODO_ALERT=reminder"


class JournalTest(ServiceCase):
    def add(self, items: list[dict]) -> None:
        """Add items through the socket, because a command line cannot contain all of the names."""
        self.user.write("~/add.py", ADD)
        self.user.write("~/items.json", json.dumps(items))
        self.user.run("python3 add.py $XDG_RUNTIME_DIR/todod/socket < items.json")

    def alerts(self) -> list[dict]:
        output = self.user.attempt(f"journalctl --user -o json --all -q {KINDS}", brief=True).output
        return [json.loads(line) for line in output.splitlines()]

    def wait_for_name(self, name: str, after: str) -> dict:
        return self.user.wait_for(
            f"alert of {name[:30]!r}", lambda entry: text(entry, "TODO_NAME") == name, after)

    def wait_for_another_look(self) -> None:
        """Ask the daemon until it has run another check. A check that finds nothing new writes no entry."""
        def last_look() -> str:
            command = self.user.command("todoctl status --json")
            return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["lastTick"]

        before = last_look()
        deadline = time.monotonic() + EVENT_SECONDS
        while last_look() == before:
            self.assertLess(time.monotonic(), deadline, "no look came")

    def test_unusual_name_is_one_entry_with_one_printable_line(self):
        self.start()
        mark = self.user.mark()
        self.add([{"name": name, "due": "in 3 minutes"} for name in NAMES])
        for name in NAMES:
            with self.subTest(name[:20]):
                entry = self.wait_for_name(name, mark)
                message = text(entry, "MESSAGE")
                self.assertLessEqual(len(message.encode()), 1024)
                self.assertTrue(message.isprintable(), message)
                self.assertEqual(entry["PRIORITY"], "5")
        self.assertEqual(len(self.alerts()), len(NAMES))

    def test_many_alerts_are_in_order_of_due_times_with_a_summary(self):
        self.user.write("~/.config/todod/todod.conf", "[Alert]\nLeadTime=1s\n")
        self.start()
        self.add(
            [{"name": f"item {number}", "due": f"in {200 - number % 100} minutes"} for number in range(1000)])
        self.user.write("~/.config/todod/todod.conf", "[Alert]\nLeadTime=5h\n")
        mark = self.user.mark()
        self.user.run("systemctl --user reload todod")
        summary = self.user.wait_for_message("alert summary", after=mark)
        self.assertEqual(summary["TODO_COUNT"], "1000")
        self.assertRegex(summary["MESSAGE"], r"^1000 alerts: item \d+, item \d+, item \d+ and 997 more$")
        alerts = self.alerts()
        self.assertEqual(len(alerts), 1000)
        dues = [alert["TODO_DUE"] for alert in alerts]
        self.assertEqual(dues, sorted(dues))

    def register_catalog(self) -> None:
        """Run the command that `make install` names for root."""
        installed = self.user.run("make -C todod install")
        register = next(line for line in installed.splitlines() if "sudo" in line)
        self.container.run(register.replace("sudo ", ""))

    def explanation(self, kind: str) -> str:
        """Return the explanation that `journalctl -x` adds to the last entry of a kind, with all its fields."""
        shown = self.user.run(f"journalctl --user -x --lines=1 MESSAGE_ID={MESSAGES[kind]}")
        self.assertIn(" Subject:", shown)
        self.assertNotIn("@TODO_", shown)
        return shown

    def commands(self, explanation: str) -> str:
        """Return the commands of an explanation as one line that stops at a failure."""
        lines = [line.lstrip("-\u2591 ") for line in explanation.splitlines()]
        return " && ".join(line for line in lines if line.startswith(("systemctl --user", "cp ")))

    def test_explanation_restores_a_removed_store(self):
        self.register_catalog()
        self.start()
        self.user.run("todoctl add Kept")
        mark = self.user.mark()
        self.user.run("rm ~/.local/share/todod/todo.sqlite")
        self.user.wait_for_message("store replaced", after=mark)
        # The daemon continues with an empty store.
        self.user.wait_for_message("daemon started", after=mark)
        self.assertEqual(self.user.run("todoctl list").strip(), "Nothing to do.")
        self.user.run(self.commands(self.explanation("store replaced")))
        self.assertIn("Kept", self.user.run("todoctl list"))

    def test_explanation_corrects_a_missing_time_zone(self):
        self.register_catalog()
        self.user.run("systemctl --user set-environment TZ=Nope/Zone")
        mark = self.user.mark()
        self.start()
        self.user.wait_for_message("unknown time zone", after=mark)
        commands = self.commands(self.explanation("unknown time zone"))
        mark = self.user.mark()
        self.user.run(commands)
        self.user.wait_for_message("daemon started", after=mark)
        said = self.user.run(f"journalctl --user --after-cursor='{mark}' --output=cat -t todod")
        self.assertNotIn("time zone", said)

    def test_explanation_of_a_damaged_store_names_it(self):
        self.register_catalog()
        self.start()
        self.user.run("todoctl add Lost; systemctl --user stop todod.socket todod.service")
        self.user.run("dd if=/dev/zero of=.local/share/todod/todo.sqlite bs=1k seek=1 count=6 conv=notrunc status=none")
        mark = self.user.mark()
        self.user.attempt("systemctl --user start todod.service; todoctl list")
        self.user.wait_for_message("store damaged", after=mark)
        self.assertIn(".local/share/todod/todo.sqlite*", self.explanation("store damaged"))

    def test_each_kind_has_a_message_and_an_explanation(self):
        self.register_catalog()
        self.user.write("~/.config/todod/todod.conf", "[Alert]\nNag=1min\n")
        self.start()
        for kind, name, due, command, sentence in KINDS_SHOWN:
            with self.subTest(kind):
                mark = self.user.mark()
                self.add([{"name": f"Item {kind}", "due": due}])
                if command:
                    self.user.run(command)
                alert = self.user.wait_for_message(kind, after=mark)
                self.assertRegex(alert["MESSAGE"], sentence)
                self.assertEqual((alert["TODO_ALERT"], alert["TODO_NAME"]), (name, f"Item {kind}"))
                shown = self.user.run(f"journalctl --user -x MESSAGE_ID={MESSAGES[kind]}")
                self.assertRegex(shown, f"Subject: .*: Item {kind}\n")
                self.assertNotIn("@TODO_", shown)

    def test_delayed_alerts_have_a_summary_after_the_quiet_period(self):
        self.register_catalog()
        self.start()
        mark = self.user.mark()
        self.user.run("todoctl quiet 2h")
        for name in ("One", "Two"):
            self.user.run(f"todoctl add {name} --due 'in 3 minutes'")
        self.assertEqual(self.alerts(), [])
        self.user.run("todoctl quiet off")
        summary = self.user.wait_for_message("alert summary", after=mark)
        self.assertRegex(summary["MESSAGE"], rf"^2 alerts held back since {DATE}: One, Two$")
        self.assertEqual((summary["TODO_ALERT"], summary["TODO_COUNT"]), ("summary", "2"))
        self.assertEqual([alert["TODO_NAME"] for alert in self.alerts()], ["One", "Two"])
        shown = self.user.run(f"journalctl --user -x MESSAGE_ID={MESSAGES['alert summary']}")
        self.assertIn("Subject: 2 alerts at once\n", shown)

    def test_quiet_time_does_not_delay_another_alert_time(self):
        self.user.write("~/.config/todod/todod.conf", "[Alert]\nQuietTime=1min\n")
        self.start()
        mark = self.user.mark()
        self.add([{"name": "Twice", "due": "in 3 minutes", "leads": "178s, 177s"}])
        first = self.wait_for_name("Twice", mark)
        second = self.wait_for_name("Twice", first["__CURSOR"])
        gap = (int(second["__REALTIME_TIMESTAMP"]) - int(first["__REALTIME_TIMESTAMP"])) / 1e6
        self.assertGreater(gap, 0.5)
        self.assertLess(gap, 30)

    def test_alert_missed_while_the_machine_was_off_is_sent_once(self):
        self.start()
        self.add([{"name": "Slept through", "due": "in 1 day"}, {"name": "Still to come", "due": "in 1 day"}])
        mark = self.user.mark()
        manager = f"user@{self.user.uid}"
        self.container.run(f"systemctl stop {manager}")
        self.user.run(
            'sqlite3 ~/.local/share/todod/todo.sqlite "UPDATE ToDo SET dueDate = unixepoch() - 7200,'
            " nextAlertDate = unixepoch() - 7500 WHERE name = 'Slept through'\"")
        self.container.run(f"systemctl start {manager}")
        self.assertEqual(self.wait_for_name("Slept through", mark)["TODO_ALERT"], "missed")
        mark = self.user.mark()
        self.container.run(f"systemctl restart {manager}")
        self.user.wait_for_message("daemon started", after=mark)
        self.assertIn("No alerts are due now.", self.user.run("todoctl evaluate"))
        self.assertEqual([alert["TODO_NAME"] for alert in self.alerts()], ["Slept through"])

    def test_stopped_journal_loses_no_alert_and_blocks_no_call(self):
        self.start()
        mark = self.user.mark()
        self.container.run("systemctl kill --signal=STOP systemd-journald")
        try:
            for number in range(5):
                self.user.run(f"todoctl add Item {number} --due 'in 3 minutes'")
            self.user.run("todoctl list")
        finally:
            self.container.run("systemctl kill --signal=CONT systemd-journald")
        for number in range(5):
            self.wait_for_name(f"Item {number}", mark)
        self.assertEqual(len(self.alerts()), 5)

    def test_alert_without_a_journal_is_sent_when_there_is_one(self):
        """The journal's socket refuses connections or is missing. Standard error leads to the same journal."""
        self.start()
        units = "systemd-journald.socket systemd-journald-dev-log.socket systemd-journald.service"
        for name, leave in [("Refused", f"test -S {JOURNAL_SOCKET}"), ("Gone", f"rm {JOURNAL_SOCKET}")]:
            with self.subTest(name):
                mark = self.user.mark()
                self.container.run(f"systemctl stop {units} 2>&1; {leave}")
                try:
                    self.user.run(f"todoctl add {name} --due 'in 3 minutes'")
                    self.wait_for_another_look()
                    status = self.user.run("todoctl status")
                finally:
                    self.container.run(f"systemctl start {units}")
                self.assertRegex(status, r"Journal: +it accepts no alerts; they are sent once it does\n")
                self.wait_for_name(name, mark)
        self.assertEqual([alert["TODO_NAME"] for alert in self.alerts()], ["Refused", "Gone"])
        self.assertNotIn("Journal:", self.user.run("todoctl status"))


def text(entry: dict, field: str) -> str | None:
    """Return a field as text. journalctl prints text with control characters as a list of bytes."""
    value = entry.get(field)
    return bytes(value).decode() if isinstance(value, list) else value
