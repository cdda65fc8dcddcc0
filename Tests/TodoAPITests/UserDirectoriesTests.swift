import Testing
import TodoAPI

@Suite struct UserDirectoriesTests {
    private func directories(_ environment: [String: String], run: Bool = false) -> UserDirectories {
        UserDirectories(
            home: "/home/ada", userID: 1_000, environment: { environment[$0] },
            directoryExists: { run && $0 == "/run/user/1000" })
    }

    @Test func theSocketIsFoundInOrder() {
        let all = ["TODOD_SOCKET": "/x/s", "XDG_RUNTIME_DIR": "/run/user/1000", "XDG_STATE_HOME": "/state"]
        #expect(directories(all).socket == "/x/s")
        #expect(directories(["XDG_RUNTIME_DIR": "/run/user/1000"]).socket == "/run/user/1000/todod/socket")
        #expect(directories([:], run: true).socket == "/run/user/1000/todod/socket")
        #expect(directories(["XDG_STATE_HOME": "/state"]).socket == "/state/todod/run/socket")
        #expect(directories([:]).socket == "/home/ada/.local/state/todod/run/socket")
    }

    @Test func relativePathsInTheEnvironmentAreIgnored() {
        let relative = directories(["XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "", "XDG_RUNTIME_DIR": "run"])
        #expect(relative.data == "/home/ada/.local/share/todod")
        #expect(relative.configuration == "/home/ada/.config/todod")
        #expect(relative.socket == "/home/ada/.local/state/todod/run/socket")
        #expect(directories(["XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"]).data == "/d/todod")
    }
}

@Suite struct OneLineTests {
    @Test(arguments: [
        ("plain é 🙂", "plain é 🙂"), ("a\nb\tc", "a\\u{A}b\\u{9}c"), ("\u{1B}[31mred", "\\u{1B}[31mred"),
        ("\u{0}", "\\u{0}"),
        ("\u{202E}evil\u{2066}", "\\u{202E}evil\\u{2066}"), ("\u{85}\u{9B}", "\\u{85}\\u{9B}"),
    ])
    func controlCharactersAreShown(text: String, line: String) {
        #expect(text.oneLine() == line)
    }

    @Test(arguments: [(10, "aaaaaaaaaa"), (9, "aaaaaa…"), (3, "…")]) func whatIsTooLongIsCut(
        limit: Int, line: String
    ) {
        #expect("aaaaaaaaaa".oneLine(bytesLimit: limit) == line)
    }

    @Test func aCharacterIsNeverCutInTwo() {
        #expect("é🙂🙂".oneLine(bytesLimit: 8) == "é…")
    }
}
