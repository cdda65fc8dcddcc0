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

    /// The keywords by their length, so that most words are told from them by a look at a few bytes.
    private static let byLength: [[(letters: [UInt8], keyword: PredicateKeyword)]] = {
        var table: [[(letters: [UInt8], keyword: PredicateKeyword)]] = []
        for keyword in allCases {
            let letters = Array(keyword.rawValue.utf8)
            while table.count <= letters.count { table.append([]) }
            table[letters.count].append((letters, keyword))
        }
        return table
    }()

    /// The keyword that these letters spell, if they do.
    init?(spelledBy letters: some Collection<UInt8>) {
        guard letters.count < Self.byLength.count else { return nil }
        let known = Self.byLength[letters.count].first { known in
            // Only letters have a keyword's letter left without the bit that tells small from capital.
            zip(letters, known.letters).allSatisfy { $0 & ~0x20 == $1 }
        }
        guard let known else { return nil }
        self = known.keyword
    }
}
