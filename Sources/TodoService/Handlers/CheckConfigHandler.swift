internal import TodoAPI

struct CheckConfigHandler: Handler {
    let configuration: ConfigurationMonitor

    func handle(_ parameters: Empty, _ answer: Answer<CheckConfig>) {
        let found = configuration.check()
        var reply = CheckConfig.Reply()
        reply.wrongLines = found.problems.map(WrongLine.init)
        reply.changes = configuration.changes(in: found) + configuration.settingsAwaitingRestart(in: found)
        answer.reply(reply)
    }
}
