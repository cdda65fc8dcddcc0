internal import TodoAPI

struct CheckConfigHandler: Handler {
    let configuration: ConfigurationMonitor

    func handle(_ parameters: Empty, _ answer: Answer<CheckConfig>) {
        let found = configuration.check()
        let present = Set(configuration.current.states.map { [$0.section, $0.name, $0.value] })
        var reply = CheckConfig.Reply()
        reply.wrongLines = found.problems.map(WrongLine.init)
        reply.changes = found.states.filter { !present.contains([$0.section, $0.name, $0.value]) }
        answer.reply(reply)
    }
}
