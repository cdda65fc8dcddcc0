"""What a wrong configuration does: said in the journal with its place, and not tried again and again."""

from case import ServiceCase

CONFIGURATION = "~/.config/todod/todod.conf"
WRONG = "[Alert]\nLeadTime=5min\nBogus=1\n"


class ConfigurationTest(ServiceCase):
    def test_a_wrong_line_stops_the_start_with_status_78_and_its_place(self):
        self.user.write(CONFIGURATION, WRONG)
        mark = self.user.mark()
        self.assertNotEqual(self.user.attempt("systemctl --user start todod.service").status, 0)
        rejected = self.user.wait_for_message("configuration rejected", after=mark)
        self.assertIn(f"{self.user.home}/.config/todod/todod.conf:3", rejected["MESSAGE"])
        self.assertIn("Bogus", rejected["MESSAGE"])
        self.assertEqual(rejected["PRIORITY"], "3")
        self.assertEqual(self.user.unit_property("todod.service", "ExecMainStatus"), "78")
        self.assertEqual(self.user.unit_property("todod.service", "NRestarts"), "0")
        self.assertEqual(self.user.unit_property("todod.service", "ActiveState"), "failed")

        self.user.write(CONFIGURATION, WRONG.replace("Bogus=1\n", ""))
        self.user.run("systemctl --user reset-failed todod.service todod.socket")
        self.user.run("systemctl --user start todod.socket todod.service")
        self.user.run("todoctl add Buy milk")

    def test_a_call_met_by_a_wrong_line_ends_and_the_way_back_works(self):
        self.user.run("systemctl --user start todod.socket")
        self.user.write(CONFIGURATION, WRONG)
        self.assertNotEqual(self.user.attempt("todoctl add Buy milk").status, 0)
        self.assertEqual(self.user.attempt("todoctl add Buy milk").status, 3)

        self.user.write(CONFIGURATION, WRONG.replace("Bogus=1\n", ""))
        self.user.run("systemctl --user reset-failed todod.service todod.socket")
        self.user.run("systemctl --user start todod.socket todod.service")
        self.user.run("todoctl add Buy milk")

    def test_a_wrong_line_met_by_a_reload_leaves_the_daemon_running_as_it_was(self):
        self.start()
        process = self.user.unit_property("todod.service", "MainPID")
        self.user.write(CONFIGURATION, WRONG)
        mark = self.user.mark()
        self.user.attempt("systemctl --user reload todod")
        self.user.wait_for_message("configuration rejected", after=mark)
        self.user.run("todoctl add Buy milk")
        self.assertEqual(self.user.unit_property("todod.service", "MainPID"), process)
