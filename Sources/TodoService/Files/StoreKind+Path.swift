package import ObjectStore

extension StoreKind {
    /// Returns the default path for a store of this kind.
    package func defaultPath(in directory: String) -> String {
        "\(directory)/todo.\(rawValue)"
    }
}
