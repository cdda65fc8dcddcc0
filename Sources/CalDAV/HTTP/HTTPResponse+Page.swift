extension HTTPResponse {
    /// Whether the answer is a web page. A server of tasks does not answer a change with one.
    var isPage: Bool { header("Content-Type")?.lowercased().hasPrefix("text/html") == true && !body.isEmpty }
}
