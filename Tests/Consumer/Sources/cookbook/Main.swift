import ObjectStore
import ObjectStoreXML
import Recipes

/// A cookbook in the terminal.
///
///     cookbook PATH add TITLE MINUTES [INGREDIENT…]
///     cookbook PATH list
@main
struct Main {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { return print("usage: cookbook PATH add TITLE MINUTES … | list") }
        let isDocument = arguments[0].hasSuffix(".xml")
        let book = try Cookbook(isDocument ? .xml(path: arguments[0]) : .sqlite(path: arguments[0]))
        if arguments[1] == "add", arguments.count >= 4, let minutes = Int(arguments[3]) {
            try await book.add(
                .init(arguments[2], minutes: minutes, ingredients: Array(arguments.dropFirst(4))))
        }
        for entry in try await book.entries() { print("\(entry.minutes) min  \(entry.title)") }
        await book.close()
    }
}
