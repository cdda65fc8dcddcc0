package import ObjectStore
internal import ObjectStoreXML

extension StoreKind {
    /// The kinds of store that the configuration can select.
    package static let selectable: [StoreKind] = [.sqlite, .xml, .binary]

    /// Returns the kind with a name of the configuration, or `nil` if there is none.
    package static func selectable(named name: String) -> StoreKind? {
        selectable.first { $0.name == name }
    }

    /// Returns the default path for a store of this kind.
    package func defaultPath(in directory: String) -> String {
        "\(directory)/todo.\(name)"
    }
}
