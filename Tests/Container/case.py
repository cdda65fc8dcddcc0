"""The base classes of the tests: a container, a user for each test, and todod with a fast timer."""

import itertools
import shutil
import unittest
from pathlib import Path

from container import Container
from transcript import show
from user import User

REPOSITORY = Path(__file__).resolve().parents[2]
DROP_IN = "~/.config/systemd/user/todod.service.d/test.conf"
# The minute check runs each second, a hanging daemon is noticed after two, and a dead one restarts immediately.
FAST = """\
[Service]
ExecStart=
ExecStart=%h/.local/bin/todod --tick-seconds 1
WatchdogSec=2
RestartSec=100ms
"""


class ContainerCase(unittest.TestCase):
    """A test with its own ordinary user and a clone of todod with the built programs."""

    container: Container
    homes = Path("/home")
    _numbers = itertools.count(1)

    def setUp(self) -> None:
        name = f"user{next(self._numbers)}"
        home = self.homes / name
        self.user = User(self.container, name, home)
        # The copies keep their times, so make builds nothing again.
        clone = self.container.root / home.relative_to("/") / "todod"
        shutil.copytree(REPOSITORY, clone, ignore=shutil.ignore_patterns(".git", ".build", "build"))
        shutil.copytree(REPOSITORY / "build/bin", clone / "build/bin")
        self.container.run(f"chown --recursive {name}: {home}/todod")
        show(f"{name} has a home in {self.homes} and a clone of todod")


class ServiceCase(ContainerCase):
    """A test in which `make install` has installed todod without enabling it."""

    def setUp(self) -> None:
        super().setUp()
        self.user.run("make -C todod install", brief=True)
        self.user.write(DROP_IN, FAST)
        self.user.run("systemctl --user daemon-reload")

    def start(self) -> None:
        """Enable and start both units as a user does."""
        self.user.run("make -C todod enable", brief=True)
        for unit in ("todod.socket", "todod.service"):
            self.assertEqual(self.user.unit_property(unit, "ActiveState"), "active", unit)
