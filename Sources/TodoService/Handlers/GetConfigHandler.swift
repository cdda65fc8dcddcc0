internal import TodoAPI

struct GetConfigHandler: Handler {
    let configuration: ConfigurationMonitor

    func handle(_ parameters: Empty, _ answer: Answer<GetConfig>) {
        var reply = GetConfig.Reply()
        reply.settings = configuration.states
        reply.wrongLines = configuration.current.problems.map(WrongLine.init)
        reply.isChanged = !configuration.check().isEquivalent(to: configuration.current)
        let waiting = configuration.settingsAwaitingRestart(in: configuration.current)
        reply.settingsAwaitingRestart = waiting.isEmpty ? nil : waiting
        let held = configuration.settingsAwaitingCorrection(in: configuration.current)
        reply.settingsAwaitingCorrection = held.isEmpty ? nil : held
        answer.reply(reply)
    }
}
