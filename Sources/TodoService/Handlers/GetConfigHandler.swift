internal import TodoAPI

struct GetConfigHandler: Handler {
    let host: any ServiceHost

    func handle(_ parameters: Empty, _ answer: Answer<GetConfig>) {
        answer.reply(host.configuration)
    }
}
