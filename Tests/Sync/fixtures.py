"""CalDAV servers for the tests, each in its own directory and on the loopback interface."""

import imaplib
import os
import pwd
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from pathlib import Path

import processes
from dav import Client
from environment import PYTHON, SYSTEM_PYTHON, command
from processes import Failure, Process

PASSWORD = "secret"


def group_of(account: str) -> int:
    return pwd.getpwnam(account).pw_gid


class Server(ABC):
    """A running server with one user."""

    name: str
    # The path of the lists of the user.
    home: str
    # The path at which a client begins to look for the lists.
    entry = "/"
    user = "ann"
    # Whether the server checks passwords, and whether it can have lists that the user may only read.
    checks_password = True
    # Whether list names may be used as they are in paths.
    port: int

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        # A server may run as another user.
        directory.chmod(0o755)
        self.port = processes.free_port()
        self.process: Process | None = None
        self.start()

    @abstractmethod
    def start(self) -> None:
        """Starts the server, and returns when it accepts connections."""

    def run(self, arguments: list, environment: dict[str, str] | None = None, group: bool = False) -> None:
        self.process = Process(arguments, self.directory / "log", environment, group)
        processes.wait(lambda: processes.accepts_connections(self.port), f"{self.name} accepts connections", self.process)

    def stop(self) -> None:
        if self.process is not None:
            self.process.stop()
            self.process = None

    def restart(self) -> None:
        """Ends the server at once, and starts it again with the same data and port."""
        assert self.process is not None
        self.process.kill()
        self.start()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def url(self) -> str:
        return self.root + self.entry[1:]

    def list_path(self, name: str) -> str:
        return f"{self.home}{name}/"

    def client(self) -> Client:
        return Client(self.port, self.user, PASSWORD)


class Radicale(Server):
    home = "/ann/"
    python = SYSTEM_PYTHON
    name = "Radicale 3.1"
    # A list that its owner may only read, which the file of rights describes.
    read_only_list = "readonly"

    def start(self) -> None:
        settings, users, rights = (self.directory / name for name in ("config", "users", "rights"))
        users.write_text(f"ann:{PASSWORD}\n")
        rights.write_text(
            "[root]\nuser: .+\ncollection:\npermissions: R\n\n"
            f"[readonly]\nuser: .+\ncollection: ann/{self.read_only_list}\npermissions: r\n\n"
            "[home]\nuser: .+\ncollection: {user}\npermissions: RW\n\n"
            "[lists]\nuser: .+\ncollection: {user}/[^/]+\npermissions: rw\n")
        settings.write_text(
            f"[server]\nhosts = 127.0.0.1:{self.port}\nmax_connections = 64\n"
            f"[auth]\ntype = htpasswd\nhtpasswd_filename = {users}\nhtpasswd_encryption = plain\ndelay = 0\n"
            f"[rights]\ntype = from_file\nfile = {rights}\n"
            f"[storage]\nfilesystem_folder = {self.directory / 'store'}\n[logging]\nlevel = warning\n")
        self.run([self.python, "-m", "radicale", "--config", settings])

    def make_read_only_list(self, text: str) -> str:
        """Makes a list with one task that cannot be changed over the network, and returns its path."""
        folder = self.directory / "store/collection-root/ann" / self.read_only_list
        folder.mkdir(parents=True)
        folder.joinpath(".Radicale.props").write_text(
            '{"C:supported-calendar-component-set": "VTODO", "D:displayname": "readonly", "tag": "VCALENDAR"}')
        folder.joinpath("1.ics").write_text(text, newline="")
        return self.list_path(self.read_only_list)


class NewRadicale(Radicale):
    name = "Radicale 3.9"
    python = PYTHON


class Xandikos(Server):
    home = "/ann/calendars/"
    python = SYSTEM_PYTHON
    name = "Xandikos 0.2"
    checks_password = False

    def start(self) -> None:
        self.run([
            self.python, "-m", "xandikos.web", "-d", self.directory / "store", "--defaults", "-l", "127.0.0.1", "-p", self.port,
            "--current-user-principal", "/ann/"])


class NewXandikos(Xandikos):
    name = "Xandikos 0.4"
    python = PYTHON


