import CivilTime
import ObjectStore
import Testing

@Suite struct PredicateParserTests {
    /// A format, and the one spelling in which the predicate is printed.
    static let spellings: [(format: String, printed: String)] = [
        ("a = 1", "a == 1"), ("a == 1", "a == 1"), ("a != 1", "a != 1"), ("a <> 1", "a != 1"),
        ("a < 1", "a < 1"), ("a <= 1", "a <= 1"), ("a =< 1", "a <= 1"), ("a > 1", "a > 1"),
        ("a >= 1", "a >= 1"), ("a => 1", "a >= 1"), ("a=1", "a == 1"), ("a>=-1", "a >= -1"),
        ("a between {1, 2}", "a BETWEEN {1, 2}"), ("a IN {}", "a IN {}"),
        ("name beginswith 'x'", "name BEGINSWITH \"x\""),
        ("name CONTAINS[cd] 'x'", "name CONTAINS[cd] \"x\""),
        ("name Contains [Search] 'x'", "name CONTAINS[search] \"x\""),
        ("name EndsWith [c] 'x'", "name ENDSWITH[c] \"x\""), ("name LIKE[d] 'x*'", "name LIKE[d] \"x*\""),
        ("name MATCHES 'a\\d+'", "name MATCHES \"a\\\\d+\""), ("name ==[dc] 'x'", "name ==[cd] \"x\""),
        ("name ==[n] 'x'", "name == \"x\""), ("name <[cn] 'x'", "name < \"x\""),
        ("name <[l] 'x'", "name < \"x\""),
        ("a == 1 && b == 2", "a == 1 AND b == 2"), ("a == 1 || b == 2", "a == 1 OR b == 2"),
        ("NOT a == 1 AND b == 2", "NOT a == 1 AND b == 2"),
        ("!(a == 1 and b == 2)", "NOT (a == 1 AND b == 2)"),
        ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
        ("(a == 1 OR b == 2) AND c == 3", "(a == 1 OR b == 2) AND c == 3"),
        ("((((a == 1))))", "a == 1"), ("not not a == 1", "NOT NOT a == 1"),
        ("ANY x.y == 1", "ANY x.y == 1"), ("some x.y == 1", "ANY x.y == 1"), ("ALL x.y == 1", "ALL x.y == 1"),
        ("NONE x.y == 1", "NONE x.y == 1"), ("SELF == $x", "SELF == $x"),
        ("self.name == 'x'", "name == \"x\""),
        ("$x.name == 'a'", "$x.name == \"a\""), ("category.name == nil", "category.name == nil"),
        ("cast.name == 1", "#cast.name == 1"), ("ANY Cast == 1", "ANY #Cast == 1"),
        ("ternary == subquery", "#ternary == #subquery"), ("cast.@count > 0", "#cast.@count > 0"),
        ("CAST (1, 'NSString') == cast", "\"1\" == #cast"),
        ("x.@count > 0", "x.@count > 0"), ("x.@sum.y > 0", "x.@sum.y > 0"), ("x.y.@avg > 0", "x.@avg.y > 0"),
        ("@max.x.y > 0", "x.@max.y > 0"), ("x[SIZE] == 1", "x.@count == 1"),
        ("count(x) == 1", "x.@count == 1"),
        ("average(x.y) == 1", "x.@avg.y == 1"), ("min:(x.y) == 1", "x.@min.y == 1"),
        ("ANY x.@distinctUnionOfObjects.y == 1", "ANY x.y == 1"),
        ("x.@distinctUnionOfObjects.y.@count == 1", "x.@distinctUnionOfObjects.y.@count == 1"),
        (
            "SUBQUERY(x, $e, $e.y == 1 AND $e.z == 2).@count > 0",
            "SUBQUERY(x, $e, $e.y == 1 AND $e.z == 2).@count > 0"
        ),
        ("SUBQUERY(x, $e, $e.y == 1).@max.z > 0", "SUBQUERY(x, $e, $e.y == 1).@max.z > 0"),
        (
            "ANY SUBQUERY(x, $e, SUBQUERY($e.z, $f, $f == $e).@count > 1).y == 3",
            "ANY SUBQUERY(x, $e, SUBQUERY($e.z, $f, $f == $e).@count > 1).y == 3"
        ),
        ("a + b * c - d == 1", "a + b * c - d == 1"), ("(a + b) * c == 1", "(a + b) * c == 1"),
        ("a - (b - c) == 1", "a - (b - c) == 1"), ("a / (b * c) == 1", "a / (b * c) == 1"),
        ("a ** b ** c == 1", "a ** b ** c == 1"), ("(a ** b) ** c == 1", "(a ** b) ** c == 1"),
        ("-a ** 2 == 1", "-a ** 2 == 1"), ("(-a) ** 2 == 1", "(-a) ** 2 == 1"),
        ("-2 ** 2 == 1", "-2 ** 2 == 1"),
        ("(-2) ** 2 == 1", "(-2) ** 2 == 1"), ("a ** -2 == 1", "a ** -2 == 1"), ("-(2) == a", "-(2) == a"),
        ("- -2 == a", "--2 == a"), ("a-1 == 2", "a - 1 == 2"), ("a %% 2 == 1", "modulus:by:(a, 2) == 1"),
        ("a & 1 == 1", "bitwiseAnd:with:(a, 1) == 1"),
        ("a | b ^ c & d == 1", "bitwiseOr:with:(a, bitwiseXor:with:(b, bitwiseAnd:with:(c, d))) == 1"),
        ("a << 1 + b >> 2 == 1", "rightshift:by:(leftshift:by:(a, 1 + b), 2) == 1"),
        ("~a == 1", "onesComplement(a) == 1"), ("~5 == a", "onesComplement(5) == a"),
        ("a == '\\101\\X41\\x42\\U0043'", "a == \"AABC\""), ("a == '\\U0001F600'", "a == \"\u{1F600}\""),
        ("a == '\\U00420043'", "a == \"B0043\""),
        ("a == '\\0\\1\\12\\18\\777'", #"a == "\\0\\1\\12\\18\\777""#),
        ("a == CAST((1), 'NSString')", "a == CAST((1), \"NSString\")"),
        ("a == CAST((1 + 2) * b, 'NSString')", "a == CAST((1 + 2) * b, \"NSString\")"),
        ("(a) > 1", "a > 1"), ("(a + 1) > (1)", "a + 1 > 1"),
        ("a == 0x1F", "a == 31"), ("a == 0o17", "a == 15"), ("a == 0B101", "a == 5"), ("a == 007", "a == 7"),
        ("a == 1.5", "a == 1.5"), ("a == .5", "a == 0.5"), ("a == 1e3", "a == 1000.0"),
        ("a == 1.5E-3", "a == 0.0015"),
        ("a == 9223372036854775807", "a == 9223372036854775807"),
        ("a == -9223372036854775808", "a == -9223372036854775808"), ("a == 1e999", "a == 1e999"),
        ("a == \"it's\"", "a == \"it's\""), ("a == 'say \"x\"'", "a == \"say \\\"x\\\"\""),
        ("a == 'it\\'s'", "a == \"it's\""), ("a == '\\n\\t\\r\\\\'", "a == \"\\n\\t\\r\\\\\""),
        ("a == '\\u00e9\\x41\\U0001F600'", "a == \"\u{E9}A\u{1F600}\""),
        ("a == '\\uD83D\\uDE00'", "a == \"\u{1F600}\""),
        ("a == '\\u0000'", "a == \"\\x00\""), ("a == '100%@ %% $x'", "a == \"100%@ %% $x\""),
        ("a == YES", "a == YES"), ("a == true", "a == YES"), ("a == No", "a == NO"),
        ("a == FALSE", "a == NO"),
        ("a == nil", "a == nil"), ("a != NULL", "a != nil"), ("TRUEPREDICATE", "TRUEPREDICATE"),
        ("falsepredicate or a == 1", "FALSEPREDICATE OR a == 1"), ("#in == #select", "#in == select"),
        ("a.#any.b == 1", "a.#any.b == 1"), ("a.any == 1", "a.#any == 1"), ("size == first", "size == first"),
        ("naïve == 'ï'", "naïve == \"ï\""), ("a\u{A0}==\n1", "a == 1"),
        ("CAST(0, 'NSDate') == a", "CAST(\"2001-01-01T00:00:00Z\", \"NSDate\") == a"),
        (
            "a < CAST('2026-11-20T18:42:29.25+01:00', 'NSDate')",
            "a < CAST(\"2026-11-20T17:42:29.25Z\", \"NSDate\")"
        ),
        ("a == CAST('+01.50', 'NSDecimalNumber')", "a == CAST(\"1.5\", \"NSDecimalNumber\")"),
        (
            "a == CAST('e621e1f8-c36c-495a-93fc-0c247a3e6e5f', 'NSUUID')",
            "a == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")"
        ),
        ("a == CAST('00ff', 'NSData')", "a == CAST(\"00FF\", \"NSData\")"),
        ("CAST(a, 'NSNumber') > 1", "CAST(a, \"NSNumber\") > 1"),
        ("uppercase(name) == 'X'", "uppercase(name) == \"X\""),
        ("modulus:by:(a, 2) == 1", "modulus:by:(a, 2) == 1"),
        ("LENGTH(name) > 3", "length(name) > 3"), ("a > now()", "a > now()"), ("abs:(a) > 1", "abs(a) > 1"),
        ("TERNARY(a == 1, b, c) > 1", "TERNARY(a == 1, b, c) > 1"), ("1 < a", "1 < a"),
    ]

