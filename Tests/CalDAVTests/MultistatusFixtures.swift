@testable import CalDAV

/// Answers to requests for the list `https://h/ann/list/`, as different servers write them.
///
/// Those of Radicale, Xandikos, DAViCal and Cyrus imitate answers that these servers gave. The others follow the named sources, and
/// were not compared with the real service.
enum MultistatusFixtures {
    static let url = DAVURL("https://h/ann/list/")

    /// Radicale 3.9: the default namespace is `DAV:`, and a deleted item has a status.
    static let radicale = """
        <?xml version='1.0' encoding='utf-8'?>
        <multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><sync-token>http://radicale.org/ns/sync/5f</sync-token>\
        <response><href>/ann/list/a%40b.ics</href><propstat><prop><getetag>"e1"</getetag><getcontenttype>text/calendar;charset=utf-8;component=VTODO</getcontenttype>\
        <C:calendar-data>BEGIN:VCALENDAR\r
        BEGIN:VTODO\r
        SUMMARY:a &amp; b\r
        END:VTODO\r
        END:VCALENDAR\r
        </C:calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat></response>\
        <response><href>/ann/list/event.ics</href><propstat><prop><getetag>"e2"</getetag><getcontenttype>text/calendar;charset=utf-8;component=VEVENT</getcontenttype></prop>\
        <status>HTTP/1.1 200 OK</status></propstat></response>\
        <response><href>/ann/list/gone.ics</href><status>HTTP/1.1 404 Not Found</status></response></multistatus>
        """

    /// Xandikos 0.4: generated prefixes, the status before the properties, and no texts.
    static let xandikos = """
        <ns0:multistatus xmlns:ns0="DAV:" xmlns:ns1="urn:ietf:params:xml:ns:caldav"><ns0:response><ns0:href>/ann/list/a@b.ics</ns0:href>\
        <ns0:propstat><ns0:status>HTTP/1.1 200 OK</ns0:status><ns0:prop><ns0:getetag>"e1"</ns0:getetag></ns0:prop></ns0:propstat>\
        <ns0:propstat><ns0:status>HTTP/1.1 404 Not Found</ns0:status><ns0:prop><ns1:calendar-data /></ns0:prop></ns0:propstat></ns0:response>\
        <ns0:response><ns0:href>/ann/list/gone.ics</ns0:href><ns0:status>HTTP/1.1 404 Not Found</ns0:status></ns0:response>\
        <ns0:sync-token>5f</ns0:sync-token></ns0:multistatus>
        """

    /// DAViCal 1.1: the URLs are absolute, with the scheme and port that PHP sees behind the proxy.
    static let davical = """
        <?xml version="1.0" encoding="utf-8" ?>
        <multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
         <response>
          <href>http://h:8080/ann/list/a%40b.ics</href>
          <propstat><prop><getetag>"e1"</getetag></prop><status>HTTP/1.1 200 OK</status></propstat>
          <propstat><prop><C:calendar-data/></prop><status>HTTP/1.1 404 Not Found</status></propstat>
         </response>
         <response><href>/ann/list/gone.ics</href><status>HTTP/1.1 404 Not Found</status></response>
         <sync-token>data:,5f</sync-token>
        </multistatus>
        """

    /// Cyrus 3.6: texts in CDATA, and a row for the list with 507 because more changes follow.
    static let cyrus = """
        <?xml version="1.0" encoding="utf-8"?>
        <D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response><D:href>/ann/list/a@b.ics</D:href>\
        <D:propstat><D:prop><D:getetag>"e1"</D:getetag><C:calendar-data><![CDATA[BEGIN:VCALENDAR\r
        BEGIN:VTODO\r
        SUMMARY:a & b\r
        END:VTODO\r
        END:VCALENDAR\r
        ]]></C:calendar-data></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\
        <D:response><D:href>/ann/list/gone.ics</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>\
        <D:response><D:href>/ann/list/</D:href><D:status>HTTP/1.1 507 Insufficient Storage</D:status>\
        <D:error><D:number-of-matches-within-limits/></D:error></D:response><D:sync-token>5f</D:sync-token></D:multistatus>
        """

