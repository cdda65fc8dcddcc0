extension FetchPredicate: CustomStringConvertible {
    /// The predicate as a format. Parsing it gives an equal predicate. Arguments and bound variables become constants.
    public var format: String {
        var printer = PredicatePrinter()
        printer.print(root)
        return printer.text
    }

    public var description: String { format }
}
