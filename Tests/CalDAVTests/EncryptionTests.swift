import TestServers
import Testing

@testable import CalDAV

/// The client with encrypted connections to Radicale.
@Suite struct EncryptionTests {
    let certificates: TestCertificates

    init() throws {
        certificates = try TestCertificates()
    }

    private func state(
        _ pair: TestCertificates.Pair, host: String = "127.0.0.1", trustsAuthority: Bool = true
    ) throws -> CalDAVError? {
        let server = try TestServer(.radicaleOfDebian, certificate: pair)
        let options = HTTPOptions(
            userAgent: "todod/test", caFile: trustsAuthority ? certificates.authority : nil)
        let url = server.url.replacing("127.0.0.1", with: host)
        return failure { _ = try Subject.client(options: options).discover(url) }
    }

    @Test func ownAuthorityIsTrustedOnlyIfItIsNamed() throws {
        let pair = try certificates.pair(for: "IP:127.0.0.1")
        #expect(try state(pair) == nil)
        let error = try state(pair, trustsAuthority: false)
        #expect(
            error?.description.contains("is not signed by a trusted authority") == true, "\(error as Any)")
    }

    @Test func requestsUseHTTP2IfTheServerOffersIt() throws {
        let server = try TestServer(.radicaleOfDebian)
        let proxy = try HTTP2Proxy(to: server, certificate: try certificates.pair(for: "IP:127.0.0.1"))
        let options = HTTPOptions(userAgent: "todod/test", caFile: certificates.authority)
        let subject = try Subject(proxy.url, path: "ann/", options: options)
        let list = try subject.makeList()
        let tasks = (0..<50).map { ($0, Subject.task("task\($0)", String(repeating: "milk ", count: 2_000))) }
        for (number, text) in tasks {
            _ = try subject.client.put(text, at: list.appending("\(number).ics"), ifMatch: nil)
        }
        let hrefs = try subject.client.entries(in: list).map(\.href)
        let found = try subject.client.texts(hrefs, in: list).found
        #expect(found.count == tasks.count)
        #expect(found.allSatisfy { ($0.text?.utf8.count ?? 0) > 10_000 })
        #expect(proxy.requests.count > tasks.count)
        #expect(proxy.requests.allSatisfy { $0.hasSuffix(" HTTP/2") }, "\(proxy.requests)")
    }

    @Test func expiredCertificateIsReported() throws {
        let error = try state(try certificates.pair(for: "IP:127.0.0.1", isExpired: true))
        #expect(error?.description.contains("has expired") == true, "\(error as Any)")
    }

    @Test func certificateForAnotherHostIsReported() throws {
        let error = try state(try certificates.pair(for: "DNS:example.org"), host: "localhost")
        #expect(
            error?.description.contains("is not for the host localhost; check the URL") == true,
            "\(error as Any)")
    }

    @Test func serverWithoutEncryptionIsReported() throws {
        let proxy = try FaultProxy()
        let error = failure { _ = try Subject.client().discover("https://127.0.0.1:\(proxy.port)/") }
        guard case .certificate(_, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("cannot be encrypted"))
    }

    @Test func missingAuthorityFileIsReported() throws {
        let pair = try certificates.pair(for: "IP:127.0.0.1")
        let server = try TestServer(.radicaleOfDebian, certificate: pair)
        let options = HTTPOptions(userAgent: "todod/test", caFile: "/no/such/file")
        let error = failure { _ = try Subject.client(options: options).discover(server.url) }
        #expect(error?.description.contains("trusted authorities cannot be read") == true, "\(error as Any)")
    }

    @Test func passwordIsNotSentToPlainOrOtherServer() throws {
        let pair = try certificates.pair(for: "IP:127.0.0.1")
        let proxy = try FaultProxy(certificate: pair)
        let plain = try FaultProxy()
        let options = HTTPOptions(userAgent: "todod/test", caFile: certificates.authority)
        let client = Subject.client(options: options)
        let start = try #require(DAVURL(proxy.url + ".well-known/caldav"))
        for target in [
            plain.url.replacing("127.0.0.1", with: "localhost"), "https://localhost:\(plain.port)/",
        ] {
            try proxy.add(.reply(301, headers: ["Location": target]))
            let error = failure { _ = try client.discover(proxy.url) }
            #expect(error == .redirectedElsewhere(start, target: try #require(DAVURL(target))))
        }
        #expect(try plain.requests().isEmpty)
    }

    @Test func redirectToPlainURLOfTheSameHostStaysEncrypted() throws {
        let proxy = try FaultProxy(certificate: try certificates.pair(for: "IP:127.0.0.1"))
        let options = HTTPOptions(userAgent: "todod/test", caFile: certificates.authority)
        try proxy.add(.reply(301, headers: ["Location": "http://127.0.0.1:80/moved/"]))
        try proxy.add(.reply(429, path: "/moved/"))
        let error = failure { _ = try Subject.client(options: options).discover(proxy.url) }
        #expect(error == .throttled(try #require(DAVURL(proxy.url + "moved/")), seconds: nil))
    }

    @Test func redirectToAnotherPortOfTheSameHostIsFollowed() throws {
        let pair = try certificates.pair(for: "IP:127.0.0.1")
        let (proxy, other) = (try FaultProxy(certificate: pair), try FaultProxy(certificate: pair))
        let options = HTTPOptions(userAgent: "todod/test", caFile: certificates.authority)
        try proxy.add(.reply(301, headers: ["Location": other.url + "dav/"]))
        try other.add(.reply(429))
        #expect(failure { _ = try Subject.client(options: options).discover(proxy.url) }?.isTemporary == true)
        #expect(try other.requests().map { $0.headers["authorization"] } == ["Basic YW5uOnNlY3JldA=="])
    }

    @Test func accountOfEncryptedServerIsFound() throws {
        let server = try TestServer(
            .radicaleOfDebian, certificate: try certificates.pair(for: "IP:127.0.0.1"))
        let options = HTTPOptions(userAgent: "todod/test", caFile: certificates.authority)
        let found = try Subject.client(options: options).discover(server.url)
        #expect(found.homes.map(\.isEncrypted) == [true])
        #expect(found.principal?.isEncrypted == true)
    }
}
