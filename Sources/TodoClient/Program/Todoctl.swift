internal import CivilTime
internal import Glibc
internal import Platform
internal import TodoAPI
internal import Varlink

/// The program `todoctl`, which turns a command line into a call to the daemon and prints the reply.
package enum Todoctl {
    /// All commands, in the order in which the help lists them.
    static var commands: [any Command.Type] {
        [
            AddItemCommand.self, ListItemsCommand.self, DueItemsCommand.self, TodayCommand.self,
            NextCommand.self,
            GetItemCommand.self, ListHistoryCommand.self,
            CompleteItemsCommand.self, SkipItemsCommand.self, ReopenItemsCommand.self,
            UpdateItemsCommand.self, SnoozeItemsCommand.self, MuteItemsCommand.self,
            UnmuteItemsCommand.self, DeleteItemsCommand.self, UndoCommand.self, RedoCommand.self,
            ListCategoriesCommand.self, AddCategoryCommand.self, RenameCategoryCommand.self,
            MuteCategoryCommand.self, UnmuteCategoryCommand.self, DeleteCategoryCommand.self,
            ListTagsCommand.self, RenameTagCommand.self, DeleteTagCommand.self,
            AddViewCommand.self, RenameViewCommand.self, DeleteViewCommand.self, ShowViewCommand.self,
            ListSyncAccountsCommand.self, AddAccountCommand.self, SyncNowCommand.self,
            ChangePasswordCommand.self,
            ResolveSyncConflictCommand.self, ClearSyncConflictsCommand.self, ListSyncConflictsCommand.self,
            AcceptDeletionsCommand.self, RestoreDeletionsCommand.self, RemoveAccountCommand.self,
            SyncLogCommand.self,
            QuietCommand.self, EvaluateCommand.self, AlertsCommand.self, WatchCommand.self,
            StatusCommand.self, GetConfigCommand.self, CheckConfigCommand.self, BackupCommand.self,
            ExportCommand.self, ImportCommand.self,
            CallCommand.self, CompletionCommand.self, HelpCommand.self,
        ]
    }

    /// Runs the command line that the system passes to `main`, and returns the exit status.
    package static func run(_ words: UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
        var typed: [String] = []
        return report(&typed) { typed throws(ClientError) in
            typed = try texts(words)
            try carryOut(typed)
        }
    }

    /// Runs a command line without the name of the program, and returns the exit status.
    package static func run(_ words: [String]) -> Int32 {
        var words = words
        return report(&words) { words throws(ClientError) in try carryOut(words) }
    }

    /// Runs `body`, prints its error if there is one, and returns the exit status.
    private static func report(
        _ words: inout [String], _ body: (inout [String]) throws(ClientError) -> Void
    ) -> Int32 {
        // Use the character widths of UTF-8 in every locale.
        setlocale(LC_CTYPE, "C.UTF-8")
        StandardStream.reserveDescriptors()
        do throws(ClientError) {
            try readClockOffset()
            try body(&words)
            return 0
        } catch .needsAttention {
            return ClientError.needsAttention.exitStatus
        } catch {
            if wantsJSON(words) {
                Output.printError(String(decoding: error.json.bytes, as: UTF8.self).printableJSON())
            } else {
                Output.printError(error.message)
            }
            return error.exitStatus
        }
    }

    /// Whether the words include `--json` or a shortened form of it.
    ///
    /// The rest of the command line may be invalid.
    private static func wantsJSON(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains { $0.count > 2 && "--json".hasPrefix($0) }
    }

    private static func readClockOffset() throws(ClientError) {
        do throws(ClockOffset.Invalid) {
            try ClockOffset.readEnvironment()
        } catch {
            throw .refused("todoctl: \(error)")
        }
    }

    private static func texts(
        _ words: UnsafePointer<UnsafeMutablePointer<CChar>?>
    ) throws(ClientError) -> [String] {
        var texts: [String] = []
        var next = words + 1
        while let word = next.pointee {
            // Text that is not UTF-8 would be stored with other characters than the user typed.
            guard let text = String(validatingCString: word) else {
                throw .usage(
                    "todoctl: '\(String(cString: word).oneLine(bytesLimit: 80))' is not UTF-8 text",
                    hint: "Set the terminal to UTF-8, which todoctl reads and writes.")
            }
            texts.append(text)
            next += 1
        }
        return texts
    }

    private static func carryOut(_ words: [String]) throws(ClientError) {
        if words.first == "__complete" {
            return try CompletionCommand.printCandidates(Array(words.dropFirst()))
        }
        let lead = try ParsedLine(
            words, options: GlobalOptions.declared.options, verb: "", stopsAtOperand: true)
        let verb = try Verb(in: lead.operands)
        let rest = words.dropLast(lead.operands.count) + lead.operands.dropFirst(verb.wordCount)
        var arguments = try Arguments(
            Array(rest), verb: verb.command.verb, declared: verb.command.declared)
        var global = GlobalOptions()
        try global.code(&arguments)
        if global.wantsVersion { return try Output.print("todoctl \(tododVersion)") }
        if global.wantsHelp { return try Output.print(verb.help()) }
        var command = verb.command.init()
        try command.code(&arguments)
        try arguments.finish()
        let session = Session(global, warnings: global.wantsJSON ? .left : verb.command.warnings)
        defer { session.notes.take().map(session.printNote) }
        do throws(ClientError) {
            try command.run(session)
        } catch .unwritten(let reason) {
            throw session.madeChanges.error(unwritten: reason)
        }
    }
}
