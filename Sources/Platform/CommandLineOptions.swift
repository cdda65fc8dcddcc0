/// Reads the options of a command line from left to right. `--name=VALUE` and `--name VALUE` mean the same.
package struct CommandLineOptions {
    /// A usage error, for standard error.
    package struct UsageError: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private var rest: ArraySlice<String>
    private var option = ""
    private var inlineValue: String?

    package init(_ arguments: [String]) { rest = arguments[...] }

    /// Returns the next option without its value, or `nil` after the last one.
    ///
    /// - Throws: a usage error if the option before it does not take the value that it has.
    package mutating func next() throws(UsageError) -> String? {
        if inlineValue != nil { throw UsageError(description: "\(option) takes no value") }
        guard let argument = rest.popFirst() else { return nil }
        guard argument.hasPrefix("--"), let separator = argument.firstIndex(of: "=") else {
            option = argument
            return option
        }
        option = String(argument[..<separator])
        inlineValue = String(argument[argument.index(after: separator)...])
        return option
    }

    /// Returns the value of the last option.
    package mutating func value() throws(UsageError) -> String {
        defer { inlineValue = nil }
        if let value = inlineValue ?? rest.popFirst(), !value.isEmpty { return value }
        throw UsageError(description: "\(option) needs a value")
    }

    /// Returns the error for an option that the program does not have.
    package static func unknown(_ option: String) -> UsageError {
        UsageError(
            description: option.hasPrefix("-")
                ? "there is no option '\(option)'" : "'\(option)' is not an option")
    }
}
