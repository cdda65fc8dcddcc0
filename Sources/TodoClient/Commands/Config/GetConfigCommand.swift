internal import Platform
internal import TodoAPI

/// The `config show` command, for example `todoctl config`.
struct GetConfigCommand: Command {
    static let verb = "config show"
    static let summary = "Show every setting, its value and where it comes from"
    static let details = """
        Shows the settings that the daemon uses. To change one, edit the file that todod.conf(5) describes, and apply it \
        with 'systemctl --user reload todod'.
        """
    static let examples = ["todoctl config show"]
    static let warnings = WarningUse.dropped

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(GetConfig.self, .init())
        if try session.printJSON(reply) { return }
        var section = ""
        let rows = reply.settings.map { setting in
            var row = TextTable.Row(cells: [setting.name, setting.shownValue, setting.origin])
            if setting.section != section { row.heading = "[\(setting.section)]" }
            section = setting.section
            return row
        }
        let columns = [TextTable.Column("SETTING"), .init("VALUE"), .init("FROM")]
        // Do not cut paths, because a cut path is useless. The terminal wraps the line instead.
        let page = Output.Page(columns: nil, hasColour: session.page.hasColour)
        try Output.print(TextTable(columns: columns, rows: rows).text(for: page))
        if !reply.wrongLines.isEmpty {
            try Output.print("\nWrong lines, which todod ignores:")
            for line in reply.wrongLines { try Output.print("  \(line.text)") }
        }
        if let waiting = reply.settingsAwaitingRestart {
            try Output.print("\nThese settings take effect after a restart:")
            for setting in waiting { try Output.print(setting.shownLine) }
            try Output.print("Restart todod:  systemctl --user restart todod.service")
        }
        if let waiting = reply.settingsAwaitingCorrection {
            try Output.print("\nThese lines of [Store] are not used while another line is wrong:")
            for setting in waiting { try Output.print(setting.shownLine) }
            try Output.print("Correct the wrong lines, then:  systemctl --user restart todod.service")
        }
        if reply.isChanged {
            try Output.print("\nThe files have changed since. To see the effect:  todoctl config check")
        }
    }
}

extension SettingState {
    /// The value on one line. A path in the home directory begins with `~/`, as in the configuration file.
    var shownValue: String {
        (section == "Store" && name == "Path" ? value.abbreviatingHome : value).oneLine()
    }

    /// A line such as `  Nag=1h  ~/.config/todod/todod.conf:3`.
    fileprivate var shownLine: String { "  \(name)=\(shownValue)  \(origin)" }

    /// The origin of the setting, such as `~/.config/todod/todod.conf:3` or `default`.
    fileprivate var origin: String {
        switch source {
        case .builtIn: "default"
        case .file, .dropIn: "\((path ?? "").abbreviatingHome.oneLine()):\(line ?? 0)"
        case .commandLine: "command line of todod"
        case .lastStart: "the last start"
        }
    }
}

extension WrongLine {
    /// A text such as `~/.config/todod/todod.conf:3: no setting Nags= in [Alert]`.
    var text: String {
        let place = path.abbreviatingHome.oneLine() + (line.map { ":\($0)" } ?? "")
        return "\(place): \(reason.oneLine())"
    }
}

extension String {
    fileprivate var abbreviatingHome: String {
        let home = Environment.home() + "/"
        return hasPrefix(home) ? "~/" + dropFirst(home.count) : self
    }
}
