extension FetchPredicate: CustomStringConvertible {
    /// The predicate as a format, which reads back as an equal predicate. Arguments and bound variables
    /// are written out as constants.
    public var format: String {
        var printer = PredicatePrinter()
        printer.print(root)
        return printer.text
    }

    public var description: String { format }
}
