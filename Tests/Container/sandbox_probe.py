"""Tries actions that the sandbox forbids and actions that the daemon needs, and prints the results as JSON.

It runs in the container as the program of a user service: in the sandbox of todod.service, in that of
todod-sync.service, and without a sandbox.
"""

import ctypes
import json
import mmap
import os
import socket
import subprocess
import tempfile
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER = 0x10000000
PTRACE_TRACEME = 0
PERSONALITY_LINUX32 = 0x0008
RUNTIME = Path(f"/run/user/{os.getuid()}")
# Files and programs that the test provides.
MACHINE_NAME_SPACE = RUNTIME / "probe.uts"
OPEN_DIRECTORY = Path("/srv/open")
DEVICE = Path("/dev/todod-probe")
SET_USER_ID_PROGRAM = "/usr/local/bin/todod-probe-id"


def call(name: str, *arguments) -> None:
    if LIBC[name](*arguments) == -1:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")


def write_in(directory: Path) -> None:
    tempfile.TemporaryFile(dir=directory).close()


def open_socket(family: int, kind: int = socket.SOCK_DGRAM) -> None:
    socket.socket(family, kind).close()


def connect(address: str, kind: int = socket.SOCK_STREAM) -> None:
    with socket.socket(socket.AF_UNIX, kind) as peer:
        peer.connect(address)


def share_machine_name() -> None:
    if os.readlink("/proc/self/ns/uts") != MACHINE_NAME_SPACE.read_text().strip():
        raise PermissionError("a copy of the name")


def attach_shared_memory() -> None:
    segment = Path("/proc/sysvipc/shm").read_text().splitlines()[1].split()
    call("shmget", int(segment[0]), 0, 0)


def make_control_group() -> None:
    own = next(line for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::"))
    group = Path("/sys/fs/cgroup", own.removeprefix("0::/"), "probe")
    group.mkdir()
    group.rmdir()


def become_root() -> None:
    if subprocess.run([SET_USER_ID_PROGRAM, "-u"], capture_output=True, text=True).stdout.strip() != "0":
        raise PermissionError("the set-user-ID bit was ignored")


def make_program_set_user_id() -> None:
    with tempfile.NamedTemporaryFile(dir=Path.home()) as file:
        os.fchmod(file.fileno(), 0o4755)


def map_writable_code() -> None:
    mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


def keep_capabilities() -> None:
    status = Path("/proc/self/status").read_text()
    if int(status.partition("CapBnd:")[2].split()[0], 16) == 0:
        raise PermissionError("the bounding set is empty")


def in_child(action) -> None:
    """Run an action that changes its process permanently in a child."""
    child = os.fork()
    if child == 0:
        try:
            action()
        except OSError as error:
            os._exit(error.errno or 1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        raise OSError(status, os.strerror(status) if status > 0 else f"killed by signal {-status}")


FORBIDDEN = {
    "write to an open directory": lambda: write_in(OPEN_DIRECTORY),
    "write to /tmp": lambda: write_in(Path("/tmp")),
    "write to /var/tmp": lambda: write_in(Path("/var/tmp")),
    "share the name of the machine": share_machine_name,
    "see a device": lambda: DEVICE.stat(),
    "see the kernel modules": lambda: os.listdir("/usr/lib/modules"),
    "read the kernel symbols": lambda: Path("/proc/kallsyms").open().close(),
    "make a control group": make_control_group,
    "attach shared memory of others": attach_shared_memory,
    "open an IPv4 socket": lambda: open_socket(socket.AF_INET),
    "open an IPv6 socket": lambda: open_socket(socket.AF_INET6),
    "open a netlink socket": lambda: open_socket(socket.AF_NETLINK),
    "become root by a set-user-ID program": become_root,
    "make a set-user-ID program": make_program_set_user_id,
    "map writable code": map_writable_code,
    "make a namespace": lambda: in_child(lambda: call("unshare", CLONE_NEWUSER)),
    "change the personality": lambda: in_child(lambda: call("personality", PERSONALITY_LINUX32)),
    "choose processors": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "change the priority": lambda: in_child(lambda: os.nice(1)),
    "hold on to capabilities": keep_capabilities,
    "trace a process": lambda: in_child(lambda: call("ptrace", PTRACE_TRACEME, 0, 0, 0)),
}

NEEDED = {
    "write below the home": lambda: write_in(Path.home()),
    "write to the runtime directory": lambda: write_in(RUNTIME),
    "reach the journal": lambda: connect("/run/systemd/journal/socket", socket.SOCK_DGRAM),
    "reach the session bus": lambda: connect(str(RUNTIME / "bus")),
    "see another process of the user": lambda: Path(f"/proc/{os.getppid()}/comm").read_text(),
}


# Actions that the sandbox of todod forbids, and that of todod-sync allows.
SYNC_NEEDED = {name: FORBIDDEN[name] for name in ("open an IPv4 socket", "open an IPv6 socket", "open a netlink socket")}

# Actions that only the sandbox of todod-sync forbids.
SYNC_FORBIDDEN = {"read the store": lambda: os.listdir(Path.home() / ".local/share/todod")}


def outcome(action) -> str:
    try:
        action()
        return "possible"
    except OSError as error:
        return f"refused: {error.strerror or error}"


if __name__ == "__main__":
    print(json.dumps({name: outcome(action) for name, action in (FORBIDDEN | NEEDED | SYNC_FORBIDDEN).items()}, indent=1))
