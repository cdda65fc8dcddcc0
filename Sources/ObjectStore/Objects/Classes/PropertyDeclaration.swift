internal import Platform
public import Synchronization

/// The number of classes whose declarations are being read, in all threads.
///
/// It is 0 except while a model is built. Each property wrapper of a new object reads it, so it is a number at a fixed
/// address and no more.
@usableFromInline
let classesBeingRead = Atomic<Int>(0)

/// Whether this thread is reading the declarations of a class, so that wrappers make them.
///
/// An object that another thread makes at the same time has none.
@inlinable
var areDeclarationsRead: Bool { classesBeingRead.load(ordering: .relaxed) != 0 && areDeclarationsReadHere }

@usableFromInline
var areDeclarationsReadHere: Bool { DeclarationReader.current != nil }

/// The declaration of a property in a class: its rules, its default and its inverse.
///
/// A property wrapper makes it while the declarations of its class are read, and not in ordinary objects. It does not
/// change after that.
// Unchecked: only the thread that reads the class gives it its name.
@usableFromInline
final class PropertyDeclaration: @unchecked Sendable {
    /// The inverse of a relationship.
    enum Inverse {
        /// A relationship of the destination, given by its key path.
        case key(AnyKeyPath)
        /// A relationship of the destination, given by its name.
        case name(String)
    }

    enum Content {
        /// An attribute, without its name.
        case attribute(AttributeDescription)
        /// A composite attribute, without its name, and the first mistake in its type with the part that it concerns.
        case composite(AttributeDescription, problem: String?, part: String?)
        case relationship(
            inverse: Inverse?, deleteRule: DeleteRule, isOptional: Bool, renamedFrom: String?,
            orderedBy: AnyKeyPath?)
    }

    /// The name of the property. It is empty until the class has been reflected, unless the wrapper names it.
    private(set) var name: String
    let content: Content

    init(_ name: StaticString?, _ content: Content) {
        self.name = name?.description ?? ""
        self.content = content
    }

    /// Gives the property the name of the variable that stores its wrapper, unless the wrapper names it.
    func setName(ofVariable label: String?) {
        // The compiler stores the wrapper of `title` in `_title`.
        if name.isEmpty { name = String(label?.dropFirst() ?? "") }
    }
}

/// A reference from a property wrapper to its declaration. In ordinary objects, it refers to none.
///
/// Every object has one for each of its properties. It is half a word, so that many objects fit into the smallest blocks
/// of memory, which are the fastest to allocate and to free.
@usableFromInline
struct DeclarationReference {
    /// The declarations of all classes. A program has a fixed number of them.
    private static let all = Locked<[PropertyDeclaration]>([])

    /// The position of the declaration among all, counted from 1, or 0 for none.
    @usableFromInline let number: UInt32

    @inlinable
    init(number: UInt32) {
        self.number = number
    }

    /// Adds a declaration, which stays in memory, and refers to it.
    init(_ declaration: PropertyDeclaration) {
        number = Self.all.withLock { all in
            all.append(declaration)
            return UInt32(all.count)
        }
    }

    @inlinable
    static var none: DeclarationReference { DeclarationReference(number: 0) }

    var declaration: PropertyDeclaration? {
        number == 0 ? nil : Self.all.withLock { [number] in $0[Int(number) - 1] }
    }
}

/// The property wrappers of one class that is being read.
// Unchecked: only the thread that reads the class uses it.
final class DeclarationReader: @unchecked Sendable {
    /// The reader of this thread, or `nil` if it is not reading a class.
    @TaskLocal fileprivate static var current: DeclarationReader?

    /// The declarations that the class and its superclasses have made.
    private(set) var declarations: [PropertyDeclaration] = []

    /// Makes an object of a class with the declarations of its properties.
    func prototype(of objectClass: ManagedObject.Type) -> ManagedObject {
        classesBeingRead.add(1, ordering: .relaxed)
        defer { classesBeingRead.subtract(1, ordering: .relaxed) }
        return Self.$current.withValue(self) {
            objectClass.init(
                ObjectPlacement(withoutValues: objectClass, id: 0, recorder: KeyRecorder(hasEnded: true)))
        }
    }

    /// Adds a declaration to the class that this thread is reading.
    static func add(_ declaration: PropertyDeclaration) -> DeclarationReference {
        current?.declarations.append(declaration)
        return DeclarationReference(declaration)
    }
}

extension PropertyDeclaration {
    @usableFromInline
    static func relationship(
        _ name: StaticString?, inverse: StaticString?, deleteRule: DeleteRule, isOptional: Bool,
        renamedFrom: StaticString?
    ) -> DeclarationReference {
        relationship(
            name, inverse.map { .name($0.description) }, deleteRule, isOptional: isOptional,
            renamedFrom: renamedFrom)
    }

    @usableFromInline
    static func relationship(
        _ name: StaticString?, inverse: AnyKeyPath?, deleteRule: DeleteRule, isOptional: Bool,
        renamedFrom: StaticString?, orderedBy: AnyKeyPath? = nil
    ) -> DeclarationReference {
        relationship(
            name, inverse.map { .key($0) }, deleteRule, isOptional: isOptional, renamedFrom: renamedFrom,
            orderedBy: orderedBy)
    }

    private static func relationship(
        _ name: StaticString?, _ inverse: Inverse?, _ deleteRule: DeleteRule, isOptional: Bool,
        renamedFrom: StaticString?, orderedBy: AnyKeyPath? = nil
    ) -> DeclarationReference {
        DeclarationReader.add(
            PropertyDeclaration(
                name,
                .relationship(
                    inverse: inverse, deleteRule: deleteRule, isOptional: isOptional,
                    renamedFrom: renamedFrom?.description, orderedBy: orderedBy)))
    }
}
