import Foundation
import Testing

/// Only root can run programs as another user or in a mount namespace.
@Suite(.enabled(if: getuid() == 0)) struct OtherUserTests {
    private static let asNobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"

    /// Runs a line while a daemon runs that a shell starts, and waits until both have ended.
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

    /// C6: The error for the socket of another user names its owner.
    @Test func socketOfAnotherUserNamesItsOwner() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let copied = "cp \(Sandbox.products)/todoctl ~/todoctl"
        let result = try sandbox.shell("\(copied) && \(Self.asNobody) ~/todoctl list")
        #expect(result.status == 1)
        #expect(result.errors.contains("belongs to root; only its owner can read it"), "\(result)")
    }

    /// C1: If the user may not write the store or its directory, the daemon continues with the store it opened last.
    @Test(arguments: ["chmod 444 n/other/x.sqlite", "rm -f n/other/*.lock; chmod 555 n/other"])
    func recordedStoreIsUsedIfSelectedOneIsNotWritable(change: String) throws {
        let sandbox = try Sandbox()
        let variables = ["HOME": "", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/t", "XDG_CONFIG_HOME": "/c"]
            .map { "\($0)=\(sandbox.directory)/n\($1)" }.joined(separator: " ")
        let prepared = try sandbox.shell(
            """
            cd ~ && mkdir -p n/other n/c/todod && cp \(Sandbox.products)/todod n
            printf '[Store]\\nPath=%s/n/mine.sqlite\\n' ~ > n/c/todod/todod.conf && chown -R 65534 n
            """)
        #expect(prepared.status == 0, "\(prepared)")
        let start = "env \(variables) \(Self.asNobody) ~/n/todod --socket ~/n/s"
        let wait = "export TODOD_SOCKET=~/n/s; \(start)"
        #expect(try run("true", besideDaemon: "\(wait) --store ~/n/other/x.sqlite", in: sandbox).status == 0)
        #expect(try run("true", besideDaemon: wait, in: sandbox).status == 0)
        let changed = try sandbox.shell(
            "cd ~ && \(change); printf '[Store]\\nPath=%s/n/other/x.sqlite\\n' ~ > n/c/todod/todod.conf")
        #expect(changed.status == 0, "\(changed)")
        let check = try sandbox.shell("\(start) --check-config")
        #expect(check.status == 78 && check.errors.contains("cannot be written"), "\(check)")
        let result = try run("true", besideDaemon: wait, in: sandbox)
        #expect(result.errors.contains("the items stay in \(sandbox.directory)/n/mine.sqlite"), "\(result)")
    }

    /// C6: Root, too, gets the owner's name, and the command that reads the list.
    @Test func rootIsGivenTheOwnersName() throws {
        let sandbox = try Sandbox()
        let prepared = "mkdir ~/n && cp \(Sandbox.products)/todod ~/n && chown -R 65534 ~/n"
        #expect(try sandbox.shell(prepared).status == 0)
        let daemon = "\(Self.asNobody) ~/n/todod --socket ~/n/s --store ~/n/x.sqlite"
        let line = "todoctl list --socket ~/n/s"
        let result = try run(line, besideDaemon: "export TODOD_SOCKET=~/n/s; \(daemon)", in: sandbox)
        #expect(result.status == 1)
        #expect(result.errors.contains("belongs to nobody; only its owner can read it"), "\(result)")
        #expect(result.errors.contains("runuser -u nobody -- todoctl --socket"))
    }

    /// C7: The client writes a backup into a directory where only the user may write.
    @Test func clientWritesBackupWhereTheDaemonMayNot() throws {
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
        #expect(result.errors.contains("the daemon cannot write there"), "\(result)")
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: "\(sandbox.directory)/ro") == ["copy.sqlite"])
        #expect(
            try files.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod").allSatisfy {
                !$0.contains("handover")
            })
        let check = try sandbox.run("todod", ["--check", "--store", "\(sandbox.directory)/ro/copy.sqlite"])
        #expect(check.output.contains("sound"), "\(check)")
    }

    /// C7: A backup that ends because its client is killed leaves nothing beside the store, and the next one succeeds.
    @Test(.enabled(if: TracedProgram.isPossible, "strace cannot trace here"))
    func interruptedBackupLeavesNoFileBesideTheStore() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.shell("mkdir ~/ro").status == 0)
        let mounts = "mount --bind ~/ro ~/ro && mount -o remount,ro,bind ~/ro"
        // This client disconnects with an unread reply, before the copy is made.
        try sandbox.write(
            """
            import os, select, socket
            client = socket.socket(socket.AF_UNIX)
            client.connect(os.environ["TODOD_SOCKET"])
            client.sendall(b'{"method":"org.varlink.service.GetInfo"}\\0')
            select.select([client], [], [])
            call = '{"method":"dev.todod.Todo.Backup","parameters":{"path":"%s","handover":true}}\\0'
            client.sendall((call % os.path.expanduser("~/ro/unread.sqlite")).encode())
            """, to: "leave.py")
        // The other client is killed after it has written the copy under a temporary name.
        let result = try run(
            """
            todoctl add Tea && python3 ~/leave.py && todoctl backup ~/other.sqlite && ls ~/data/todod
            strace -qq -o /dev/null -e trace=fsync -e inject=fsync:signal=SIGKILL todoctl backup ~/ro/copy.sqlite
            ls ~/ro; todoctl backup ~/last.sqlite && ls ~/data/todod && todoctl backup ~/ro/copy.sqlite
            """, besideDaemon: "unshare --mount sh -c '\(mounts) && exec todod'", in: sandbox)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains(/copy\.sqlite\.[0-9a-z]{13}\.partial\n/))
        #expect(!result.output.contains("handover"), "\(result)")
        #expect(result.output.contains("Copied to \(sandbox.directory)/ro/copy.sqlite; the copy is sound"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/ro") == ["copy.sqlite"])
    }
}
