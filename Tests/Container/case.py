"""What the tests share: a container, a user each, and todod installed with a timer in a hurry."""

import itertools
import shutil
import unittest
from pathlib import Path

from container import Container
from transcript import show
from user import User

REPOSITORY = Path(__file__).resolve().parents[2]
DROP_IN = "~/.config/systemd/user/todod.service.d/test.conf"
# A minute lasts a second, a daemon that hangs is noticed in two, and one that died is back at once.
FAST = """\
[Service]
ExecStart=
ExecStart=%h/.local/bin/todod --tick-seconds 1
WatchdogSec=2
RestartSec=100ms
"""


class ContainerCase(unittest.TestCase):
    """A test with an ordinary user of its own, who has a clone of todod with the programs built."""

    container: Container
    homes = Path("/home")
    _numbers = itertools.count(1)

    def setUp(self) -> None:
        name = f"user{next(self._numbers)}"
        home = self.homes / name
        self.user = User(self.container, name, home)
        # Times are kept, so make sees that nothing needs to be built again.
        clone = self.container.root / home.relative_to("/") / "todod"
        shutil.copytree(REPOSITORY, clone, ignore=shutil.ignore_patterns(".git", ".build", "build"))
        shutil.copytree(REPOSITORY / "build/bin", clone / "build/bin")
        self.container.run(f"chown --recursive {name}: {home}/todod")
        show(f"{name} has a home in {self.homes} and a clone of todod")


class ServiceCase(ContainerCase):
    """A test that finds todod installed by `make install`, not enabled yet."""

    def setUp(self) -> None:
        super().setUp()
        self.user.run("make -C todod install", brief=True)
        self.user.write(DROP_IN, FAST)
        self.user.run("systemctl --user daemon-reload")

    def start(self) -> None:
        """Enable and start both units, the way a user does."""
        self.user.run("make -C todod enable", brief=True)
        for unit in ("todod.socket", "todod.service"):
            self.assertEqual(self.user.unit_property(unit, "ActiveState"), "active", unit)
