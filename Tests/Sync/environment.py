"""The programs and packages that the suite uses."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
ENVIRONMENT = REPOSITORY / "build/sync"
PYTHON = ENVIRONMENT / "bin/python"
SYSTEM_PYTHON = Path("/usr/bin/python3")
FAULT_PROXY = REPOSITORY / "Tests/TestServers/fault-proxy.py"
PACKAGES = ["radicale==3.9.0", "xandikos==0.4.10", "vdirsyncer==0.21.0", "todoman==4.7.0", "caldav==3.6.0"]
PROGRAMS = ["todod", "todod-sync", "todoctl"]


def install_packages() -> None:
    """Installs the Python packages into their own environment."""
    if not PYTHON.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)


def programs(directory: Path | None) -> Path:
    """Returns the directory of the programs: the given one, or that of the debug build."""
    if directory is None:
        path = subprocess.run(
            ["swift", "build", "--show-bin-path"], cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout
        directory = Path(path.strip())
    missing = [name for name in PROGRAMS if not os.access(directory / name, os.X_OK)]
    if missing:
        sys.exit(f"{directory} has no {', '.join(missing)}.")
    return directory.resolve()


def command(name: str) -> str:
    """Returns the path of a command of the system, also of one that only root has in its PATH."""
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin:/usr/lib/cyrus/bin")
    if path is None:
        raise FileNotFoundError(f"The command {name} is missing. To install it: make test-sync-deps")
    return path
