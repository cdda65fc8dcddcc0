internal import ConfigurationFiles
internal import Platform
internal import TodoAPI

/// Runs the passes of an account, and keeps the connections to its server between them. It belongs to one queue.
final class PassRunner {
    /// The values from which a client of the server was made.
    private struct Access: Equatable {
        let user: String?
        let source: String
        let settings: SyncSettings
    }

    private let context: SyncContext
    private let name: String
    private let memory = AccountMemory()
    private var server: (client: any TaskServer, access: Access)?
    /// The state of the file with the password when the server refused it.
    private var refusedFile: FileStamp?

    init(of name: String, _ context: SyncContext) {
        self.name = name
        self.context = context
    }

    /// Forgets the password, so that the next pass reads it again.
    func forgetPassword() { server = nil }

    /// Whether the file with the password has changed since the server refused it.
    func passwordHasChanged(_ account: SyncAccountSummary) -> Bool {
        guard let refusedFile, case .file(let path)? = PasswordSource(account.passwordSource) else {
            return false
        }
        return (try? FileStatus(of: path))?.stamp != refusedFile
    }

    /// Runs a pass, and returns its result.
    func run(
        sendsFirst: Bool, retriesRefused: Bool, _ settings: SyncSettings,
        report: @escaping (PassProgress) -> Void
    ) -> PassResult {
        var result = PassResult()
        do {
            let todod = context.todod()
            let found = try todod.call(ListSyncAccounts.self, Empty()).accounts
            guard let account = found.first(where: { $0.name == name }) else {
                throw PassFailure(.removed, "the account \(name) was removed")
            }
            let server = try server(of: account, settings)
            let pass = AccountPass(
                of: account, todod: todod, server: server, memory: memory, log: context.log,
                now: context.now, report: report)
            result = pass.run(sendsFirst: sendsFirst, retriesRefused: retriesRefused)
            if result.failure?.kind == .unauthorized {
                self.server = nil
                if case .file(let path)? = PasswordSource(account.passwordSource) {
                    refusedFile = (try? FileStatus(of: path))?.stamp
                }
            }
            if retriesRefused, result.failure == nil {
                result.differences = (try? differences(todod)) ?? []
            }
        } catch {
            let kind = error is TodoUnreachable ? PassFailure.Kind.noDaemon : .temporary
            let failure = error as? PassFailure ?? PassFailure(kind, "\(error)")
            result.failure = failure
            result.problems = [failure.description]
        }
        return result
    }

    /// Returns the reasons why both sides still differ after a pass.
    private func differences(_ todod: any TodoCalls) throws -> [String] {
        let account = try todod.call(ListSyncAccounts.self, Empty()).accounts.first { $0.name == name }
        return (account?.lists ?? []).filter { $0.problem == nil }.compactMap { list in
            if let reason = list.heldDeletions {
                return "\(list.name): deletions are held back: \(reason); see: todoctl sync status"
            }
            guard list.unsent > 0 else { return nil }
            let changes = list.unsent == 1 ? "1 change stays" : "\(list.unsent) changes stay"
            return list.readOnly == true
                ? "\(list.name): \(changes) here, because you may only read the list on the server"
                : "\(list.name): \(changes) here; for the reasons, see: todoctl sync status"
        }
    }

    private func server(of account: SyncAccountSummary, _ settings: SyncSettings) throws -> any TaskServer {
        let access = Access(user: account.user, source: account.passwordSource, settings: settings)
        if let server, server.access == access { return server.client }
        var password: String?
        if account.user != nil {
            guard let source = PasswordSource(account.passwordSource) else {
                throw PasswordError(
                    "'\(account.passwordSource)' is not the place of a password; add the account again")
            }
            password = try context.passwords.password(
                of: name, from: source, command: settings.passwordCommand)
        }
        let client = context.connector.server(
            user: account.user, password: password, caFile: settings.caFile)
        server = (client, access)
        return client
    }
}
