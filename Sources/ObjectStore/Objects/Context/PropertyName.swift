/// The name in a property wrapper. It is stored as the address of its text, so it takes one word in every object.
@usableFromInline
struct PropertyName {
    private let start: UnsafePointer<UInt8>

    @usableFromInline
    init(_ name: StaticString) {
        precondition(name.hasPointerRepresentation, "a property has to be named by a string")
        start = name.utf8Start
    }

    var text: String {
        String(cString: start)
    }
}
