"""The service under systemd: activation, crashes, hangs, reload and stop."""

import json

from case import ServiceCase


class ServiceTest(ServiceCase):
    def test_call_on_the_socket_starts_the_daemon(self):
        self.user.run("systemctl --user start todod.socket")
        self.assertEqual(self.user.unit_property("todod.service", "ActiveState"), "inactive")
        self.assertEqual(self.user.run("stat -c '%a %A' $XDG_RUNTIME_DIR/todod/socket").split()[0], "600")
        self.assertEqual(self.user.run("stat -c '%a %A' $XDG_RUNTIME_DIR/todod").split()[0], "700")
        self.user.run("todoctl add Buy milk")
        self.assertEqual(self.user.unit_property("todod.service", "ActiveState"), "active")
        self.assertIn("Buy milk", self.user.run("todoctl list"))

    def test_service_has_limits(self):
        self.start()
        self.assertEqual(self.user.unit_property("todod.service", "MemoryMax"), str(1 << 30))
        self.assertEqual(self.user.unit_property("todod.service", "TasksMax"), "256")

    def test_killed_daemon_restarts_with_its_data(self):
        self.start()
        self.user.run("todoctl add Buy milk")
        killed = self.user.unit_property("todod.service", "MainPID")
        mark = self.user.mark()
        self.user.run(f"kill -KILL {killed}")
        self.user.wait_for_message("restart scheduled", after=mark)
        self.user.wait_for_message("daemon started", after=mark)
        self.assertIn("Buy milk", self.user.run("todoctl list"))
        self.assertNotEqual(self.user.unit_property("todod.service", "MainPID"), killed)

    def test_call_after_a_kill_is_answered_by_the_next_daemon(self):
        self.start()
        killed = self.user.unit_property("todod.service", "MainPID")
        self.user.run(f"kill -KILL {killed}; todoctl add Buy milk")
        self.assertIn("Buy milk", self.user.run("todoctl list"))

    def test_watchdog_restarts_a_hanging_daemon(self):
        self.start()
        self.user.run("todoctl add Buy milk")
        hanging = self.user.unit_property("todod.service", "MainPID")
        mark = self.user.mark()
        self.user.run(f"kill -STOP {hanging}")
        failed = self.user.wait_for_message("unit failed", after=mark)
        self.assertEqual(failed["UNIT_RESULT"], "watchdog")
        self.user.wait_for_message("daemon started", after=mark)
        self.assertIn("Buy milk", self.user.run("todoctl list"))

    def test_acknowledged_changes_survive_kills_at_any_time(self):
        self.start()
        acknowledged = self.user.run(
            "for n in $(seq 30); do"
            " (( n % 10 == 5 )) && systemctl --user kill --signal=KILL todod.service & "
            # An interrupted add reports it on standard error and is not acknowledged.
            " todoctl add Item $n > /dev/null 2>&1 && echo Item $n;"
            " wait; done").splitlines()
        items = json.loads(self.user.run("todoctl --json list"))["items"]
        self.assertGreater(len(acknowledged), 20)
        self.assertEqual(set(acknowledged) - {item["name"] for item in items}, set())
        self.assertEqual(self.user.unit_property("todod.service", "NRestarts"), "3")

    def test_second_daemon_is_refused_and_names_the_first(self):
        self.start()
        result = self.user.attempt("todod")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.output, rf"\b{self.user.unit_property('todod.service', 'MainPID')}\b")
        self.user.run("todoctl add Buy milk")

    def test_alerts_continue_after_a_restart_of_the_journal(self):
        self.start()
        self.container.run("systemctl restart systemd-journald")
        mark = self.user.mark()
        self.user.run('todoctl add Pay the rent --due "in 3 minutes"')
        self.user.wait_for_message("alert", after=mark)

    def test_daemon_writes_only_entries_with_a_message_id(self):
        self.start()
        mark = self.user.mark()
        self.user.run('todoctl add Pay the rent --due "in 3 minutes" && todoctl done 1 && todoctl status')
        self.user.wait_for_message("alert", after=mark)
        self.user.run("systemctl --user reload todod && systemctl --user stop todod.service")
        self.user.wait_for_message("daemon stopped", after=mark)
        output = self.user.run("journalctl --user --output=json _COMM=todod")
        for entry in map(json.loads, output.splitlines()):
            self.assertIn("MESSAGE_ID", entry, entry["MESSAGE"])

    def test_reload_reads_the_configuration_again_in_the_same_process(self):
        self.start()
        process = self.user.unit_property("todod.service", "MainPID")
        mark = self.user.mark()
        self.user.run("systemctl --user reload todod")
        self.user.wait_for_message("configuration reloaded", after=mark)
        self.assertEqual(self.user.unit_property("todod.service", "MainPID"), process)

    def test_reload_works_without_the_kill_program(self):
        self.start()
        self.container.run("mv /bin/kill /bin/kill.away")
        self.addCleanup(self.container.run, "mv /bin/kill.away /bin/kill")
        mark = self.user.mark()
        self.user.run("systemctl --user reload todod")
        self.user.wait_for_message("configuration reloaded", after=mark)

    def test_stop_is_clean_and_saves(self):
        self.start()
        self.user.run("todoctl add Buy milk")
        mark = self.user.mark()
        self.user.run("systemctl --user stop todod.service")
        self.user.wait_for_message("daemon stopped", after=mark)
        self.assertEqual(self.user.unit_property("todod.service", "Result"), "success")
        self.assertEqual(self.user.unit_property("todod.service", "ExecMainStatus"), "0")
        # The socket stays active without the service, so this call starts the daemon again.
        self.assertIn("Buy milk", self.user.run("todoctl list"))

    def test_both_units_start_again_at_the_next_login(self):
        self.start()
        self.user.run("todoctl add Buy milk")
        mark = self.user.mark()
        self.container.run(f"systemctl restart user@{self.user.uid}")
        self.user.wait_for_message("unit started", unit="todod.socket", after=mark)
        self.user.wait_for_message("unit started", after=mark)
        self.assertIn("Buy milk", self.user.run("todoctl list"))
