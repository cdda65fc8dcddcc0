"""The first steps of the README: install, add an item, and read the alert in the journal."""

import json
import time
from datetime import datetime, timezone

from case import ServiceCase
from messages import MESSAGES


class ReminderTest(ServiceCase):
    def test_alert_of_item_due_in_three_minutes_is_in_the_journal(self):
        self.start()
        self.user.run("todoctl category add Home")
        mark = self.user.mark()
        before = time.time()
        self.user.run('todoctl add Pay the rent --due "in 3 minutes" --category Home')
        after = time.time()
        self.user.wait_for_message("alert", after=mark)

        self.user.run("journalctl --user -u todod")
        output = self.user.run(f"journalctl --user -u todod -o json MESSAGE_ID={MESSAGES['alert']}")
        alerts = [json.loads(line) for line in output.splitlines()]
        self.assertEqual(len(alerts), 1)
        alert = alerts[0]
        self.assertEqual(alert["SYSLOG_IDENTIFIER"], "todod")
        self.assertEqual(alert["PRIORITY"], "5")
        self.assertEqual(alert["TODO_NAME"], "Pay the rent")
        self.assertEqual(alert["TODO_CATEGORY"], "Home")
        self.assertEqual(alert["TODO_ALERT"], "due-soon")
        self.assertIn("Pay the rent", alert["MESSAGE"])
        self.assertEqual(alert["_SYSTEMD_USER_UNIT"], "todod.service")
        due = datetime.fromisoformat(alert["TODO_DUE"]).astimezone(timezone.utc).timestamp()
        self.assertGreaterEqual(due, int(before) + 180)
        self.assertLessEqual(due, after + 181)

        listed = json.loads(self.user.run("todoctl --json list"))
        self.assertEqual([str(item["id"]) for item in listed["items"]], [alert["TODO_ID"]])

    def test_timer_sends_the_alert_of_an_item_added_earlier(self):
        self.user.write("~/.config/todod/todod.conf", "[Alert]\nLeadTime=2min 57s\n")
        self.start()
        mark = self.user.mark()
        self.user.run('todoctl add Pay the rent --due "in 3 minutes"')
        added = time.time()
        alert = self.user.wait_for_message("alert", after=mark)
        self.assertGreater(int(alert["__REALTIME_TIMESTAMP"]) / 1e6, added + 1)

    def test_journal_explains_an_alert_with_the_registered_catalog(self):
        installed = self.user.run("make -C todod install")
        register = next(line for line in installed.splitlines() if "sudo" in line)
        self.container.run(register.replace("sudo ", ""))
        self.start()
        mark = self.user.mark()
        self.user.run('todoctl add Water the plants --due "in 3 minutes"')
        self.user.wait_for_message("alert", after=mark)
        explained = self.user.run(f"journalctl --user -u todod -x MESSAGE_ID={MESSAGES['alert']}")
        self.assertIn("Subject: Alert: Water the plants", explained)
        self.assertRegex(explained, r"todoctl done \S+")
        self.assertNotIn("@TODO_", explained)
