public import ObjectStore

/// The documents of Core Data's XML stores.
public enum XMLDocument {
    /// Returns the model that fits the XML document at `path`, if another program wrote it.
    ///
    /// The names in the document decide, ignoring case.
    ///
    /// - Returns: the model, or `nil` if this library wrote the document. The version hash in it then
    ///   identifies the model.
    /// - Throws: a `StoreError` unless exactly one model fits. If no model fits, the message says why for each of them.
    public static func fittingModel(
        forForeign path: String, among models: [ManagedObjectModel]
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
