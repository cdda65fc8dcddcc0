import Testing

@testable import TodoClient

@Suite struct NoDaemonHintTests {
    private func text(runtime: String?, exists: Bool = true, failed: Bool = false, installed: Bool = true)
        -> String
    {
        NoDaemonHint(
            userID: 7, environment: { $0 == "XDG_RUNTIME_DIR" ? runtime : nil },
            directoryExists: { $0 == "/run/user/7" && exists }, unitHasFailed: { _ in failed },
            unitIsInstalled: { _ in installed }
        ).text
    }

    @Test func eachReasonHasAHint() {
        #expect(text(runtime: "/run/user/7").hasPrefix("Start it:  systemctl --user start todod.socket\n"))
        #expect(
            text(runtime: "/run/user/7", failed: true).contains(
                "\n  systemctl --user reset-failed todod.service"))
        #expect(text(runtime: "/run/user/7", installed: false).contains("terminal:  todod\nor have it start"))
        #expect(
            text(runtime: "/run/user/7", failed: true, installed: false).hasPrefix("Its service has failed."))
        #expect(text(runtime: "/elsewhere", exists: false).hasPrefix("Start it:"))
        for unset in [nil, ""] {
            #expect(
                text(runtime: unset).hasPrefix(
                    "Start it:  XDG_RUNTIME_DIR=/run/user/7 systemctl --user start todod.socket\n"))
            #expect(
                text(runtime: unset, failed: true).contains("  XDG_RUNTIME_DIR=/run/user/7 journalctl --user")
            )
            #expect(text(runtime: unset, exists: false).contains("loginctl enable-linger"))
        }
    }

    @Test func theUnitIsAskedAboutWhereItsManagerIs() {
        var asked: [String] = []
        for runtime in ["/r", nil] {
            _ = NoDaemonHint(
                userID: 7, environment: { _ in runtime }, directoryExists: { _ in true },
                unitHasFailed: {
                    asked.append($0)
                    return false
                },
                unitIsInstalled: {
                    asked.append($0)
                    return true
                })
        }
        #expect(asked == ["/r", "/r", "/run/user/7", "/run/user/7"])
    }
}
