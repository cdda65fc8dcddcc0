internal import TodoAPI

struct CheckConfigHandler: Handler {
    let host: any ServiceHost

    func handle(_ parameters: Empty, _ answer: Answer<CheckConfig>) {
        answer.reply(host.checkConfiguration())
    }
}
