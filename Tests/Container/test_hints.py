"""The hints of todoctl without a daemon. Each reason has its own hint, and the hint works."""

from case import ServiceCase


class HintTest(ServiceCase):
    def refused(self, line: str) -> str:
        result = self.user.attempt(line)
        self.assertEqual(result.status, 3)
        return result.output

    def type_what_it_says(self, output: str) -> None:
        """Run the commands of a hint."""
        for line in output.splitlines():
            command = line.removeprefix("Start it:").strip()
            if "systemctl --user" in command:
                self.user.run(command)

    def test_daemon_that_was_not_started_has_a_hint(self):
        output = self.refused("todoctl list")
        self.assertIn("Start it:  systemctl --user start todod.socket todod.service", output)
        self.type_what_it_says(output)
        # C4: Alerts need the service, too.
        self.assertEqual(self.user.unit_property("todod.service", "ActiveState"), "active")
        self.user.run("todoctl list")

    def test_daemon_that_is_not_installed_has_a_hint(self):
        self.user.run("make -C todod uninstall && systemctl --user daemon-reload")
        output = self.refused("todod/build/bin/todoctl list")
        self.assertIn("It is not a service of your systemd.", output)
        self.user.run("make -C todod install enable")
        self.user.run("todoctl list")

    def test_failed_service_has_a_hint(self):
        self.user.write("~/.config/todod/todod.conf", "[Store]\nType=soon\n")
        self.user.write(
            "~/.config/systemd/user/todod.service.d/once.conf", "[Unit]\nStartLimitBurst=1\n")
        self.user.run("systemctl --user daemon-reload && systemctl --user start todod.socket")
        mark = self.user.mark()
        self.user.attempt("todoctl list")
        self.user.wait_for_message("unit failed", unit="todod.socket", after=mark)
        output = self.refused("todoctl list")
        self.assertIn("Its service has failed. See why:", output)
        self.assertIn("Type=", self.user.run("journalctl --user --unit=todod --lines=20"))

        self.user.run("rm ~/.config/todod/todod.conf")
        self.type_what_it_says(output)
        self.user.run("todoctl list")

    def test_socket_of_another_user_names_its_owner(self):
        """C6: The error names the owner, for an ordinary user and for root."""
        self.start()
        socket = f"/run/user/{self.user.uid}/todod/socket"
        programs = f"{self.user.home}/.local/bin"
        self.container.run(f"install {programs}/todoctl /tmp/todoctl")
        for command in (f"setpriv --reuid=65534 --clear-groups /tmp/todoctl --socket {socket} list || true",
                        f"/tmp/todoctl --socket {socket} list || true"):
            self.assertIn(f"belongs to {self.user.name}; only its owner can read it",
                          self.container.run(f"{{ {command}; }} 2>&1"))

    def test_removed_socket_has_a_hint(self):
        self.start()
        self.user.run("todoctl add Kept; rm $XDG_RUNTIME_DIR/todod/socket")
        output = self.refused("todoctl list")
        self.assertIn("Its socket file was removed.", output)
        self.type_what_it_says(output)
        self.assertIn("Kept", self.user.run("todoctl list"))
        self.assertIn("listens at", self.refused("todoctl --socket /tmp/nobody list"))

    def test_session_without_runtime_directory_variable_has_a_hint(self):
        output = self.refused("env -u XDG_RUNTIME_DIR todoctl list")
        self.assertIn(f"XDG_RUNTIME_DIR=/run/user/{self.user.uid} systemctl --user start todod.socket todod.service", output)
        self.type_what_it_says(output)
        self.user.run("env -u XDG_RUNTIME_DIR todoctl list")

    def test_user_without_a_session_has_a_hint(self):
        self.container.run(f"loginctl disable-linger {self.user.name}"
                           f" && systemctl stop user@{self.user.uid} user-runtime-dir@{self.user.uid}")
        try:
            output = self.refused("env -u XDG_RUNTIME_DIR todoctl list")
            self.assertIn("loginctl enable-linger", output)
        finally:
            self.container.run(f"loginctl enable-linger {self.user.name} && systemctl start user@{self.user.uid}")
