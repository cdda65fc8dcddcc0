"""`Command=`: a program that runs outside the sandbox for each alert, and that may fail or hang."""

import json

from case import ServiceCase
from sandbox_probe import OPEN_DIRECTORY

RING = """\
#!/bin/sh
%s
"""
CONFIGURATION = """\
[Alert]
Command=~/ring "two words"
%s
"""


class CommandTest(ServiceCase):
    def start_with(self, script: str, settings: str = "") -> str:
        """Start the daemon with this script as its command. Return the mark in the journal before the start."""
        self.container.run(f"mkdir --parents --mode=1777 {OPEN_DIRECTORY}")
        self.user.write("~/ring", RING % script)
        self.user.run("chmod +x ~/ring")
        self.user.write("~/.config/todod/todod.conf", CONFIGURATION % settings)
        mark = self.user.mark()
        self.start()
        return mark

    def wait_for_output(self, text: str, after: str) -> None:
        self.user.wait_for(
            f"output {text}",
            lambda entry: entry.get("SYSLOG_IDENTIFIER") == "todod-command" and entry["MESSAGE"] == text,
            after)

    def wait_for_failure(self, after: str) -> str:
        return self.user.wait_for_message("alert sink failed", after=after)["MESSAGE"]

    def units(self) -> str:
        return self.user.run("systemctl --user list-units --all --plain --no-legend 'todod-command*'")

    def test_command_runs_outside_the_sandbox_and_gets_the_alert(self):
        directory = f"{OPEN_DIRECTORY}/{self.user.name}"
        mark = self.start_with(
            f'mkdir {directory}; cat > {directory}/alert; echo "$TODO_NAME for $1, in $PWD"')
        self.user.run("todoctl add 'Pay the $RENT' --due 'in 3 minutes'")
        self.wait_for_output(f"Pay the $RENT for two words, in {self.user.home}", mark)
        alert = json.loads(self.user.run(f"cat {directory}/alert"))
        self.assertEqual(alert["name"], "Pay the $RENT")
        self.assertEqual(alert["alert"], "due-soon")
        self.assertEqual(alert["id"], 1)

    def test_failing_command_causes_one_warning_and_leaves_no_unit(self):
        mark = self.start_with("exit 3")
        for name in ("One", "Two", "Three"):
            self.user.run(f"todoctl add {name} --due 'in 3 minutes'")
        self.assertIn("it ended with exit status 3;", self.wait_for_failure(mark))
        self.user.write("~/ring", RING % "echo well again")
        self.user.run("todoctl add Four --due 'in 3 minutes'")
        self.wait_for_output("well again", mark)
        warnings = self.user.run("journalctl --user -u todod -t todod -p warning -o cat -q")
        self.assertEqual(len(warnings.splitlines()), 1)
        self.user.wait_for("end of the unit", is_end_of_command, mark)
        self.assertNotIn("failed", self.units())

    def test_hanging_command_is_ended_with_its_children(self):
        mark = self.start_with("sleep 1000 & sleep 1000", "CommandTimeout=1s")
        self.user.run("todoctl add Wait --due 'in 3 minutes'")
        self.assertIn("it took longer than 1s and was ended;", self.wait_for_failure(mark))
        self.assertEqual(self.user.attempt("pgrep -u $USER sleep").status, 1)
        self.user.run("todoctl status")

    def test_missing_command_is_reported_at_the_start(self):
        self.user.write("~/.config/todod/todod.conf", "[Alert]\nCommand=/nonexistent/ring\n")
        mark = self.user.mark()
        self.start()
        self.assertIn("/nonexistent/ring of Command= cannot be executed", self.wait_for_failure(mark))

    def test_command_without_session_bus_runs_as_a_child_in_the_sandbox(self):
        self.user.run("systemctl --user stop dbus.service dbus.socket")
        mark = self.start_with(f"touch {OPEN_DIRECTORY}/{self.user.name} || touch ~/in-the-sandbox; exit 4")
        self.user.run("todoctl add Alone --due 'in 3 minutes'")
        self.assertIn("it ended with exit status 4;", self.wait_for_failure(mark))
        self.user.run("test -e ~/in-the-sandbox")


def is_end_of_command(entry: dict) -> bool:
    """Whether the entry reports the end of the unit of a command."""
    return str(entry.get("USER_UNIT", "")).startswith("todod-command") and entry.get("JOB_RESULT") == "done"
