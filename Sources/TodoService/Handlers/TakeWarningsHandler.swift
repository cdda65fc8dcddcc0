internal import TodoAPI

struct TakeWarningsHandler: Handler {
    let configuration: ConfigurationMonitor

    func handle(_ parameters: Empty, _ answer: Answer<TakeWarnings>) {
        answer.reply(.init(warnings: configuration.takeWarnings()))
    }
}
