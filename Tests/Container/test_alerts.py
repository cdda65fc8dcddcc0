"""`todoctl alerts`: past alerts from the journal, and the error if the journal cannot be read."""

import json

from case import ServiceCase
from messages import DATE, WHEN


class AlertsTest(ServiceCase):
    def remind(self, name: str) -> None:
        mark = self.user.mark()
        self.user.run(f'todoctl add {name} --due "in 3 minutes"')
        self.user.wait_for_message("alert", after=mark)

    def test_past_alerts_are_shown(self):
        self.start()
        self.assertEqual(self.user.run("todoctl alerts"), "No alerts were sent yet.\n")
        self.remind("Pay the rent")
        self.remind("Water the plants")

        lines = self.user.run("todoctl alerts").splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], rf"^{WHEN}  +1  Pay the rent is due in 3 min \({DATE}\)$")
        self.assertIn("Water the plants", lines[1])
        self.assertEqual(self.user.run("todoctl alerts --lines 1").splitlines(), lines[1:])
        self.assertEqual(self.user.run("todoctl alerts --since 1h").splitlines(), lines)
        self.assertEqual(self.user.run("todoctl alerts --since yesterday --lines 1").splitlines(), lines[1:])

        alert = json.loads(self.user.run("todoctl alerts --json").splitlines()[0])
        self.assertEqual((alert["id"], alert["name"], alert["alert"]), (1, "Pay the rent", "due-soon"))
        listed = json.loads(self.user.run("todoctl list --json"))["items"][0]
        self.assertEqual(alert["due"], listed["due"])

    def test_follow_ends_with_its_reader(self):
        self.start()
        self.remind("Pay the rent")
        # head ends after two lines, and todoctl ends with it.
        followed = self.user.run(
            "{ timeout 20 todoctl alerts --follow | head -n 2 & }; "
            'todoctl add Water the plants --due "in 3 minutes"; wait').splitlines()
        self.assertEqual(sum("Pay the rent is due" in line for line in followed), 1)
        self.assertEqual(sum("Water the plants is due" in line for line in followed), 1)

    def test_wrong_usage_is_named(self):
        for line, expected in [
            ("--since soon", "cannot read the time 'soon': it names no day and no time"),
            ("--lines 0", "--lines takes a number from 1 to 1000000"),
            ("now", "'alerts' does not take 'now'"),
        ]:
            result = self.user.attempt(f"todoctl alerts {line}")
            self.assertEqual(result.status, 2)
            self.assertIn(expected, result.output)

    def test_unreadable_journal_is_explained(self):
        journal = "/var/log/journal"
        self.container.run(f"mv {journal} {journal}.away && systemctl restart systemd-journald")
        try:
            result = self.user.attempt("todoctl alerts")
        finally:
            self.container.run(f"mv {journal}.away {journal} && systemctl restart systemd-journald")
        self.assertEqual(result.status, 1)
        self.assertIn("it is kept in memory only", result.output)
        self.assertIn("usermod -aG systemd-journal", result.output)
