@testable import ObjectStore

// In a file of its own: where the internal members of ManagedObject are visible, no class can have a property `home`.
extension AttributeDescription {
    /// Returns the attribute without a name that the part may have had in the previous model version.
    func withoutFormerName(_ name: String) -> AttributeDescription {
        var attribute = self
        attribute.part?.formerNames.removeAll { $0 == name }
        return attribute
    }
}
