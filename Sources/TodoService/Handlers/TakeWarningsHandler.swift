internal import TodoAPI

struct TakeWarningsHandler: Handler {
    let host: any ServiceHost

    func handle(_ parameters: Empty, _ answer: Answer<TakeWarnings>) {
        answer.reply(.init(warnings: host.takeWarnings()))
    }
}
