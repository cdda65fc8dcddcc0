"""A store of an older version, which the service migrates in its sandbox and reports in the journal."""

import json

from case import ServiceCase
from messages import MESSAGES

STORE = "~/.local/share/todod/todo.sqlite"
ITEMS_IN_FIXTURE = 10
# Enough for a second or more of work, and for indexes that SQLite sorts in temporary files.
MANY = 300_000
MANY_ITEMS = f"""\
INSERT INTO ToDo (id, name, dueDate, completed, category)
WITH RECURSIVE n(value) AS (SELECT 100 UNION ALL SELECT value + 1 FROM n LIMIT {MANY})
SELECT value, 'Something to be done, number ' || value, 1.9e9 + value, 0, 1 + value % 3 FROM n;
"""


class MigrationTest(ServiceCase):
    def setUp(self) -> None:
        super().setUp()
        self.user.run(
            f"mkdir -p ~/.local/share/todod && install -m 600 todod/Tests/Fixtures/reminders-1.sqlite {STORE}")
        self.user.write("~/.config/todod/todod.conf", "[Migration]\nMutePrefix=pay\n")

    def migrated(self, after: str) -> dict:
        """Return the journal entry of the migration, read as an ordinary user reads it."""
        self.user.wait_for_message("store migrated", after=after)
        output = self.user.run(f"journalctl --user -u todod -o json MESSAGE_ID={MESSAGES['store migrated']}")
        entries = [json.loads(line) for line in output.splitlines()]
        self.assertEqual(len(entries), 1)
        return entries[0]

    def test_store_of_the_first_version_is_migrated_at_the_first_start(self):
        self.container.run(f"make -C {self.user.home}/todod catalog")
        mark = self.user.mark()
        self.start()
        entry = self.migrated(after=mark)
        path = f"{self.user.home}/.local/share/todod/todo.sqlite"
        self.assertEqual(entry["PRIORITY"], "5")
        self.assertEqual(entry["SYSLOG_IDENTIFIER"], "todod")
        self.assertEqual(entry["TODO_PATH"], path)
        self.assertEqual(entry["TODO_FROM"], "1")
        self.assertGreater(int(entry["TODO_TO"]), 2)
        self.assertEqual(entry["TODO_OBJECTS"], "14")
        self.assertRegex(entry["TODO_DURATION"], r"^\d+\.\d+$")
        self.assertTrue(entry["TODO_BACKUP"].startswith(path))
        self.user.run(f"cmp {entry['TODO_BACKUP']} todod/Tests/Fixtures/reminders-1.sqlite")

        listed = json.loads(self.user.run("todoctl --json list --all", brief=True))["items"]
        self.assertEqual(len(listed), ITEMS_IN_FIXTURE)
        self.assertEqual([item["name"] for item in listed if item["muted"]], ["Pay the rent"])

        explained = self.user.run(f"journalctl --user -u todod -x MESSAGE_ID={MESSAGES['store migrated']}")
        self.assertIn("Subject: ", explained)
        self.assertIn(f"Old one:  {entry['TODO_BACKUP']}", explained)
        self.assertNotIn("@TODO_", explained)

    def test_migration_may_last_longer_than_a_start(self):
        self.user.run(f'sqlite3 {STORE} "{MANY_ITEMS}"', brief=True)
        self.user.write("~/.config/systemd/user/todod.service.d/hurry.conf", "[Service]\nTimeoutStartSec=1\n")
        self.user.run("systemctl --user daemon-reload")
        mark = self.user.mark()
        self.start()
        entry = self.migrated(after=mark)
        self.assertEqual(int(entry["TODO_OBJECTS"]), MANY + 14)
        self.assertGreater(float(entry["TODO_DURATION"]), 1, "the store is too small for this test")
        self.assertEqual(self.user.unit_property("todod.service", "NRestarts"), "0")
        self.assertIn(f"Added {MANY + 100} ", self.user.run("todoctl add Buy milk"))
        # No temporary file is left.
        left = self.user.run("ls -A ~ ~/.local/share/todod", brief=True)
        self.assertNotIn("etilqs", left)
        self.assertNotIn("migrating", left)
