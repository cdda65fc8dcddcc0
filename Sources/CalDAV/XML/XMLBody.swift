/// The XML bodies of requests. Names have the prefixes of `XMLElement`.
enum XMLBody {
    /// Returns the body of a PROPFIND request.
    static func propfind(_ properties: [String]) -> String {
        document("D:propfind", containing: "<D:prop>\(empty(properties))</D:prop>")
    }

    /// Returns the body of a sync-collection report (RFC 6578). It has no limit, because one server loses rows with it.
    static func syncCollection(token: String?, _ properties: [String]) -> String {
        document(
            "D:sync-collection",
            containing: "<D:sync-token>\(escaped(token ?? ""))</D:sync-token><D:sync-level>1</D:sync-level>"
                + "<D:prop>\(empty(properties))</D:prop>")
    }

    /// Returns the body of a calendar-multiget report (RFC 4791, section 7.9).
    static func multiget(_ hrefs: [DAVURL]) -> String {
        let targets = hrefs.map { "<D:href>\(escaped($0.target))</D:href>" }.joined()
        return document(
            "C:calendar-multiget",
            containing: "<D:prop>\(empty(["D:getetag", "C:calendar-data"]))</D:prop>\(targets)")
    }

    /// Returns the body of an MKCALENDAR request for a list of tasks.
    static func makeCalendar(name: String) -> String {
        document("C:mkcalendar", containing: "<D:set><D:prop>\(taskList(name))</D:prop></D:set>")
    }

    /// Returns the body of an extended MKCOL request (RFC 5689) for a list of tasks.
    static func makeCollection(name: String) -> String {
        let type = "<D:resourcetype><D:collection/><C:calendar/></D:resourcetype>"
        return document("D:mkcol", containing: "<D:set><D:prop>\(type)\(taskList(name))</D:prop></D:set>")
    }

    private static func taskList(_ name: String) -> String {
        let components =
            "<C:supported-calendar-component-set><C:comp name=\"VTODO\"/></C:supported-calendar-component-set>"
        return "<D:displayname>\(escaped(name))</D:displayname>\(components)"
    }

    private static func document(_ root: String, containing content: String) -> String {
        let namespaces = XMLElement.prefixes.sorted { $0.value < $1.value }
            .map { " xmlns:\($0.value)=\"\($0.key)\"" }.joined()
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?><\(root)\(namespaces)>\(content)</\(root)>"
    }

    private static func empty(_ names: [String]) -> String {
        names.map { "<\($0)/>" }.joined()
    }

    /// Returns a text with its markup escaped. Characters that XML does not allow are left out.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
