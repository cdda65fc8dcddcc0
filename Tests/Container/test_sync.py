"""The synchronization as a user service: a server on the machine, the journal, and the sandbox."""

import json

from case import ServiceCase
from sandbox_probe import FORBIDDEN, NEEDED, SYNC_FORBIDDEN, SYNC_NEEDED

UNITS = "~/.config/systemd/user"
# Each test has its own user, so the port depends on it.
SERVER = """\
[server]
hosts = 127.0.0.1:{port}
[auth]
type = htpasswd
htpasswd_filename = {home}/users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = {home}/collections
"""
MAKE_LIST = """\
curl --silent --fail --user ann:secret --request MKCALENDAR --data '<?xml version="1.0"?>\
<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:displayname>Home</D:displayname>\
<C:supported-calendar-component-set><C:comp name="VTODO"/></C:supported-calendar-component-set></D:prop></D:set>\
</C:mkcalendar>' {url}ann/home/"""
TASK = "BEGIN:VCALENDAR\\r\\nVERSION:2.0\\r\\nBEGIN:VTODO\\r\\nUID:{uid}\\r\\nSUMMARY:{uid}\\r\\nEND:VTODO\\r\\nEND:VCALENDAR\\r\\n"
PROBE = """\
[Service]
Type=oneshot
NotifyAccess=none
Restart=no
ExecStart=
ExecStart=/usr/bin/python3 %h/todod/Tests/Container/sandbox_probe.py
StandardOutput=truncate:%t/probe.json
"""

# Actions in directories of which the service has copies of its own.
PRIVATE = {"write to /tmp", "write to /var/tmp"}
# Actions on files that only the test of todod's sandbox makes.
PROVIDED = {"write to an open directory", "see a device", "become root by a set-user-ID program"}


class SyncTest(ServiceCase):
    def setUp(self) -> None:
        super().setUp()
        self.start()
        port = 20000 + int(self.user.uid)
        self.url = f"http://127.0.0.1:{port}/"
        self.user.write("~/users", "ann:secret\n")
        self.user.write("~/server.conf", SERVER.format(port=port, home=self.user.home))
        self.user.run("systemd-run --user --unit=server --quiet /usr/bin/python3 -m radicale --config ~/server.conf")
        self.user.run(f"curl --silent --retry 50 --retry-connrefused --retry-delay 1 --output /dev/null {self.url}")
        self.user.run(MAKE_LIST.format(url=self.url))
        self.put("Bread")
        self.user.run("systemctl --user enable --now todod-sync")
        self.user.run("umask 077 && echo secret > ~/password")
        self.user.run(f"todoctl sync add {self.url} --user ann --password-file ~/password --all --yes")

    def put(self, uid: str) -> None:
        self.user.run(
            f"printf '{TASK.format(uid=uid)}'"
            f" | curl --silent --fail --user ann:secret --request PUT --data-binary @- {self.url}ann/home/{uid}.ics")

    def tasks(self) -> str:
        return self.user.run("cat ~/collections/collection-root/ann/home/*.ics")

    def test_items_are_the_tasks_of_the_server_and_the_log_says_so(self):
        self.user.run("todoctl add Milk -c Home")
        self.user.run("todoctl sync now")
        self.assertIn("Bread", self.user.run("todoctl list"))
        self.assertIn("SUMMARY:Milk", self.tasks())
        self.user.run("todoctl done 1 && todoctl sync now")
        self.assertIn("STATUS:COMPLETED", self.tasks())
        self.assertIn("todod-sync", self.user.run("todoctl sync log"))

    def test_password_is_in_no_journal_process_or_configuration(self):
        self.user.run("todoctl sync password 127.0.0.1 --password-source file:$HOME/password && todoctl sync now")
        self.user.run("sed -i s/secret/zebra9/ ~/password && systemctl --user restart todod-sync")
        self.assertNotEqual(self.user.attempt("todoctl sync now").status, 0)
        self.assertIn("password", self.user.run("todoctl sync log"))
        for place in ("journalctl --user --output=export", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '",
                      "cat ~/.config/todod/* 2>/dev/null"):
            with self.subTest(place):
                self.assertEqual(self.user.attempt(f"{place} | grep [z]ebra9", brief=True).output, "")

    def test_held_back_deletions_are_in_the_journal_and_wait_for_the_user(self):
        for number in range(6):
            self.put(f"task{number}")
        self.user.run("todoctl sync now")
        mark = self.user.mark()
        self.user.run("rm ~/collections/collection-root/ann/home/*.ics && rm -r ~/collections/collection-root/ann/home/.Radicale.cache")
        self.user.attempt("todoctl sync now")
        entry = self.user.wait_for(
            "held deletions", lambda entry: "deletions" in str(entry.get("MESSAGE", "")).lower(), mark)
        self.assertIn("todoctl sync", entry["MESSAGE"])
        self.assertIn("task3", self.user.run("todoctl list"))
        self.user.run("todoctl sync accept Home --yes && todoctl sync now")
        self.assertNotIn("task3", self.user.run("todoctl list"))
        self.user.run("todoctl undo && todoctl sync now")
        self.assertIn("SUMMARY:task3", self.tasks())

    def test_sandbox_leaves_the_network_and_hides_the_store(self):
        self.user.run(f"cp ~/.local/share/systemd/user/todod-sync.service {UNITS}/boxed.service")
        self.user.write(f"{UNITS}/boxed.service.d/probe.conf", PROBE)
        self.user.run("ipcmk --shmem 4096 && readlink /proc/self/ns/uts > $XDG_RUNTIME_DIR/probe.uts")
        self.user.run("systemctl --user daemon-reload && systemctl --user start boxed.service")
        boxed = json.loads(self.user.run("cat $XDG_RUNTIME_DIR/probe.json"))
        for name in NEEDED | SYNC_NEEDED:
            with self.subTest(name):
                self.assertEqual(boxed[name], "possible")
        for name in FORBIDDEN.keys() - SYNC_NEEDED.keys() - PRIVATE - PROVIDED | SYNC_FORBIDDEN.keys():
            with self.subTest(name):
                self.assertRegex(boxed[name], "^refused: ")
