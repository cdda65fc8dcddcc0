"""`make install`, `make enable` and `make uninstall` in a home directory and on a machine."""

from pathlib import Path

from case import ContainerCase, ServiceCase
from messages import MESSAGES

HOME_FILES = {
    ".local/bin/todoctl",
    ".local/bin/todod",
    ".local/bin/todod-sync",
    ".local/share/applications/todod.desktop",
    ".local/share/bash-completion/completions/todoctl",
    ".local/share/doc/todod/LICENSE",
    ".local/share/doc/todod/todod.conf",
    ".local/share/fish/vendor_completions.d/todoctl.fish",
    ".local/share/man/man1/todoctl.1",
    ".local/share/man/man5/todod.conf.5",
    ".local/share/man/man7/todod-protocol.7",
    ".local/share/man/man8/todod-sync.8",
    ".local/share/man/man8/todod.8",
    ".local/share/systemd/user/todod-sync.service",
    ".local/share/systemd/user/todod.service",
    ".local/share/systemd/user/todod.socket",
    ".local/share/zsh/site-functions/_todoctl",
}


class HomeInstallTest(ServiceCase):
    def test_install_builds_nothing_and_installs_every_file(self):
        output = self.user.run("make -C todod install")
        self.assertNotIn("swift build", output)
        self.assertIn("make enable", output)
        self.assertEqual(self.files(".local"), HOME_FILES)
        self.user.run("todod --version && todod-sync --version && todoctl --version")

    def test_verify_finds_no_problem_in_the_units(self):
        for unit in ("todod.service", "todod-sync.service", "todod.socket"):
            output = self.user.run(f"systemd-analyze --user verify ~/.local/share/systemd/user/{unit}")
            self.assertEqual(output, "", unit)

    def test_install_does_not_change_the_configuration(self):
        self.user.write("~/.config/todod/todod.conf", "# mine\n")
        self.user.run("make -C todod install uninstall")
        self.assertEqual(self.user.run("cat ~/.config/todod/todod.conf"), "# mine\n")

    def test_enable_names_the_command_for_lingering(self):
        self.assertIn("loginctl enable-linger", self.user.run("make -C todod enable"))

    def test_uninstall_stops_the_daemon_and_keeps_the_data(self):
        self.start()
        self.user.run("todoctl add Buy milk")
        self.user.run("make -C todod uninstall")
        for unit in ("todod.service", "todod-sync.service", "todod.socket"):
            self.assertEqual(self.user.unit_property(unit, "ActiveState"), "inactive", unit)
        self.assertEqual(
            self.user.run("find ~/.config/systemd -type l; pgrep -u $USER -x todod; pgrep -u $USER -x todod-sync; true"), "",
            "no link is left of the enabled units, and no process")
        self.assertEqual({each for each in self.files(".local") if "/todod/" not in each}, set())
        self.assertIn(".local/share/todod/todo.sqlite", self.files(".local"))

        self.user.run("make -C todod install enable")
        self.assertIn("Buy milk", self.user.run("todoctl list"))

    def files(self, directory: str) -> set[str]:
        return set(self.user.run(f"find {directory} -type f").split())


class MachineInstallTest(ContainerCase):
    def test_package_tree_contains_everything_below_destdir(self):
        self.user.run("make -C todod install DESTDIR=$HOME/tree PREFIX=/usr")
        files = set(self.user.run("cd tree && find -type f").split())
        self.assertEqual(files, {
            "./usr/bin/todoctl",
            "./usr/bin/todod",
            "./usr/bin/todod-sync",
            "./usr/lib/systemd/catalog/todod.catalog",
            "./usr/lib/systemd/user/todod-sync.service",
            "./usr/lib/systemd/user/todod.service",
            "./usr/lib/systemd/user/todod.socket",
            "./usr/share/applications/todod.desktop",
            "./usr/share/bash-completion/completions/todoctl",
            "./usr/share/doc/todod/LICENSE",
            "./usr/share/doc/todod/todod.conf",
            "./usr/share/fish/vendor_completions.d/todoctl.fish",
            "./usr/share/man/man1/todoctl.1",
            "./usr/share/man/man5/todod.conf.5",
            "./usr/share/man/man7/todod-protocol.7",
            "./usr/share/man/man8/todod-sync.8",
            "./usr/share/man/man8/todod.8",
            "./usr/share/zsh/site-functions/_todoctl",
        })
        unit = self.user.run("grep ExecStart= tree/usr/lib/systemd/user/todod.service")
        self.assertEqual(unit, 'ExecStart="/usr/bin/todod"\n')
        self.user.run("make -C todod uninstall DESTDIR=$HOME/tree PREFIX=/usr")
        self.assertEqual(self.user.run("find tree -type f"), "")

    def test_installation_by_root_serves_every_user_and_registers_the_catalog(self):
        clone = Path(self.user.home) / "todod"
        self.container.run(f"make -C {clone} install PREFIX=/usr/local")
        try:
            catalog = self.container.run(f"journalctl --list-catalog {MESSAGES['alert']}")
            self.assertIn("todod: Alert", catalog)
            self.user.run("systemctl --user daemon-reload")
            self.user.run("systemctl --user enable --now todod.socket todod.service")
            self.user.run("todoctl add Buy milk")
        finally:
            self.container.run(f"make -C {clone} uninstall PREFIX=/usr/local")
        self.assertEqual(self.container.run("find /usr/local -name 'todo*'"), "")
        self.assertIn("Buy milk", self.user.run("cat ~/.local/share/todod/todo.sqlite* | strings"))
