import Testing

@testable import CalDAV

@Suite struct DAVURLTests {
    @Test(arguments: [
        ("https://Example.ORG", "https://example.org/"), ("HTTP://h:80/a", "http://h/a"),
        ("https://h:443/", "https://h/"), ("https://h:8443/x?y=1#z", "https://h:8443/x?y=1"),
        ("https://ann:secret@h/", "https://h/"), ("http://[::1]:5232/ann/", "http://[::1]:5232/ann/"),
        (" https://h/a\n", "https://h/a"), ("https://h./a", "https://h/a"),
        ("https://h/a b/ü", "https://h/a%20b/%C3%BC"), ("https://h/%zz", "https://h/%zz"),
        ("https://h/a/./b/../c", "https://h/a/c"), ("https://h/../../c/..", "https://h/"),
        ("https://h/a/%2e%2E/b", "https://h/b"), ("https://h?q", "https://h/?q"),
    ])
    func absoluteURLIsRead(text: String, expected: String) throws {
        let url = try #require(DAVURL(text))
        #expect(url.description == expected)
        #expect(DAVURL(url.description) == url)
        #expect(DAVURL(url.description)?.description == expected)
    }

    @Test(arguments: [
        "", "h", "/path", "ftp://h/", "mailto:ann@example.org", "https://", "https:///x", "https://h:0/",
        "https://h:99999/", "https://h:12x/", "https://a b/", "https://h/a\nb", "https://h/\u{0}",
        "https://[::1",
        "https://[zz]/", "https://h/\r\nX: y", "file:///etc/passwd", "javascript:alert(1)", "https://h]/",
        "https://h../", "https://.h/", "https://./",
        "https://" + String(repeating: "a", count: 9_000),
    ])
    func otherTextIsRefused(text: String) {
        #expect(DAVURL(text) == nil)
    }

    @Test(arguments: [
        ("b.ics", "https://h/ann/list/b.ics"), ("/x/", "https://h/x/"), ("../x", "https://h/ann/x"),
        ("//other/x", "https://other/x"), ("http://h/x", "http://h/x"), ("?a", "https://h/ann/list/?a"),
        ("", "https://h/ann/list/"), ("b%40c.ics", "https://h/ann/list/b%40c.ics"),
        (" /x/ ", "https://h/x/"), ("//h:8443/x", "https://h:8443/x"), ("#f", "https://h/ann/list/"),
        ("./a:b", "https://h/ann/list/a:b"),
    ])
    func referenceIsResolved(reference: String, expected: String) throws {
        let base = try #require(DAVURL("https://h/ann/list/"))
        #expect(base.resolving(reference)?.description == expected)
    }

    @Test(arguments: ["mailto:x@y", "ftp://h/", "//", "https:x", "a\u{7F}"])
    func referenceToOtherSchemeIsRefused(reference: String) throws {
        let base = try #require(DAVURL("https://h/ann/list/"))
        #expect(base.resolving(reference) == nil)
    }

    @Test(arguments: [
        ("/ann%40home/", "/ann@home/"), ("/%C3%BC", "/%c3%bc"), ("/%41", "/A"), ("/a%20b", "/a b"),
        ("/ü", "/%C3%BC"), ("/a%3Bb", "/a;b"),
    ])
    func spellingsOfOnePathAreEqual(first: String, second: String) throws {
        let base = try #require(DAVURL("https://h/"))
        #expect(base.resolving(first) == base.resolving(second))
        #expect(base.resolving(first)?.hashValue == base.resolving(second)?.hashValue)
        #expect(
            base.resolving(first)?.path == first.replacing(" ", with: "%20").replacing("ü", with: "%C3%BC"))
    }

    @Test(arguments: [
        ("/a%2Fb", "/a/b"), ("/a", "/a/"), ("/a%25b", "/a%b0"), ("/a?x", "/a?y"), ("/a%3Fx", "/a?x"),
        ("/A", "/a"),
    ])
    func differentPathsAreNotEqual(first: String, second: String) throws {
        let base = try #require(DAVURL("https://h/"))
        #expect(base.resolving(first) != base.resolving(second))
    }

    @Test func resourceIgnoresSlashAtEnd() throws {
        let url = try #require(DAVURL("https://h/a/"))
        #expect(url.isSameResource(as: try #require(DAVURL("https://h/a"))))
        #expect(url.isSameResource(as: try #require(DAVURL("https://h/%61/"))))
        #expect(!url.isSameResource(as: try #require(DAVURL("https://h/"))))
        #expect(!url.isSameResource(as: try #require(DAVURL("http://h/a/"))))
    }

    @Test(arguments: [
        ("a b/c", "https://h/l/a%20b%2Fc"), ("ü.ics", "https://h/l/%C3%BC.ics"), ("..", "https://h/l/__"),
        ("50%", "https://h/l/50%25"), ("a?b#c", "https://h/l/a%3Fb%23c"),
    ])
    func nameOfMemberIsEncoded(name: String, expected: String) throws {
        let list = try #require(DAVURL("https://h/l"))
        #expect(list.appending(name).description == expected)
        if name != ".." { #expect(list.appending(name).name == name) }
    }

    @Test func loopbackIsRecognized() throws {
        for host in ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "a.localhost"] {
            #expect(try #require(DAVURL("http://\(host)/")).isLoopback)
        }
        for host in ["example.org", "127.0.0.1.example.org", "127.0.0", "localhost.example.org"] {
            #expect(try !#require(DAVURL("http://\(host)/")).isLoopback)
        }
    }

    @Test func etagsOfOneVersionAreRecognized() {
        #expect(EntityTag.isSameVersion("\"a\"", as: "W/\"a\""))
        #expect(EntityTag.isSameVersion("\"a-gzip\"", as: "\"a\""))
        #expect(EntityTag.isSameVersion("W/\"a--gzip\"", as: "\"a\""))
        #expect(!EntityTag.isSameVersion("\"a\"", as: "\"b\""))
        #expect(EntityTag("W/\"a-gzip\"").strongText == "\"a\"")
        #expect(EntityTag("5f-gzip").strongText == "5f-gzip")
        #expect(EntityTag("W/\"a\"").isWeak && !EntityTag("\"W/\"").isWeak)
        #expect(EntityTag("\"a-gzip\"").hasCodingSuffix && !EntityTag("\"gzip\"").hasCodingSuffix)
    }

    @Test func namesInReportsOfSOGoAreEncoded() throws {
        let list = try #require(DAVURL("https://h/SOGo/dav/ann/Calendar/list/"))
        for (written, path) in [("a#b", "a%23b"), ("a?b", "a%3Fb"), ("a%23b", "a%23b"), ("a b", "a%20b")] {
            let item = list.resolvingWithinServer("/SOGo/dav/ann/Calendar/list/\(written).ics")
            #expect(item?.path == "/SOGo/dav/ann/Calendar/list/\(path).ics")
            #expect(item?.query == nil)
        }
    }
}
