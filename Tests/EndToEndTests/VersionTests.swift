import Foundation
import Testing

/// A client and a daemon of different versions, as after an upgrade.
@Suite struct VersionTests {
    /// Replies to GetInfo as another version, and to other calls with an error or an older form of the reply.
    private static let otherDaemon = """
        import json, socket, sys
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(sys.argv[1])
        listener.listen()
        print("ready", flush=True)
        while True:
            client = listener.accept()[0]
            reader = client.makefile("rb")
            message = b""
            while byte := reader.read(1):
                if byte != b"\\0":
                    message += byte
                    continue
                method = json.loads(message)["method"]
                message = b""
                if method == "org.varlink.service.GetInfo":
                    reply = {"parameters": {"version": "0.0.7"}}
                elif method.endswith("ListCategories"):
                    reply = {"parameters": {"names": []}}
                else:
                    reply = {"error": "org.varlink.service.MethodNotFound", "parameters": {"method": method}}
                client.sendall(json.dumps(reply).encode() + b"\\0")
        """

    @Test func otherDaemonVersionIsNamedInErrors() throws {
        let sandbox = try Sandbox()
        try sandbox.write(Self.otherDaemon, to: "other.py")
        // The other version lacks one method, and another one has a different reply.
        for command in ["list", "category list"] {
            let result = try sandbox.shell(
                """
                mkfifo ready && { timeout 20 python3 ~/other.py $TODOD_SOCKET > ready & read line < ready; }
                todoctl \(command); status=$?
                kill $!; rm ready $TODOD_SOCKET; exit $status
                """)
            #expect(result.status == 1)
            #expect(
                result.errors.contains("The running daemon is todod 0.0.7, but this is todoctl 0.1.0."),
                "\(result.errors)")
            #expect(result.errors.contains("  systemctl --user restart todod.service"))
        }
    }

    @Test func sameVersionIsNotMentioned() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let result = try sandbox.todoctl("call", "GetItem", #"{"id":"x"}"#)
        #expect(result.status == 1 && !result.errors.contains("todod 0.1.0"))
    }
}