    /// P2: The spellings include the escapes `'\101'`, `'\X41'` and `'\U0042'`.
    @Test(arguments: spellings)
    func formatIsReadInEverySpelling(_ spelling: (format: String, printed: String)) throws {
        #expect(try FetchPredicate(spelling.format).format == spelling.printed)
    }

    @Test(arguments: spellings)
    func printedFormatReadsBackAsEqual(_ spelling: (format: String, printed: String)) throws {
        let predicate = try FetchPredicate(spelling.format)
        #expect(try FetchPredicate(predicate.format) == predicate)
    }

    /// A format, the offset of its error, and the text that the message names.
    static let mistakes: [(format: String, offset: Int, found: String)] = [
        ("", 0, "end of the format"), ("   ", 3, "end of the format"), ("a", 1, "end of the format"),
        ("a ==", 4, "end of the format"), ("== 1", 0, "\"==\""), ("a == 1 AND", 10, "end of the format"),
        ("(a == 1", 7, "end of the format"), ("a == 1)", 6, "\")\""), ("a == 1 b", 7, "\"b\""),
        ("a == 'x", 5, "without a closing quote"), ("a == \"x'", 5, "without a closing quote"),
        ("a == 'x\\'", 5, "without a closing quote"),
        ("a == \u{201C}x\u{201D}", 5, "typographic"), ("a & ", 4, "end of the format"),
        ("a ? b", 2, "U+003F"),
        ("completed AND b == 1", 10, "\"AND\""), ("a IS NULL", 2, "\"IS\""), ("a NOT IN {1}", 2, "\"NOT\""),
        ("a == b == c", 7, "\"==\""), ("(a == 1) == 2", 3, "condition"), ("a == (b == 1)", 8, "condition"),
        ("a + (b == 1) == 2", 7, "condition"), ("ANY a", 5, "end of the format"), ("a IN (1, 2)", 7, "\",\""),
        ("a IN {1, 2", 10, "end of the format"), ("a IN {1,}", 8, "\"}\""), ("a ==[x] 1", 5, "\"x\""),
        ("a ==[] 1", 5, "\"]\""),
        ("a == 12abc", 5, "\"12abc\""), ("a == 0x", 5, "\"0x\""), ("a == 0b12", 5, "\"0b12\""),
        ("a == 99999999999999999999", 5, "9999"), ("a == 9223372036854775808", 5, "9223372036854775808"),
        ("a. == 1", 3, "\"==\""), ("a.@foo == 1", 2, "\"@foo\""), ("a.@count.b == 1", 9, "\"b\""),
        ("a.@sum.@avg.b == 1", 7, "\"@avg\""), ("a[x] == 1", 2, "\"x\""),
        ("$ == 1", 0, "$ without a name"), ("# == 1", 0, "# without a name"), ("in == 1", 0, "\"in\""),
        ("foo(a) == 1", 0, "unknown function foo"), ("abs(a, b) == 1", 0, "abs with 2"),
        ("add:to:(1) == 1", 0, "with 1"),
        ("CAST(a, 'NSFoo') == 1", 8, "'NSFoo'"), ("CAST('x', 'NSDate') == 1", 5, "cannot be cast"),
        ("CAST('2026-02-29T00:00:00Z', 'NSDate') == a", 5, "cannot be cast"),
        ("SUBQUERY(a, x, $x.b == 1).@count > 0", 12, "\"x\""),
        ("SUBQUERY(a, $x, $x.b).@count > 0", 20, "\")\""),
        ("a == '\\u12'", 6, "hexadecimal"), ("a == '\\uD800'", 6, "not a character"), ("a == 5 %", 7, "%"),
        ("a == %y", 5, "%y"), ("a == @", 5, "@ without a name"),
    ]

