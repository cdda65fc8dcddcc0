"""Ends the processes of a test run as soon as its test process ends in any way.

Also ends the test process when the process that started it, such as `swift test`, has ended. Arguments: the value of
TODOD_TEST_RUN in the environment of the processes, the test process, and the process that started it.
"""

import glob
import os
import select
import shutil
import signal
import sys
from pathlib import Path

KILL_SECONDS = 10


def main() -> None:
    run, test, parent = sys.argv[1], open_process(int(sys.argv[2])), int(sys.argv[3])
    for ignored in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(ignored, signal.SIG_IGN)
    if test is not None:
        # Process 1 becomes the parent of an orphan, and ends last of all.
        starter = open_process(parent) if parent > 1 else test
        if starter is not None:
            select.select([test, starter], [], [])
        kill(test)
    while found := list(processes(run)):
        for process in found:
            kill(process)
    for directory in glob.glob(f"/tmp/todod-{run}-*"):
        shutil.rmtree(directory, ignore_errors=True)


def open_process(number: int) -> int | None:
    """A descriptor that can be read when the process has ended."""
    try:
        return os.pidfd_open(number)
    except OSError:
        return None


def kill(process: int) -> None:
    """Kills a process, waits for its end, and closes the descriptor."""
    try:
        signal.pidfd_send_signal(process, signal.SIGKILL)
        select.select([process], [], [], KILL_SECONDS)
    except ProcessLookupError:
        pass
    os.close(process)


def processes(run: str):
    """Descriptors of the processes that have the variable of this run. The environment of an ended process is empty."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        descriptor = open_process(int(name))
        if descriptor is None:
            continue
        try:
            variables = Path("/proc", name, "environ").read_bytes().split(b"\0")
        except OSError:
            variables = []
        if f"TODOD_TEST_RUN={run}".encode() in variables:
            yield descriptor
        else:
            os.close(descriptor)


if __name__ == "__main__":
    main()
