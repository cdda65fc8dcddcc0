internal import CivilTime
internal import TodoAPI

/// The text of `sync status`: a table of the lists, then the problems with the commands that solve them.
struct SyncStatusText {
    private let accounts: SyncAccounts
    private let states: [SyncAccountState]?
    private let session: Session

    init(report: SyncReport, session: Session) {
        accounts = SyncAccounts(report.accounts, session)
        states = report.states
        self.session = session
    }

    var text: String {
        if accounts.accounts.isEmpty {
            return states == nil
                ? "\(SyncAccounts.none)\nBefore that, start todod-sync:  \(ServiceProgram.syncStartCommand)"
                : SyncAccounts.none
        }
        let remarks =
            accounts.accounts.flatMap(problems) + accounts.lists.flatMap(remarks)
            + [conflicts].compactMap(\.self)
        let parts = [table, remarks.joined(separator: "\n"), service]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    // MARK: - The table

    private var table: String {
        let columns: [TextTable.Column] = [
            .init("ITEMS", alignment: .right, dropRank: 2), .init("UNSENT", alignment: .right, dropRank: 1),
            .init("CONFLICTS", alignment: .right, dropRank: 0), .init("LAST SYNC"),
            .init("CATEGORY", dropRank: 3, narrowWidths: 8...20), .init("LIST"),
        ]
        return TextTable(columns: columns, rows: accounts.accounts.flatMap(rows)).text(for: session.page)
    }

    private func rows(of account: SyncAccountSummary) -> [TextTable.Row] {
        let user = account.user.map { ", user \($0.oneLine())" } ?? ""
        let heading = "\(account.name.oneLine())  (\(account.url.oneLine())\(user))"
        if account.lists.isEmpty {
            return [.init(cells: ["", "", "", "", "", "(no lists)"], style: .past, heading: heading)]
        }
        let state = states?.first { $0.name == account.name }
        return account.lists.enumerated().map { index, list in
            // Only todod-sync knows of passes that have found nothing new.
            let passed = list.problem == nil ? state?.lastSync : nil
            let last = [list.lastSync, passed].compactMap(\.self).max()
            let isUrgent = list.problem != nil || list.heldDeletions != nil
            return .init(
                cells: [
                    String(list.items), String(list.unsent), String(list.conflicts),
                    last.map { session.words.distance(to: $0) } ?? "never",
                    list.category?.oneLine() ?? "(deleted)",
                    list.name.oneLine() + (list.readOnly == true ? " (read-only)" : ""),
                ], style: isUrgent ? .urgent : .plain, heading: index == 0 ? heading : nil)
        }
    }

    // MARK: - What to do

    /// Returns the problems of an account and its lists, and the commands that may solve them. A problem of several lists is
    /// given once.
    private func problems(of account: SyncAccountSummary) -> [String] {
        let state = states?.first { $0.name == account.name }
        let lists = accounts.lists.filter { $0.account == account.name }
        var reasons: [String] = []
        // A list without a category has a remark of its own.
        for reason in lists.filter({ $0.summary.category != nil }).compactMap(\.summary.problem)
        where !reasons.contains(reason) {
            reasons.append(reason)
        }
        var lines: [String] = []
        // todod-sync gives the problem of a list after its name.
        let known =
            reasons + lists.compactMap { list in list.summary.problem.map { "\(list.summary.name): \($0)" } }
        if let problem = state?.problem, !known.contains(problem) {
            lines.append("\(account.name.oneLine()): \(indented(problem))")
        } else if state?.state == .offline, reasons.isEmpty {
            lines.append("\(account.name.oneLine()): the server cannot be reached")
        }
        for reason in reasons {
            let titles = lists.filter { $0.summary.problem == reason }.map {
                accounts.title(of: $0).oneLine()
            }
            lines.append("\(titles.joined(separator: ", ")): not synchronized: \(indented(reason))")
        }
        guard !lines.isEmpty, !reasons.isEmpty || state?.state == .failed else { return lines }
        lines.append(
            "  To try again:            \(ShellWord.command("todoctl sync now", operands: [account.name]))")
        let texts = reasons + [state?.problem].compactMap(\.self)
        if let change = ChangePasswordCommand.invocation(after: texts, of: account) {
            lines.append("  To change the password:  \(change)")
        }
        if let list = lists.first(where: { $0.summary.problem?.contains("deleted on the server") == true }) {
            let end = ShellWord.command(
                "todoctl sync remove", operands: [account.name],
                options: ["--list", ShellWord.quoted(list.summary.name)])
            lines.append("  To end it for the list:  \(end)")
        }
        return lines
    }

    private func remarks(on list: SyncAccounts.List) -> [String] {
        let title = accounts.title(of: list)
        let name = title.oneLine()
        let summary = list.summary
        var remarks: [String] = []
        if let reason = summary.heldDeletions {
            remarks.append(
                """
                \(name): deletions are held back: \(indented(reason))\(HeldDeletions.line(for: summary))
                  To delete these items here, too:  \(ShellWord.command("todoctl sync accept", operands: [title]))
                  To send them to the server again: \(ShellWord.command("todoctl sync restore", operands: [title]))
                """)
        }
        if summary.category == nil {
            let end = ShellWord.command(
                "todoctl sync remove", operands: [list.account],
                options: ["--list", ShellWord.quoted(summary.name)])
            let account = accounts.accounts.first { $0.name == list.account }
            let user = account?.user.map { ["--user", ShellWord.quoted($0)] } ?? []
            let again = ShellWord.command(
                "todoctl sync add", operands: [account?.url ?? ""],
                options: ["--name", ShellWord.quoted(list.account)] + user + [
                    "--list", ShellWord.quoted(summary.name), "--category", "NAME",
                ])
            remarks.append(
                """
                \(name): not synchronized, because its category was deleted
                  To synchronize it with another one:  \(again)
                  To end the synchronization:          \(end)
                """)
        }
        if !summary.remarks.isEmpty {
            let lines = summary.remarks.map { "\n  \(indented($0))" }.joined()
            remarks.append("\(name): notes on its tasks:\(lines)")
        }
        if summary.readOnly == true, summary.unsent > 0 {
            let changes = summary.unsent == 1 ? "1 change stays" : "\(summary.unsent) changes stay"
            remarks.append(
                """
                \(name): \(changes) here, because you may only read the list on the server
                  Undo \(summary.unsent == 1 ? "it" : "them"), or move the items to another category.
                """)
        }
        return remarks
    }

    private var conflicts: String? {
        switch accounts.lists.reduce(0, { $0 + $1.summary.conflicts }) {
        case 0: nil
        case 1: "1 change has lost against another one. To see it:  todoctl sync conflicts"
        case let count: "\(count) changes have lost against others. To see them:  todoctl sync conflicts"
        }
    }

    /// Returns a text of the server, the lines of which after the first one are indented.
    private func indented(_ text: String) -> String {
        text.split(separator: "\n").map { String($0).oneLine() }.joined(separator: "\n  ")
    }

    // MARK: - todod-sync

    private var service: String {
        guard let states else {
            return """
                todod-sync does not answer, so nothing is synchronized. Start it now and at every login:
                  \(ServiceProgram.syncStartCommand)
                """
        }
        let busy = states.filter { $0.state == .syncing }.map { $0.name.oneLine() }
        if !busy.isEmpty { return "todod-sync synchronizes \(busy.joined(separator: ", ")) now." }
        guard let next = states.compactMap(\.nextSync).min(), next > session.now else {
            return "todod-sync is running."
        }
        return "todod-sync is running, and synchronizes again \(session.words.distance(to: next))."
    }
}