    @Test(arguments: mistakes)
    func errorReportsOffset(_ mistake: (format: String, offset: Int, found: String)) throws {
        let error = try #require(throws: FetchPredicateError.self) { try FetchPredicate(mistake.format) }
        #expect(error.offset == mistake.offset)
        #expect(error.found.contains(mistake.found), "\(error)")
        #expect(!error.expected.isEmpty)
    }

    @Test(arguments: [
        ("a IN (1, 2)", "a list is written in braces: {1, 2}"),
        ("a IN [1, 2]", "a list is written in braces: {1, 2}"),
        ("any == 1", "any is a reserved word; a key of that name is #any"),
        ("in == 1", "in is a reserved word; a key of that name is #in"),
    ])
    func errorSuggestsSpelling(format: String, hint: String) throws {
        let error = try #require(throws: FetchPredicateError.self) { try FetchPredicate(format) }
        #expect(error.hint == hint)
    }

    @Test func errorSuggestsComparison() throws {
        let error = try #require(throws: FetchPredicateError.self) {
            try FetchPredicate("completed AND a == 1")
        }
        #expect(
            error.description
                == "found \"AND\"; a boolean key is compared too: completed == YES (at offset 10, expected an operator)"
        )
    }

    @Test(arguments: PredicateKeywordSamples.words)
    func keywordsAreReadInAnyCase(_ word: String) throws {
        let mixed = String(
            word.enumerated().map { $0.offset % 2 == 0 ? Character($0.element.lowercased()) : $0.element })
        let format = { (keyword: String) in PredicateKeywordSamples.format(with: keyword) }
        #expect(try FetchPredicate(format(word)) == FetchPredicate(format(word.lowercased())))
        #expect(try FetchPredicate(format(word)) == FetchPredicate(format(mixed)))
    }
}

/// Each keyword in a format that allows it.
enum PredicateKeywordSamples {
    static let words = [
        "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "BETWEEN", "IN", "BEGINSWITH", "CONTAINS",
        "ENDSWITH",
        "LIKE", "MATCHES", "NULL", "NIL", "YES", "NO", "TRUE", "FALSE", "SELF", "TRUEPREDICATE",
        "FALSEPREDICATE",
        "SUBQUERY", "CAST", "TERNARY",
    ]

    static func format(with keyword: String) -> String {
        switch keyword.uppercased() {
        case "AND", "OR": "a == 1 \(keyword) b == 2"
        case "NOT", "ANY", "SOME", "ALL", "NONE": "\(keyword) a.b == 1"
        case "TRUEPREDICATE", "FALSEPREDICATE": keyword
        case "SUBQUERY": "\(keyword)(a, $x, $x == 1).@count > 0"
        case "CAST": "\(keyword)(a, 'NSDate') > b"
        case "TERNARY": "\(keyword)(a == 1, b, c) > d"
        case "NULL", "NIL", "YES", "NO", "TRUE", "FALSE", "SELF": "a == \(keyword)"
        default: "a \(keyword) {b, c}"
        }
    }
}
