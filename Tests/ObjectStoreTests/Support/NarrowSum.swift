import ObjectStore

/// A model with a derived sum that can be out of range: the `sum` of an `A` has 16 bits, and the `n` of each `B` in its
/// `parts` has 64.
enum NarrowSum {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "A", attributes: [.integer16("sum").derived(from: "parts.@sum.n")],
                relationships: [.toMany("parts", destination: "B", inverse: "whole")]),
            EntityDescription(
                "B", attributes: [.integer64("n")],
                relationships: [.toOne("whole", destination: "A", inverse: "parts")]),
        ])
    }
}
