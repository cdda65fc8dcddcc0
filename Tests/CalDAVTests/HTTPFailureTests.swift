import CCurl
import Testing

@testable import CalDAV

@Suite struct HTTPFailureTests {
    let url = DAVURL("https://h/list/")

    private func error(
        _ code: CURLcode, _ text: String = "text", verifyResult: Int = 0, isSent: Bool = false
    ) throws -> CalDAVError {
        HTTPFailure(code: code, text: text, verifyResult: verifyResult, isSent: isSent).error(
            try #require(url))
    }

    @Test func connectionThatEndsDuringHandshakeIsOffline() throws {
        let url = try #require(url)
        for text in [
            "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to h:443",
            "Recv failure: Connection reset by peer",
            "error:0A000126:SSL routines::unexpected eof while reading",
        ] {
            #expect(try error(CURLE_SSL_CONNECT_ERROR, text) == .offline(url, reason: text))
        }
        let version = try error(CURLE_SSL_CONNECT_ERROR, "error:0A00010B:SSL routines::wrong version number")
        #expect(version.description.contains("is it an http:// server?"))
        #expect(!version.isTemporary)
    }

    @Test func certificateErrorNamesTheCause() throws {
        func reason(_ verifyResult: Int, _ text: String = "") throws -> String {
            try error(CURLE_PEER_FAILED_VERIFICATION, text, verifyResult: verifyResult).description
        }
        #expect(try reason(9).contains("not valid yet"))
        #expect(try reason(10).contains("has expired"))
        #expect(try reason(18).contains("not signed by a trusted authority"))
        #expect(
            try reason(0, "SSL: no alternative certificate subject name matches").contains(
                "not for the host h"))
        #expect(try reason(1, "another reason").hasSuffix(": another reason"))
    }

    @Test func sentRequestMayHaveSucceeded() throws {
        for code in [CURLE_OPERATION_TIMEDOUT, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE] {
            #expect(try error(code, isSent: true).mayHaveSucceeded)
            #expect(try !error(code).mayHaveSucceeded)
            #expect(try error(code).isTemporary)
        }
        for code in [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT] {
            #expect(try !error(code).mayHaveSucceeded)
        }
    }
}
