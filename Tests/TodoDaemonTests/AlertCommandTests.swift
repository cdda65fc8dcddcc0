import Testing

@testable import Alerts

@Suite struct AlertCommandTests {
    @Test(arguments: [
        ("/bin/ring", ["/bin/ring"]),
        ("  /bin/ring \t -v   now  ", ["/bin/ring", "-v", "now"]),
        (#"/bin/ring "two words" 'and more' """#, ["/bin/ring", "two words", "and more", ""]),
        (#""/opt/my tools/ring" x"#, ["/opt/my tools/ring", "x"]),
        (#"/bin/ring "it's" 'say "so"'"#, ["/bin/ring", "it's", #"say "so""#]),
        (#"/bin/ring a\sb\tc "d\"e" 'f\'g' \\"#, ["/bin/ring", "a b\tc", #"d"e"#, "f'g", #"\"#]),
        (#"/bin/ring \x41\102\u00e4\U0001f514"#, ["/bin/ring", "ABä🔔"]),
        (#"/bin/ring a"b c"d"#, ["/bin/ring", #"a"b"#, #"c"d"#]),
        ("/bin/sh -c 'echo $HOME; rm *' $USER %h", ["/bin/sh", "-c", "echo $HOME; rm *", "$USER", "%h"]),
        ("~/bin/ring", ["~/bin/ring"]),
    ])
    func commandIsSplitAsInServiceFile(text: String, words: [String]) throws {
        let command = try #require(AlertCommand(text))
        #expect([command.program] + command.arguments == words)
    }

    @Test(arguments: [
        "", "  ", "ring", "bin/ring", "~ada/ring", #""/bin/ring"#, "/bin/ring 'x", #"/bin/ring "a"b"#,
        #"/bin/ring \"#, #"/bin/ring \q"#, #"/bin/ring \x4"#, #"/bin/ring \x00"#, #"/bin/ring \000"#,
        #"/bin/ring \xff"#, #"/bin/ring \777"#, #"/bin/ring \ud800"#, #"/bin/ring \u+041"#, #"/bin/ring \18"#,
    ])
    func invalidCommandIsRefused(text: String) {
        #expect(AlertCommand(text) == nil)
    }
}
