import Testing

@testable import CalDAV

@Suite struct DNSTests {
    /// Returns an answer with a question for the domain and records, each with a pointer to the question as its name.
    static func answer(_ records: [(type: Int, data: [UInt8])], count: Int? = nil) -> [UInt8] {
        let records16 = UInt8(count ?? records.count)
        var bytes: [UInt8] = [0, 1, 0x81, 0x80, 0, 1, 0, records16, 0, 0, 0, 0]
        bytes += name("_caldavs._tcp.example.org") + [0, 33, 0, 1]
        for record in records {
            bytes += [0xC0, 12, 0, UInt8(record.type), 0, 1, 0, 0, 0, 60, 0, UInt8(record.data.count)]
            bytes += record.data
        }
        return bytes
    }

    static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    static func service(_ host: [UInt8], port: UInt8 = 80, priority: UInt8 = 0, weight: UInt8 = 0)
        -> (type: Int, data: [UInt8])
    {
        (33, [0, priority, 0, weight, 0x20, port] + host)
    }

    static func text(_ strings: String...) -> (type: Int, data: [UInt8]) {
        (16, strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) })
    }

    private func names(services: [UInt8]?, texts: [UInt8]? = nil) -> NameServer {
        NameServer { name, type in
            name.hasPrefix("_caldavs._tcp.") ? (type == DNSAnswer.serviceType ? services : texts) : nil
        }
    }

    @Test func serversAreOrderedByPriorityAndWeight() {
        let answer = Self.answer([
            Self.service(Self.name("c.example.org"), priority: 2, weight: 9),
            Self.service(Self.name("b.example.org"), priority: 1, weight: 1),
            // The end of this name is a pointer into the question.
            Self.service([1, UInt8(ascii: "a"), 0xC0, 26], priority: 1, weight: 5),
            Self.text("not a server"),
        ])
        let servers = names(services: answer).servers(of: "example.org")
        #expect(servers.map(\.host) == ["a.example.org", "b.example.org", "c.example.org"])
        #expect(servers.map(\.port) == [0x2050, 0x2050, 0x2050])
    }

    @Test func domainCanSayThatItHasNoServer() {
        #expect(names(services: Self.answer([Self.service([0])])).servers(of: "example.org").isEmpty)
        #expect(names(services: nil).servers(of: "example.org").isEmpty)
    }

    @Test func pathIsReadFromTextRecord() {
        let answer = Self.answer([Self.text("v=1", "path=/dav/"), Self.text("path=/other/")])
        #expect(names(services: nil, texts: answer).path(of: "example.org") == "/dav/")
        let none = Self.answer([Self.text("path=//evil.example/"), Self.text("path=x")])
        #expect(names(services: nil, texts: none).path(of: "example.org") == "//evil.example/")
        #expect(names(services: nil).path(of: "example.org") == nil)
    }

    @Test func answerThatEndsEarlyIsRefused() {
        let answer = Self.answer([Self.service(Self.name("a.example.org")), Self.text("path=/dav/")])
        for count in answer.indices { #expect(DNSAnswer(Array(answer[..<count])) == nil, "\(count)") }
        #expect(DNSAnswer(answer)?.services.count == 1)
    }

    @Test func pointersThatGoRoundInCirclesAreRefused() {
        let start = UInt8(Self.answer([]).count + 12 + 6)
        #expect(DNSAnswer(Self.answer([Self.service([0xC0, start])])) == nil)
        #expect(DNSAnswer(Self.answer([Self.service([1, 0x61, 0xC0, start])])) == nil)
        #expect(DNSAnswer(Self.answer([Self.service([0xFF, 0xFF])])) == nil)
        #expect(DNSAnswer(Self.answer([Self.service([0xC0])])) == nil)
    }

    @Test func everyByteCanBeWrong() {
        let answer = Self.answer([Self.service(Self.name("a.example.org")), Self.text("path=/dav/")])
        for index in answer.indices {
            for value in [UInt8(0), 1, 0x3F, 0x40, 0xC0, 0xFF] {
                var damaged = answer
                damaged[index] = value
                _ = DNSAnswer(damaged)
            }
        }
    }

    // MARK: - Use in discovery

    @Test func addressesAreRead() throws {
        func urls(_ typed: String) -> [String]? { TypedAddress(typed)?.urls.map(\.description) }
        #expect(
            urls("example.org") == ["https://example.org/.well-known/caldav", "https://example.org/"])
        #expect(urls(" ann@Example.org ") == urls("example.org"))
        #expect(
            urls("https://h/dav/") == ["https://h/dav/", "https://h/.well-known/caldav", "https://h/"])
        #expect(urls("h:8443/x")?.first == "https://h:8443/x")
        #expect(urls("localhost:5232")?.first == "http://localhost:5232/.well-known/caldav")
        #expect(TypedAddress("example.org")?.domain == "example.org")
        #expect(TypedAddress("ann@example.org")?.domain == "example.org")
        for typed in ["https://example.org/", "example.org:8443", "example.org/dav", "localhost"] {
            #expect(TypedAddress(typed)?.domain == nil, "\(typed)")
        }
    }

    @Test func serverOfTheDNSIsTried() throws {
        let answer = Self.answer([Self.service(Self.name("dav.todod.invalid"), port: 1)])
        let client = Subject.client(names: names(services: answer))
        let error = failure { _ = try client.discover("ann@todod.invalid") }
        // No host of this domain has an address. The domain itself is asked afterwards.
        guard case .offline(let url, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(url.description == "https://dav.todod.invalid:8193/.well-known/caldav")
    }

    @Test func serverOfAnotherDomainInTheDNSGetsNoPassword() throws {
        let answer = Self.answer([Self.service(Self.name("localhost"), port: 1)])
        let client = Subject.client(names: names(services: answer))
        let error = failure { _ = try client.discover("ann@todod.invalid") }
        guard case .redirectedElsewhere(_, let target)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(target.host == "localhost")
    }

    @Test func passwordIsSentOnlyWithinTheDomain() throws {
        func includes(_ trusted: TrustedServers, _ url: String) throws -> Bool {
            trusted.include(try #require(DAVURL(url)))
        }
        var trusted = TrustedServers(try #require(DAVURL("https://caldav.example.com/")))
        trusted.addDomain("caldav.example.com")
        for url in [
            "https://caldav.example.com:8443/", "https://p34-caldav.example.com/", "https://example.com/",
        ] {
            #expect(try includes(trusted, url), "\(url)")
        }
        for url in [
            "http://caldav.example.com/", "http://p34-caldav.example.com/", "https://example.org/",
            "https://badexample.com/", "https://caldav.example.com.example.org/",
        ] {
            #expect(try !includes(trusted, url), "\(url)")
        }
        let registry = TrustedServers(domain: "example.co.uk")
        #expect(try includes(registry, "https://dav.example.co.uk/"))
        #expect(try !includes(registry, "https://other.co.uk/"))
        #expect(try !includes(TrustedServers(domain: "192.168.1.2"), "https://10.168.1.2/"))
        #expect(try !includes(TrustedServers(domain: "example.org"), "https://other.org/"))
        let plain = TrustedServers(try #require(DAVURL("http://h:5232/")))
        #expect(try includes(plain, "http://h:5232/x"))
        #expect(try includes(plain, "https://h/"))
        #expect(try !includes(plain, "http://h/"))
    }
}
