import Testing

@testable import TodoClient

@Suite struct TypedServerTests {
    @Test(arguments: [
        ("ann@example.org", "ann@example.org", "ann", "example.org", true),
        ("dav.example.org", "dav.example.org", nil, "dav.example.org", false),
        ("dav.example.org:8443/x", "dav.example.org:8443/x", nil, "dav.example.org", false),
        ("https://dav.example.org/ann/", "https://dav.example.org/ann/", nil, "dav.example.org", false),
        ("https://ann@dav.example.org/a@b", "https://dav.example.org/a@b", "ann", "dav.example.org", false),
        (
            "https://ann@example.org@dav.example.org", "https://dav.example.org", "ann@example.org",
            "dav.example.org", false
        ),
        ("http://[::1]:5232/", "http://[::1]:5232/", nil, "::1", false),
    ])
    func partsAreRead(text: String, url: String, user: String?, host: String, isAddress: Bool) throws {
        let server = try TypedServer(text)
        #expect(server.url == url && server.user == user && server.host == host)
        #expect(server.isAddress == isAddress)
    }

    @Test(arguments: [
        ("http://dav.example.org", true), ("HTTP://10.0.0.1", true), ("http://127.evil.example.org", true),
        ("https://dav.example.org", false), ("dav.example.org", false), ("ann@example.org", false),
        ("http://localhost:5232", false), ("http://127.0.0.1", false), ("http://[::1]:5232", false),
        ("http://dav.localhost", false), ("http://localhost.example.org", true),
        ("http://localhost@dav.example.org", true),
    ])
    func passwordIsReadableOnlyWithPlainHTTP(text: String, isReadable: Bool) throws {
        #expect(try TypedServer(text).isReadable == isReadable)
    }

    @Test(arguments: [
        "", " ", "https://", "https://ann@/x", "ftp://x", "https://ann:secret@x", "ann:secret@x",
    ])
    func otherTextIsRefused(text: String) {
        #expect(throws: TypedServer.Invalid.self) { try TypedServer(text) }
    }
}