class Database:
    """A PostgreSQL server for a CalDAV server. It runs as another user than root, and has a superuser named postgres."""

    def __init__(self, directory: Path, account: str) -> None:
        self.directory = directory
        binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        self.environment = {
            "PATH": f"{binaries}:/usr/bin:/bin", "HOME": str(directory), "PGHOST": str(directory), "PGPORT": "5432",
            "PGUSER": "postgres", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        self.prefix: list = []
        if os.geteuid() == 0:
            # PostgreSQL does not run as root.
            shutil.chown(directory, account)
            self.prefix = ["setpriv", f"--reuid={account}", f"--regid={group_of(account)}", "--clear-groups"]
        database = directory / "database"
        if not database.exists():
            self.run("initdb", "-D", database, "-U", "postgres", "-A", "trust", "--no-sync", "--encoding=UTF8")
            settings = (
                f"listen_addresses = ''\nunix_socket_directories = '{directory}'\nfsync = off\nfull_page_writes = off\n"
                "shared_buffers = 16MB\n")
            self.run("tee", "-a", database / "postgresql.conf", text=settings)
        self.process = Process(
            [*self.prefix, binaries / "postgres", "-D", database], directory / "database.log", self.environment)
        processes.wait(
            lambda: self.run("pg_isready", "-q", check=False).returncode == 0, "PostgreSQL accepts connections", self.process)

    def run(self, *arguments: object, text: str = "", check: bool = True) -> subprocess.CompletedProcess:
        return processes.run([*self.prefix, *arguments], self.environment, text=text, check=check)

    def has(self, name: str) -> bool:
        found = self.run("psql", "-qXAtc", f"SELECT 1 FROM pg_database WHERE datname = '{name}'")
        return bool(found.stdout.strip())


class DatabaseServer(Server):
    """A server whose tasks are in a database of its own."""

    # The account of the processes, if root starts them.
    account: str
    # A file of the package.
    installed: Path

    def start(self) -> None:
        if not self.installed.exists():
            raise Failure(f"{self.name} is not installed. To install it: make test-sync-deps")
        self.database = Database(self.directory, self.account)
        self.start_service()

    @abstractmethod
    def start_service(self) -> None:
        """Starts the server beside its database."""

    def stop(self) -> None:
        super().stop()
        self.database.process.kill()

    def restart(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.database.process.stop()
        self.start()


class DAViCal(DatabaseServer):
    """DAViCal in PHP's built-in server.

    The server has only one process, because DAViCal loses changes otherwise: of two simultaneous changes of the same version, it
    often accepts both.
    """

    home = "/caldav.php/admin/"
    name = "DAViCal 1.1"
    user = "admin"
    account = "nobody"
    includes = Path("/usr/share/davical/inc")
    installed = includes

    def start_service(self) -> None:
        directory, database = self.directory, self.database
        if not database.has("davical"):
            database.run("sh", "/usr/share/davical/dba/create-database.sh", "davical", PASSWORD, check=False)
        router = directory / "router.php"
        router.write_text(ROUTER)
        settings = directory / "config.php"
        settings.write_text(
            f"<?php\n$c->pg_connect[] = 'host={directory} dbname=davical user=davical_app';\n"
            "$c->admin_email = 'ann@example.org';\n$c->default_locale = 'en';\n")
        self.run(
            [*database.prefix, command("php"), "-d", f"include_path={directory}:{self.includes}:/usr/share/awl/inc", "-d",
             "display_errors=0", "-d", "log_errors=1", "-d", f"error_log={directory / 'php.log'}", "-d", "post_max_size=64M",
             "-S", f"127.0.0.1:{self.port}", router],
            database.environment, group=True)


class SOGo(DatabaseServer):
    """SOGo without mail. In production, a web server in front of it redirects /.well-known/caldav to the entry."""

    home = "/SOGo/dav/ann/Calendar/"
    entry = "/SOGo/dav/"
    name = "SOGo 5.8"
    account = "sogo"
    installed = Path("/usr/sbin/sogod")

    def start_service(self) -> None:
        database = self.database
        if not database.has("sogo"):
            database.run("createdb", "sogo")
            database.run("psql", "-qX", "sogo", text=(
                "CREATE TABLE users (c_uid text PRIMARY KEY, c_name text, c_password text, c_cn text, mail text);"
                f"INSERT INTO users VALUES ('ann', 'ann', '{PASSWORD}', 'Ann', 'ann@example.org');"))
        # Host and port of the database are in its environment.
        tables = "postgresql://postgres@/sogo"
        users = (
            f'({{type = sql; id = users; viewURL = "{tables}/users"; canAuthenticate = YES; isAddressBook = NO; '
            "userPasswordAlgorithm = plain;})")
        options = {
            "WOUseWatchDog": "NO", "WONoDetach": "YES", "WOPort": f"127.0.0.1:{self.port}", "WOLogFile": "-", "SxVMemLimit": 4096,
            "WOPidFile": self.directory / "pid", "SOGoTimeZone": "UTC", "SOGoMailDomain": "example.org",
            "SOGoProfileURL": f"{tables}/profiles", "OCSFolderInfoURL": f"{tables}/folders",
            "OCSSessionsFolderURL": f"{tables}/sessions", "OCSEMailAlarmsFolderURL": f"{tables}/alarms",
            "SOGoMemcachedHost": self.directory / "no-cache", "SOGoUserSources": users}
        self.run(
            [*database.prefix, command("sogod"), *(part for key, value in options.items() for part in (f"-{key}", value))],
            database.environment, group=True)


ROUTER = """<?php
// Passes all requests to DAViCal, which expects the configuration of a larger web server.
$path = rawurldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
if ($path == '/.well-known/caldav') {
    http_response_code(301);
    header('Location: /caldav.php/');
    return;
}
$path = preg_replace('#^/caldav\\.php#', '', $path);
$_SERVER['SCRIPT_NAME'] = '/caldav.php';
$_SERVER['PATH_INFO'] = $path == '' ? '/' : $path;
$_SERVER['PHP_SELF'] = '/caldav.php' . $_SERVER['PATH_INFO'];
chdir('/usr/share/davical/htdocs');
require '/usr/share/davical/htdocs/caldav.php';
"""


class Cyrus(Server):
    """Cyrus with its own list of passwords. It needs root, to become the user cyrus."""

    home = "/dav/calendars/user/ann/"
    name = "Cyrus 3.6"
    account = "cyrus"

    def start(self) -> None:
        directory = self.directory
        if os.geteuid() != 0:
            raise Failure("Cyrus can only be started by root, who starts it as another user.")
        master = command("cyrmaster")
        shutil.chown(directory, self.account, "mail")
        for name in ("lib", "spool", "run"):
            folder = directory / name
            folder.mkdir(exist_ok=True)
            shutil.chown(folder, self.account, "mail")
        settings, services = directory / "imapd.conf", directory / "cyrus.conf"
        imap = processes.free_port()
        settings.write_text("".join(f"{key}: {value}\n" for key, value in {
            "configdirectory": directory / "lib", "proc_path": directory / "run/proc",
            "mboxname_lockpath": directory / "run/lock", "defaultpartition": "default",
            "partition-default": directory / "spool", "httpmodules": "caldav", "admins": "cyrus", "allowplaintext": "yes",
            "sasl_pwcheck_method": "auxprop", "sasl_auxprop_plugin": "sasldb", "sasl_sasldb_path": directory / "passwords",
            "sasl_mech_list": "PLAIN", "caldav_create_default": "no", "caldav_create_sched": "no",
            "caldav_create_attach": "no", "conversations": "no", "virtdomains": "off", "servername": "localhost",
            "skiplist_unsafe": "yes"}.items()))
        # Without -C, a service would read the settings of the machine.
        services.write_text(
            f'START {{ recover cmd="ctl_cyrusdb -C {settings} -r" }}\n'
            f'SERVICES {{\n imap cmd="imapd -C {settings}" listen="127.0.0.1:{imap}" prefork=0\n'
            f' http cmd="httpd -C {settings}" listen="127.0.0.1:{self.port}" prefork=1\n}}\n')
        prefix = ["setpriv", f"--reuid={self.account}", "--regid=mail", "--init-groups"]
        for user in ("ann", "cyrus"):
            processes.run(
                [*prefix, command("saslpasswd2"), "-p", "-c", "-f", directory / "passwords", "-u", "localhost", user],
                text=PASSWORD)
        self.run([*prefix, master, "-C", settings, "-M", services, "-p", directory / "run/pid", "-D"], group=True)
        processes.wait(lambda: processes.accepts_connections(imap), "Cyrus accepts connections", self.process)
        with imaplib.IMAP4("127.0.0.1", imap) as session:
            session.login("cyrus", PASSWORD)
            # The user exists from now on. At a restart, he does already.
            session.create("user/ann")


KINDS = {
    "radicale": Radicale, "radicale-new": NewRadicale, "xandikos": Xandikos, "xandikos-new": NewXandikos, "davical": DAViCal,
    "cyrus": Cyrus, "sogo": SOGo,
}


def main() -> None:
    """Starts one server, and prints its URL. It runs until standard input ends."""
    server = KINDS[sys.argv[1]](Path(sys.argv[2]))
    print(server.url, flush=True)
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main()
