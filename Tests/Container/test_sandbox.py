"""The actions that the sandbox of the service forbids and allows, by trying them."""

import json
from pathlib import Path

from case import ServiceCase
from sandbox_probe import DEVICE, FORBIDDEN, NEEDED, OPEN_DIRECTORY, SET_USER_ID_PROGRAM

UNITS = "~/.config/systemd/user"
PROBE = """\
[Service]
Type=oneshot
NotifyAccess=none
WatchdogSec=0
Restart=no
ExecStart=
ExecStart=/usr/bin/python3 %h/todod/Tests/Container/sandbox_probe.py
StandardOutput=truncate:%t/probe.json
"""


class SandboxTest(ServiceCase):
    def setUp(self) -> None:
        super().setUp()
        self.container.run(
            f"mkdir --parents --mode=1777 {OPEN_DIRECTORY} && touch {DEVICE}"
            f" && mkdir --parents /usr/lib/modules"
            f" && install --mode=4755 /usr/bin/id {SET_USER_ID_PROGRAM}")

    def test_sandbox_refuses_actions_that_are_possible_without_it(self):
        self.user.write(f"{UNITS}/free.service", PROBE)
        self.user.run(f"cp ~/.local/share/systemd/user/todod.service {UNITS}/boxed.service")
        self.user.write(f"{UNITS}/boxed.service.d/probe.conf", PROBE)
        self.user.run("systemctl --user daemon-reload")
        self.user.run(f"ipcmk --shmem 4096 && readlink /proc/self/ns/uts > $XDG_RUNTIME_DIR/probe.uts")
        free, boxed = self.probe("free.service"), self.probe("boxed.service")
        for name in NEEDED:
            with self.subTest(name):
                self.assertEqual(boxed[name], "possible")
        for name in FORBIDDEN:
            with self.subTest(name):
                self.assertEqual(free[name], "possible", "without the sandbox")
                self.assertRegex(boxed[name], "^refused: ", "in the sandbox")

    def probe(self, unit: str) -> dict[str, str]:
        self.user.run(f"systemctl --user start {unit}")
        return json.loads(self.user.run("cat $XDG_RUNTIME_DIR/probe.json"))


class HomeElsewhereTest(ServiceCase):
    """A home outside /home. The sandbox makes everything else read-only, so it must know the home."""

    homes = Path("/srv/people")

    def test_daemon_can_save_in_a_home_outside_of_home(self):
        self.start()
        self.user.run("todoctl add Buy milk")
        self.user.run("systemctl --user restart todod")
        self.assertIn("Buy milk", self.user.run("todoctl list"))


class StoreElsewhereTest(ServiceCase):
    """A store outside the home, which is refused without the line that the unit names."""

    def test_store_outside_the_home_needs_an_override(self):
        directory = f"/srv/{self.user.name}"
        self.container.run(f"install --directory --owner={self.user.name} {directory}")
        self.user.write("~/.config/todod/todod.conf", f"[Store]\nPath={directory}/todo.sqlite\n")
        self.assertNotEqual(self.user.attempt("systemctl --user start todod.service").status, 0)
        self.user.write(
            "~/.config/systemd/user/todod.service.d/override.conf",
            f"[Service]\nReadWritePaths={directory}\n")
        self.user.run("systemctl --user daemon-reload && systemctl --user reset-failed")
        self.start()
        self.user.run("todoctl add Buy milk")
        self.assertIn(f"{directory}/todo.sqlite\n", self.user.run(f"ls {directory}/*"))


class NoUserNamespacesTest(ServiceCase):
    """A machine that forbids user namespaces. The override that the unit describes works."""

    def test_override_named_in_the_unit_starts_the_service(self):
        self.container.run(
            f"mkdir --parents /run/systemd/system/user@{self.user.uid}.service.d"
            f" && printf '[Service]\\nRestrictNamespaces=~user\\n'"
            f" > /run/systemd/system/user@{self.user.uid}.service.d/test.conf"
            f" && systemctl daemon-reload && systemctl restart user@{self.user.uid}")
        self.assertNotEqual(self.user.attempt("systemctl --user start todod.service").status, 0)
        self.assertEqual(self.user.unit_property("todod.service", "ExecMainStatus"), "217")
        self.user.write(
            "~/.config/systemd/user/todod.service.d/override.conf",
            "[Service]\nPrivateUsers=no\nPrivateDevices=no\nCapabilityBoundingSet=~\n")
        self.user.run("systemctl --user daemon-reload && systemctl --user reset-failed")
        self.start()
        self.user.run("todoctl add Buy milk")


class CopyElsewhereTest(ServiceCase):
    """A copy that the daemon cannot write because of the sandbox. todoctl writes it."""

    def test_copy_outside_the_home_is_written_by_todoctl(self):
        """C7: The user may write to /tmp, and the service may not."""
        self.start()
        self.user.run("todoctl add Kept")
        copy = f"/tmp/{self.user.name}.sqlite"
        self.assertIn(f"Copied to {copy}; the copy is sound", self.user.run(f"todoctl backup {copy}"))
        self.assertIn("sound", self.user.run(f"todod --check --store {copy}"))
        result = self.user.attempt("todoctl backup /var/copy.sqlite")
        self.assertEqual(result.status, 1)
        self.assertIn("no copy was made: /var/copy.sqlite: Permission denied", result.output)
        self.user.run("todoctl backup ~/copy.sqlite")
        self.user.run("systemctl --user stop todod.socket todod.service")
        self.assertNotIn("handover", self.user.run("ls ~/.local/share/todod"))
