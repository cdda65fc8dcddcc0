internal import ConfigurationFiles
internal import Dispatch
internal import Phrases
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// Answers the calls of the interface `dev.todod.Sync`. It belongs to the queue of the context.
final class SyncRouter {
    private let context: SyncContext
    private let accounts: AccountSet
    /// The queue for calls that block.
    private let blocking = DispatchQueue(label: "todod-sync.calls")
    private let directory: ServiceDirectory
    var settings: SyncSettings

    init(_ context: SyncContext, _ accounts: AccountSet, _ settings: SyncSettings) {
        self.context = context
        self.accounts = accounts
        self.settings = settings
        directory = ServiceDirectory(
            vendor: "todod", product: "todod-sync", version: tododVersion, url: "",
            interfaces: [(SyncInterface.name, SyncInterface.description)])
    }

    func handle(_ responder: Responder) {
        let call = responder.call
        if call.interface == ServiceInterface.name { return directory.answer(responder) }
        switch call.method {
        case FindLists.qualifiedName: answer(FindLists.self, responder, findLists)
        case AddAccount.qualifiedName: answer(AddAccount.self, responder, addAccount)
        case RemoveAccount.qualifiedName: answer(RemoveAccount.self, responder, removeAccount)
        case SyncNow.qualifiedName: answer(SyncNow.self, responder, syncNow)
        case GetSyncState.qualifiedName:
            answer(GetSyncState.self, responder) { [accounts] _, answer in
                var reply = GetSyncState.Reply()
                reply.accounts = accounts.states
                answer.reply(reply)
            }
        default:
            let interface = call.interface ?? call.method
            CallAnswer<GetSyncState>(to: responder, on: context.queue).fail(
                directory.has(interface: interface)
                    ? APIError.methodNotFound(call.method) : APIError.interfaceNotFound(interface))
        }
    }

    private func answer<M: Method>(
        _ method: M.Type, _ responder: Responder, _ body: (M.Parameters, CallAnswer<M>) -> Void
    ) {
        let answer = CallAnswer<M>(to: responder, on: context.queue)
        do throws(FieldError) {
            body(try FieldReader.read(M.Parameters.self, from: responder.call.parameters), answer)
        } catch {
            answer.fail(error)
        }
    }

    private var calls: AccountCalls { AccountCalls(context: context, settings: settings) }

    private func findLists(_ parameters: FindLists.Parameters, _ answer: CallAnswer<FindLists>) {
        answer.reply(from: blocking) { [calls] in try calls.findLists(parameters) }
    }

    private func addAccount(_ parameters: AddAccount.Parameters, _ answer: CallAnswer<AddAccount>) {
        answer.reply(from: blocking) { [calls] in
            try calls.add(parameters)
        } then: { [accounts] reply in
            let isKnown = accounts.has(reply.account.name)
            accounts.refresh { _ in
                // A new account starts by itself.
                if isKnown { accounts.startAgain(reply.account.name) }
            }
        }
    }

    private func removeAccount(_ parameters: RemoveAccount.Parameters, _ answer: CallAnswer<RemoveAccount>) {
        answer.reply(from: blocking) { [calls] in
            try calls.remove(parameters)
        } then: { [accounts] _ in
            accounts.refresh { _ in }
        }
    }

    private func syncNow(_ parameters: SyncNow.Parameters, _ answer: CallAnswer<SyncNow>) {
        accounts.refresh { [accounts] result in
            do {
                let known = try result.get().map(\.name)
                let names = try Self.choose(parameters.account, among: known)
                accounts.synchronize(names) { progress in
                    if answer.wantsMore { answer.reply(Self.reply(progress), continues: true) }
                } end: { results in
                    var reply = SyncNow.Reply()
                    reply.account = parameters.account
                    reply.received = Int64(results.reduce(0) { $0 + $1.received })
                    reply.sent = Int64(results.reduce(0) { $0 + $1.sent })
                    reply.problems = results.flatMap { $0.problems + $0.differences }
                    answer.reply(reply)
                }
            } catch {
                answer.fail(error)
            }
        }
    }

    private static func choose(_ name: String?, among known: [String]) throws(APIError) -> [String] {
        guard let name else { return known }
        if known.contains(name) { return [name] }
        let similar = EditDistance.nearest(to: name, among: known).map { [$0] } ?? []
        throw .syncAccountNotFound(name: name, similar: similar)
    }

    private static func reply(_ progress: PassProgress) -> SyncNow.Reply {
        var reply = SyncNow.Reply()
        reply.account = progress.account
        reply.list = progress.list
        reply.received = Int64(progress.received)
        reply.sent = Int64(progress.sent)
        return reply
    }
}
