import Foundation
import Testing

/// Only root can run programs as another user or in a mount namespace.
@Suite(.enabled(if: getuid() == 0)) struct OtherUserTests {
    private static let asNobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"

    /// Runs a line beside a daemon that a shell starts, until both have ended.
    private func run(_ line: String, besideDaemon daemon: String, in sandbox: Sandbox) throws
        -> Sandbox.Result
    {
        try sandbox.shell(
            """
            true
            \(daemon) & daemon=$! attempts=0
            while kill -0 $daemon && [ $((attempts += 1)) -lt 500 ] &&
                ! todoctl status > status 2>&1 && ! grep 'belongs to' status; do :; done >/dev/null
            \(line); status=$?
            kill $daemon; wait $daemon; exit $status
            """)
    }

    /// C6: The socket of another user says whose list it is.
    @Test func socketOfAnotherUserNamesItsOwner() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let copied = "cp \(Sandbox.products)/todoctl ~/todoctl"
        let result = try sandbox.shell("\(copied) && \(Self.asNobody) ~/todoctl list")
        #expect(result.status == 1)
        #expect(result.errors.contains("belongs to root; only its owner may read it"), "\(result)")
    }

    /// C6: Root, too, reads whose list it is, and how to read it.
    @Test func rootReadsWhoseListItIs() throws {
        let sandbox = try Sandbox()
        let prepared = "mkdir ~/n && cp \(Sandbox.products)/todod ~/n && chown -R 65534 ~/n"
        #expect(try sandbox.shell(prepared).status == 0)
        let daemon = "\(Self.asNobody) ~/n/todod --socket ~/n/s --store ~/n/x.sqlite"
        let line = "todoctl list --socket ~/n/s"
        let result = try run(line, besideDaemon: "export TODOD_SOCKET=~/n/s; \(daemon)", in: sandbox)
        #expect(result.status == 1)
        #expect(result.errors.contains("belongs to nobody; only its owner may read it"), "\(result)")
        #expect(result.errors.contains("runuser -u nobody -- todoctl --socket"))
    }

    /// C7: A backup into a directory where only the user may write is fetched by the client.
    @Test func backupIsFetchedWhereTheDaemonMayNotWrite() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.shell("mkdir ~/ro").status == 0)
        let mounts = "mount --bind ~/ro ~/ro && mount -o remount,ro,bind ~/ro"
        let result = try run(
            """
            todoctl add Tea && todoctl backup ~/ro/copy.sqlite && ! todoctl backup ~/ro/copy.sqlite &&
            ! todoctl call Backup "{\\"path\\":\\"$HOME/ro/other.sqlite\\"}"
            """, besideDaemon: "unshare --mount sh -c '\(mounts) && exec todod'", in: sandbox)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("Copied to \(sandbox.directory)/ro/copy.sqlite; the copy is sound"))
        #expect(result.errors.contains("the file exists already"), "\(result)")
        #expect(result.errors.contains("the daemon may not write there"), "\(result)")
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: "\(sandbox.directory)/ro") == ["copy.sqlite"])
        #expect(
            try files.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod").allSatisfy {
                !$0.contains("handover")
            })
        let check = try sandbox.run("todod", ["--check", "--store", "\(sandbox.directory)/ro/copy.sqlite"])
        #expect(check.output.contains("sound"), "\(check)")
    }
}
