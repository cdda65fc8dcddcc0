"""A plain CalDAV client: the requests of another program, without any logic of its own."""

import base64
import http.client
import urllib.parse
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

from processes import Failure

DAV = "{DAV:}"
CALDAV = "{urn:ietf:params:xml:ns:caldav}"
NAMESPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def etag(self) -> str | None:
        return self.headers.get("etag")

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "surrogateescape")


class Client:
    """Requests of one user to one server. Confined to one thread."""

    def __init__(self, port: int, user: str, password: str) -> None:
        self.port = port
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self.headers = {"Authorization": f"Basic {credentials}"}
        self.connection: http.client.HTTPConnection | None = None

    def go_through(self, port: int) -> None:
        """Sends the requests through a fault proxy, without faults."""
        self.port = port
        self.headers["X-Without-Faults"] = "1"

    def request(self, method: str, path: str, body: str | bytes = b"", **headers: str) -> Answer:
        """Sends a request. Underscores in the names of headers stand for hyphens."""
        content = body.encode() if isinstance(body, str) else body
        sent = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        for attempt in range(2):
            is_new = self.connection is None
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            try:
                self.connection.request(method, path, content, sent)
                answer = self.connection.getresponse()
                result = Answer(
                    answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
                if answer.will_close:
                    self.close()
                return result
            except (OSError, http.client.HTTPException):
                # The server may have closed a kept connection.
                self.close()
                if is_new or attempt:
                    raise
        raise AssertionError

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    # MARK: - Lists

    def make_list(self, path: str, name: str, component: str = "VTODO") -> None:
        answer = self.request(
            "MKCALENDAR", path,
            f'<C:mkcalendar {NAMESPACES}><D:set><D:prop><D:displayname>{name}</D:displayname>'
            f'<C:supported-calendar-component-set><C:comp name="{component}"/></C:supported-calendar-component-set>'
            "</D:prop></D:set></C:mkcalendar>", Content_Type="application/xml")
        if answer.status != 201:
            raise Failure(f"MKCALENDAR {path} was answered with {answer.status}: {answer.text[:500]}")

    def etags(self, path: str) -> dict[str, str]:
        """Returns the etags of the resources of a list by their paths."""
        answer = self.request(
            "PROPFIND", path, f"<D:propfind {NAMESPACES}><D:prop><D:getetag/><D:resourcetype/></D:prop></D:propfind>",
            Depth="1", Content_Type="application/xml")
        if answer.status != 207:
            raise Failure(f"PROPFIND {path} was answered with {answer.status}: {answer.text[:500]}")
        etags = {}
        for row in ElementTree.fromstring(answer.body).iter(DAV + "response"):
            href = urllib.parse.urlsplit(row.findtext(DAV + "href", "")).path
            etag = row.findtext(f".//{DAV}getetag")
            if etag and row.find(f".//{DAV}collection") is None and not href.endswith("/"):
                etags[href] = etag
        return etags

    def texts(self, path: str) -> dict[str, Answer]:
        """Returns the resources of a list by their paths, as GET returns them."""
        found = {href: self.request("GET", href) for href in sorted(self.etags(path))}
        return {href: answer for href, answer in found.items() if answer.status == 200}

    # MARK: - Resources

    def put(self, path: str, text: str, etag: str | None = None) -> Answer:
        """Stores a text: a new one, or another one in the place of that with the etag."""
        condition = {"If_None_Match": "*"} if etag is None else {"If_Match": etag}
        return self.request("PUT", path, text, Content_Type="text/calendar; charset=utf-8", **condition)

    def get(self, path: str) -> Answer:
        return self.request("GET", path)

    def delete(self, path: str, etag: str | None = None) -> Answer:
        return self.request("DELETE", path, **({"If_Match": etag} if etag else {}))
