import Testing
import TodoAPI

@Suite struct UserDirectoriesTests {
    private func directories(_ environment: [String: String], run: Bool = false) -> UserDirectories {
        UserDirectories(
            home: "/home/ada", userID: 1_000, environment: { environment[$0] },
            directoryExists: { run && $0 == "/run/user/1000" })
    }

    @Test func socketIsFoundInDocumentedOrder() {
        let all = ["TODOD_SOCKET": "/x/s", "XDG_RUNTIME_DIR": "/run/user/1000", "XDG_STATE_HOME": "/state"]
        #expect(directories(all).socket == "/x/s")
        #expect(directories(["XDG_RUNTIME_DIR": "/run/user/1000"]).socket == "/run/user/1000/todod/socket")
        #expect(directories([:], run: true).socket == "/run/user/1000/todod/socket")
        #expect(directories(["XDG_STATE_HOME": "/state"]).socket == "/state/todod/run/socket")
        #expect(directories([:]).socket == "/home/ada/.local/state/todod/run/socket")
    }

    @Test func syncSocketIsFoundInSameOrder() {
        let all = [
            "TODOD_SYNC_SOCKET": "/x/s", "XDG_RUNTIME_DIR": "/run/user/1000", "XDG_STATE_HOME": "/state",
        ]
        #expect(directories(all).syncSocket == "/x/s")
        #expect(
            directories(["XDG_RUNTIME_DIR": "/run/user/1000"]).syncSocket
                == "/run/user/1000/todod-sync/socket")
        #expect(directories([:], run: true).syncSocket == "/run/user/1000/todod-sync/socket")
        #expect(directories(["XDG_STATE_HOME": "/state"]).syncSocket == "/state/todod-sync/run/socket")
        #expect(directories([:]).syncSocket == "/home/ada/.local/state/todod-sync/run/socket")
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
        ("plain é 🙂", "plain é 🙂"), ("a\nb\tc", "a\\nb\\tc"), ("\u{1B}[31mred", "\\u{1B}[31mred"),
        ("\u{0}", "\\u{0}"),
        ("\u{202E}evil\u{2066}", "\\u{202E}evil\\u{2066}"), ("\u{85}\u{9B}", "\\u{85}\\u{9B}"),
    ])
    func controlCharactersAreEscaped(text: String, line: String) {
        #expect(text.oneLine() == line)
    }

    /// R8: Invisible characters are escaped, except where they are part of a script or an emoji.
    @Test(arguments: [
        ("pay\u{200B}pal", "pay\\u{200B}pal"), ("a\u{2060}b\u{FEFF}", "a\\u{2060}b\\u{FEFF}"),
        ("a\u{E0041}\u{E0042}", "a\\u{E0041}\\u{E0042}"), ("a\u{AD}b\u{34F}", "a\\u{AD}b\\u{34F}"),
        ("\u{3164}x\u{115F}", "\\u{3164}x\\u{115F}"), ("\u{FFF9}", "\\u{FFF9}"),
        ("a\u{200D}b", "a\\u{200D}b"), ("👩\u{200D}\u{200D}🚀", "👩\\u{200D}\\u{200D}🚀"),
        ("a\u{FE0F}", "a\\u{FE0F}"), ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\u{FE0F}"),
        ("x\u{E0100}", "x\\u{E0100}"),
        ("👩\u{200D}🚀 ❤\u{FE0F}\u{200D}🔥", "👩\u{200D}🚀 ❤\u{FE0F}\u{200D}🔥"),
        ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("葛\u{E0100}城", "葛\u{E0100}城"), ("क्\u{200D}ष", "क्\u{200D}ष"),
    ])
    func hiddenCharactersAreEscaped(text: String, line: String) {
        #expect(text.oneLine().unicodeScalars.elementsEqual(line.unicodeScalars))
    }

    /// R8: In JSON they are escapes of UTF-16, which every parser knows.
    @Test func hiddenCharactersOfJSONAreEscaped() {
        #expect("\"x\u{200B}\u{E0041}\"".printableJSON() == #""x\u200B\uDB40\uDC41""#)
        #expect("\"👩\u{200D}🚀\"".printableJSON() == "\"👩\u{200D}🚀\"")
    }

    @Test(arguments: [(10, "aaaaaaaaaa"), (9, "aaaaaa…"), (3, "…")]) func longTextIsTruncated(
        limit: Int, line: String
    ) {
        #expect("aaaaaaaaaa".oneLine(bytesLimit: limit) == line)
    }

    @Test func charactersAreNeverSplit() {
        #expect("é🙂🙂".oneLine(bytesLimit: 8) == "é…")
    }
}
