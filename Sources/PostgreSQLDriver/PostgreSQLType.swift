/// A type of the parameters and columns that this driver uses. All of them are sent in PostgreSQL's binary format.
package enum PostgreSQLType: Hashable, Sendable {
    case boolean, integer, double, text, bytes, uuid, numeric
    /// An array of one dimension, which a statement expands with `unnest`.
    indirect case array(PostgreSQLType)

    /// The number of the type in `pg_type`, which is the same in every database.
    var oid: UInt32 {
        switch self {
        case .boolean: 16
        case .bytes: 17
        case .integer: 20
        case .text: 25
        case .double: 701
        case .numeric: 1700
        case .uuid: 2950
        case .array(.boolean): 1000
        case .array(.bytes): 1001
        case .array(.text): 1009
        case .array(.integer): 1016
        case .array(.double): 1022
        case .array(.numeric): 1231
        case .array(.uuid): 2951
        case .array(.array(let element)): PostgreSQLType.array(element).oid
        }
    }

    /// The name of the type in SQL.
    package var sqlName: String {
        switch self {
        case .boolean: "boolean"
        case .bytes: "bytea"
        case .integer: "bigint"
        case .text: "text"
        case .double: "double precision"
        case .numeric: "numeric"
        case .uuid: "uuid"
        case .array(let element): element.sqlName + "[]"
        }
    }
}
