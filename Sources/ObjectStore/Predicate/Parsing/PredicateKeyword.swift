/// A reserved word of the language, in upper or lower case. `#word` is a key with this name.
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

    /// The keywords by length. Most other words can be excluded by comparing a few bytes.
    private static let byLength: [[(letters: [UInt8], keyword: PredicateKeyword)]] = {
        var table: [[(letters: [UInt8], keyword: PredicateKeyword)]] = []
        for keyword in allCases {
            let letters = Array(keyword.rawValue.utf8)
            while table.count <= letters.count { table.append([]) }
            table[letters.count].append((letters, keyword))
        }
        return table
    }()

    /// Creates the keyword with these letters, or `nil` if there is none.
    init?(spelledBy letters: some Collection<UInt8>) {
        guard letters.count < Self.byLength.count else { return nil }
        let known = Self.byLength[letters.count].first { known in
            // Clearing the bit for lower case turns only a letter into a letter of a keyword.
            zip(letters, known.letters).allSatisfy { $0 & ~0x20 == $1 }
        }
        guard let known else { return nil }
        self = known.keyword
    }
}