    /// iCloud: the list itself is a row, and tokens contain `&`. Source: python-caldav, `compatibility_hints.py`, and the
    /// example of RFC 6578, section 3.8.
    static let iCloud = """
        <?xml version='1.0' encoding='UTF-8'?><multistatus xmlns='DAV:'><response><href>/ann/list</href><propstat><prop>\
        <getetag>"list"</getetag></prop><status>HTTP/1.1 200 OK</status></propstat></response><response><href>/ann/list/a@b.ics</href>\
        <propstat><prop><getetag>"e1"</getetag></prop><status>HTTP/1.1 200 OK</status></propstat></response>\
        <response><href>/ann/list/gone.ics</href><status>HTTP/1.1 404 Not Found</status></response>\
        <sync-token>FT=-@RU=5f&amp;S=1</sync-token></multistatus>
        """

    /// Google: pages of about 230 rows with 507 for the list. Source: changes of Net-DAVTalk 0.26.
    static let google = """
        <?xml version="1.0" encoding="UTF-8"?><D:multistatus xmlns:D="DAV:" xmlns:caldav="urn:ietf:params:xml:ns:caldav" \
        xmlns:cs="http://calendarserver.org/ns/"><D:response><D:href>/ann/list/a%40b.ics</D:href><D:propstat>\
        <D:status>HTTP/1.1 200 OK</D:status><D:prop><D:getetag>"e1"</D:getetag></D:prop></D:propstat></D:response>\
        <D:response><D:href>/ann/list/gone.ics</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>\
        <D:response><D:href>/ann/list/</D:href><D:status>HTTP/1.1 507 Insufficient Storage</D:status></D:response>\
        <D:sync-token>https://h/sync/5f</D:sync-token></D:multistatus>
        """

    /// Nextcloud and other servers with sabre/dav: each row has its own group of properties that are missing, and etags are quoted
    /// with entities. Source: the examples in the documentation of sabre/dav ("Building a CalDAV client").
    static let nextcloud = """
        <?xml version="1.0"?>
        <d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:cal="urn:ietf:params:xml:ns:caldav" \
        xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:response><d:href>/ann/list/a@b.ics</d:href>\
        <d:propstat><d:prop><d:getetag>&quot;e1&quot;</d:getetag><d:getcontenttype>text/calendar; charset=utf-8; component=vtodo\
        </d:getcontenttype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><cal:calendar-data/>\
        </d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response><d:response><d:status>HTTP/1.1 404 Not Found\
        </d:status><d:href>/ann/list/gone.ics</d:href><d:propstat><d:prop/><d:status>HTTP/1.1 418 I'm a teapot</d:status></d:propstat>\
        </d:response><d:sync-token>http://sabre.io/ns/sync/5f</d:sync-token></d:multistatus>
        """

    /// Fastmail: Cyrus with tokens that are URLs. Source: python-caldav, `compatibility_hints.py`.
    static let fastmail = cyrus.replacing("<D:sync-token>5f<", with: "<D:sync-token>https://h/ns/sync/5f-1<")

    /// Synology: the properties that were not asked for are there too, and the prefix of CalDAV is unusual. Source: python-caldav,
    /// `compatibility_hints.py`.
    static let synology = """
        <?xml version="1.0" encoding="utf-8" ?><multistatus xmlns="DAV:" xmlns:ns1="urn:ietf:params:xml:ns:caldav" xmlns:x="urn:x">\
        <response><href>/ann/list/a%40b.ics</href><propstat><prop><getetag>"e1"</getetag><x:other><x:deep a="1">text</x:deep></x:other>\
        <getlastmodified>Mon, 05 Jan 2026 08:00:00 GMT</getlastmodified></prop><status>HTTP/1.1 200 OK</status></propstat></response>\
        <response><href>/ann/list/gone.ics</href><status>HTTP/1.1 404 Not Found</status></response><sync-token>5f</sync-token></multistatus>
        """

    static let all = [radicale, xandikos, davical, cyrus, iCloud, google, nextcloud, fastmail, synology]

    /// Returns a document as an answer of the list.
    static func answer(_ body: String, status: Int = 207) -> HTTPResponse? {
        url.map { HTTPResponse(url: $0, status: status, headers: [], body: Array(body.utf8)) }
    }
}
