extension FileStore {
    /// Which of several models fits the XML document at `path` that another program wrote.
    ///
    /// The names in it decide, ignoring case; exactly one model has to fit, or it is an error that says why the
    /// others do not.
    ///
    /// - Returns: nil when the document is one of ours, whose version hash tells the model.
    public static func fittingModel(
        forForeignXML path: String, among models: [ManagedObjectModel]
    ) throws -> ManagedObjectModel? {
        try XMLProlog.check(path)
        let information = try XMLDocumentReader(path).information()
        guard information.properties[XMLFormat.propertyKey] == nil else { return nil }
        let shape = try XMLShape(path)
        let fitting = models.filter { shape.misfit($0) == nil }
        if let model = fitting.first, fitting.count == 1 { return model }
        let names = fitting.map { $0.versionIdentifiers.joined(separator: "+") }
        let reasons = models.map { model in
            let name = model.versionIdentifiers.joined(separator: "+")
            return "model \(name): \(shape.misfit(model) ?? "fits")"
        }
        throw StoreError(
            .modelMismatch,
            fitting.isEmpty
                ? "the document was written by another program and fits no model; \(reasons.joined(separator: "; "))"
                : "the document was written by another program and fits the models \(names.joined(separator: ", ")); "
                    + "open it with one of them",
            path: path)
    }
}
