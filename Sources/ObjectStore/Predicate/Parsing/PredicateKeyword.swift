/// A word that the language keeps for itself, in any mixture of cases; `#word` is a key all the same.
enum PredicateKeyword: String, CaseIterable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case any = "ANY"
    case some = "SOME"
    case all = "ALL"
    case none = "NONE"
    case between = "BETWEEN"
    case `in` = "IN"
    case beginsWith = "BEGINSWITH"
    case contains = "CONTAINS"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
    case null = "NULL"
    case `nil` = "NIL"
    case yes = "YES"
    case no = "NO"
    case `true` = "TRUE"
    case `false` = "FALSE"
    case itself = "SELF"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case subquery = "SUBQUERY"
    case cast = "CAST"
    case ternary = "TERNARY"

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    private static let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0

    /// The keyword that these letters spell, if they do.
    init?(spelledBy letters: some Collection<UInt8>) {
        guard letters.count <= Self.longest else { return nil }
        let upper = String(decoding: letters.map { $0 & ~0x20 }, as: UTF8.self)
        guard let keyword = Self.byName[upper] else { return nil }
        self = keyword
    }
}
