"""A wrong configuration, which is reported everywhere and does not stop the alerts."""

from case import ServiceCase

CONFIGURATION = "~/.config/todod/todod.conf"
RIGHT = "[Alert]\nLeadTime=5min\n"
WRONG = RIGHT + "Bogus=1\n"
IN_DOUBT = "[Store]\nType=xlm\n"


class ConfigurationTest(ServiceCase):
    def place(self, line: int) -> str:
        return f"{self.user.home}/.config/todod/todod.conf:{line}"

    def test_wrong_line_is_ignored_and_reported(self):
        """C1: The service starts and reports the line in the journal, in its status and with the next command."""
        self.user.write(CONFIGURATION, WRONG)
        mark = self.user.mark()
        self.user.run("systemctl --user start todod.socket todod.service")
        rejected = self.user.wait_for_message("configuration rejected", after=mark)
        self.assertIn(self.place(3), rejected["MESSAGE"])
        self.assertIn("Bogus", rejected["MESSAGE"])
        self.assertEqual(rejected["PRIORITY"], "4")
        status = self.user.run("systemctl --user status todod.service")
        self.assertRegex(status, f'Status: ".*{self.place(3)}: no setting Bogus=')
        self.assertIn(":3: no setting Bogus=", self.user.run("todoctl status"))
        self.assertNotIn("Bogus", self.user.run("todoctl list"), "status has shown it already")

    def test_next_command_reports_a_wrong_line_once(self):
        """C1: The line is also reported if the command has started the service."""
        self.user.write(CONFIGURATION, WRONG)
        self.user.run("systemctl --user start todod.socket")
        self.assertIn("no setting Bogus=", self.user.run("todoctl add Buy milk"))
        self.assertNotIn("Bogus", self.user.run("todoctl list"))

    def test_reload_with_a_wrong_line_fails_and_names_the_line(self):
        """C2: The reload changes nothing, and both kinds of status name the line."""
        self.start()
        process = self.user.unit_property("todod.service", "MainPID")
        self.user.write(CONFIGURATION, WRONG)
        mark = self.user.mark()
        self.assertNotEqual(self.user.attempt("systemctl --user reload todod").status, 0)
        self.user.wait_for_message("configuration rejected", after=mark)
        self.assertIn(self.place(3), self.user.run("systemctl --user status --lines=20 --full todod.service"))
        self.assertIn(":3: no setting Bogus=", self.user.run("todoctl status"))
        self.assertEqual(self.user.attempt("todoctl config check").status, 1)
        self.assertEqual(self.user.unit_property("todod.service", "MainPID"), process)

        self.user.write(CONFIGURATION, "[Alert]\nLeadTime=1h\n")
        mark = self.user.mark()
        self.user.run("systemctl --user reload todod")
        self.user.wait_for_message("configuration reloaded", after=mark)
        self.assertRegex(self.user.run("todoctl config"), "LeadTime +1h +~/.config/todod/todod.conf:2")

    def test_reload_writes_no_other_entries(self):
        """C3: The journal has no line about a part of the sandbox that cannot be set up."""
        self.start()
        mark = self.user.mark()
        self.user.run("systemctl --user reload todod")
        self.user.wait_for_message("unit reloaded", after=mark)
        written = self.user.run(f"journalctl --user --after-cursor='{mark}' --output=cat")
        self.assertNotRegex(written, "namespace|Private")

    def test_start_without_a_record_of_the_store_fails_and_can_be_repeated(self):
        """C5: After the line is corrected, a manual start succeeds immediately, however often it failed before."""
        self.user.write(CONFIGURATION, IN_DOUBT)
        self.user.run("systemctl --user start todod.socket")
        mark = self.user.mark()
        self.assertNotEqual(self.user.attempt("systemctl --user start todod.service").status, 0)
        rejected = self.user.wait_for_message("store in doubt", after=mark)
        self.assertIn(f"{self.place(2)}: Type=", rejected["MESSAGE"])
        self.assertEqual(self.user.unit_property("todod.service", "ExecMainStatus"), "78")
        self.assertEqual(self.user.unit_property("todod.service", "NRestarts"), "0")
        self.assertNotEqual(self.user.attempt("todoctl add Buy milk").status, 0)
        output = self.user.attempt("todoctl add Buy milk").output

        self.user.write(CONFIGURATION, RIGHT)
        for line in output.splitlines():
            if "systemctl --user" in line:
                self.user.run(line.strip())
        self.user.run("todoctl add Buy milk")
        self.user.write(CONFIGURATION, IN_DOUBT)
        self.user.run("systemctl --user restart todod.service")
        self.assertIn("Buy milk", self.user.run("todoctl list"))
