extension FetchPredicate.Comparator {
    /// Creates the comparator for a token, or `nil` if the token is not a comparator.
    init?(_ token: PredicateToken.Kind) {
        switch token {
        case .symbol(.equal): self = .equal
        case .symbol(.notEqual): self = .notEqual
        case .symbol(.less): self = .less
        case .symbol(.lessOrEqual): self = .lessOrEqual
        case .symbol(.greater): self = .greater
        case .symbol(.greaterOrEqual): self = .greaterOrEqual
        case .keyword(.between): self = .between
        case .keyword(.in): self = .in
        case .keyword(.beginsWith): self = .beginsWith
        case .keyword(.contains): self = .contains
        case .keyword(.endsWith): self = .endsWith
        case .keyword(.like): self = .like
        case .keyword(.matches): self = .matches
        default: return nil
        }
    }

    /// The spelling in a printed predicate.
    package var spelling: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .between: "BETWEEN"
        case .in: "IN"
        case .beginsWith: "BEGINSWITH"
        case .contains: "CONTAINS"
        case .containsWords: "CONTAINS[search]"
        case .endsWith: "ENDSWITH"
        case .like: "LIKE"
        case .matches: "MATCHES"
        }
    }
}
