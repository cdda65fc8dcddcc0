internal import CivilTime
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

/// Replaces typed rules, lead times and durations in a predicate with stored values.
///
/// Examples are `every == "every day"`, `ANY leads == "1h"` and `estimate <= "30m"`.
struct TypedRules {
    private typealias Problem = FetchPredicateError
    typealias Expression = FetchPredicate.Expression
    typealias Node = FetchPredicate.Node

    let now: Timestamp
    let zone: TimeZoneRules

    /// Returns the comparison with stored rules, or `nil` if it does not compare a rule with text.
    func condition(_ comparison: FetchPredicate.Comparison) throws(FetchPredicateError) -> Node? {
        guard comparison.quantifier == .single else { return nil }
        for (side, other) in [
            (comparison.left, comparison.right), (comparison.right, comparison.left),
        ] {
            guard let field = Self.field(side), field == .every || field == .recurrence else { continue }
            let isSwapped = side != comparison.left
            switch (comparison.comparator, other) {
            case (.equal, .constant(let value)), (.notEqual, .constant(let value)):
                guard case .string(let text) = value.value else { return nil }
                return try condition(field, comparison.comparator, text, value)
            case (.in, .list(let values)) where !isSwapped:
                return try condition(field, in: values)
            case (.equal, _), (.notEqual, _): return nil
            default:
                guard field == .every else { return nil }
                throw Problem(
                    .type, at: side.offset, found: "every beside \(comparison.comparator.spelling)",
                    expected: "==, != or IN, such as every == \"every day\"",
                    hint: "for a part of the rule, compare its RRULE: recurrence CONTAINS \"DAILY\"")
            }
        }
        return nil
    }

    private func condition(
        _ field: ItemField, in values: [Expression]
    ) throws(FetchPredicateError) -> Node? {
        var nodes: [Node] = []
        for value in values {
            guard case .constant(let constant) = value else { return nil }
            // No list contains nil.
            if constant.value == .null { continue }
            guard case .string(let text) = constant.value else { return nil }
            nodes.append(try condition(field, .equal, text, constant))
        }
        return .or(nodes)
    }

    private func condition(
        _ field: ItemField, _ comparator: FetchPredicate.Comparator, _ text: String,
        _ constant: FetchPredicate.Constant
    ) throws(FetchPredicateError) -> Node {
        let rules = try rules(text, field, at: constant.origin.offset)
        let nodes = rules.map { rule in
            Node.comparison(
                FetchPredicate.Comparison(
                    .path(FetchPredicate.Path(root: .object, keys: [ItemField.recurrence.key])), comparator,
                    .constant(FetchPredicate.Constant(.string(rule), origin: constant.origin))))
        }
        return comparator == .equal ? .or(nodes) : .and(nodes)
    }

    /// Returns the stored rules that a phrase means.
    private func rules(
        _ text: String, _ field: ItemField, at offset: Int?
    ) throws(FetchPredicateError) -> [String] {
        let reading: RecurrencePhrase.Reading
        do throws(RecurrenceError) {
            reading = try RecurrencePhrase.reading(text, .init(now: now, zone: zone))
        } catch {
            throw Problem(
                .argument, at: offset, found: "'\(text)', which is not a rule: \(error.reason)",
                expected: "a rule such as 'every day' or 'FREQ=DAILY'")
        }
        if text.contains("=") { return [reading.rule.text] }
        guard reading.secondOfDay == nil else {
            throw Problem(
                .argument, at: offset, found: "a time of day in '\(text)'", expected: "the days alone",
                hint: "the time of day is that of the due time")
        }
        let end = reading.rule.text.split(separator: ";").first { $0.hasPrefix("UNTIL=") }
        guard reading.span == nil, end == nil else {
            // The day is enough to find the rule. The time of its end is midnight, possibly in another zone.
            let part = end?.prefix("UNTIL=20270501".count) ?? "UNTIL="
            throw Problem(
                .argument, at: offset, found: "an end in '\(text)'", expected: "a rule without an end",
                hint: "for the end of a rule, compare its RRULE: recurrence CONTAINS \"\(part)\"")
        }
        // A list shows an imported `FREQ=MONTHLY` as `every month`, too. A rule for the 31st that leaves out short
        // months is shown with other words.
        let parts = reading.rule.text.split(separator: ";")
        let strict = parts.filter { !$0.hasPrefix("RSCALE=") && !$0.hasPrefix("SKIP=") }
            .joined(separator: ";")
        guard let other = try? RecurrenceRule(strict), other != reading.rule,
            other.words(due: nil, in: zone) == reading.rule.words(due: nil, in: zone)
        else { return [reading.rule.text] }
        return [reading.rule.text, strict]
    }

    /// Returns a time span in seconds for one with its unit, if it is compared with `leads` or with a duration.
    func seconds(
        of expression: Expression, beside other: Expression
    ) throws(FetchPredicateError) -> Expression {
        guard let field = Self.field(other), field == .leads || field.isDuration else { return expression }
        switch expression {
        case .list(let elements):
            var list: [Expression] = []
            for element in elements { list.append(try seconds(of: element, beside: other)) }
            return .list(list)
        case .constant(let constant):
            guard case .string(let text) = constant.value else { return expression }
            let seconds: Int32
            do throws(DatePhraseError) {
                seconds = try field == .leads ? TypedValue.signedLead(text) : TypedValue.lead(text)
            } catch {
                throw Problem(
                    .argument, at: constant.origin.offset,
                    found:
                        "'\(text)', which is no \(field == .leads ? "lead time" : "time span"): \(error.reason)",
                    expected: "one such as \"5min\" or \"1h\"")
            }
            return .constant(FetchPredicate.Constant(.integer(Int64(seconds)), origin: constant.origin))
        default: return expression
        }
    }

    /// Throws if all lead times, tags or links of an item are compared with one value.
    func checkLists(_ comparison: FetchPredicate.Comparison) throws(FetchPredicateError) {
        guard comparison.quantifier == .single, comparison.comparator != .contains else { return }
        let examples: [ItemField: String] = [.leads: "1h", .tags: "errand", .links: "https://example.com"]
        for side in [comparison.left, comparison.right] {
            guard let field = Self.field(side), let example = examples[field] else { continue }
            throw Problem(
                .type, at: side.offset, found: "\(field), of which an item can have several",
                expected: "ANY \(field) == \"\(example)\" or \(field).@count == 0")
        }
    }

    /// Throws if a priority is compared with text such as `"high"`.
    func checkPriority(_ comparison: FetchPredicate.Comparison) throws(FetchPredicateError) {
        for (side, other) in [
            (comparison.left, comparison.right), (comparison.right, comparison.left),
        ] where Self.field(side) == .priority {
            for text in Self.texts(other) {
                let example =
                    switch text.lowercased() {
                    case "high": "priority BETWEEN {1, 4}"
                    case "medium": "priority == 5"
                    case "low": "priority BETWEEN {6, 9}"
                    case "none": "priority == 0"
                    default: "priority == 1"
                    }
                throw Problem(
                    .type, at: other.offset ?? side.offset, found: "'\(text)' beside priority",
                    expected: "a number from 1, the highest, to 9, or 0 for none, such as \(example)")
            }
        }
    }

    /// Returns the text, or the texts of a list. A word without quotes, such as `high`, is a key.
    private static func texts(_ expression: Expression) -> [String] {
        switch expression {
        case .constant(let constant): if case .string(let text) = constant.value { [text] } else { [] }
        case .list(let elements): elements.flatMap(texts)
        case .path(let path) where path.keys.count == 1 && PriorityWords.number(path.keys[0]) != nil:
            path.keys
        default: []
        }
    }

    private static func field(_ expression: Expression) -> ItemField? {
        guard case .path(let path) = expression, case .object = path.root, path.keys.count == 1 else {
            return nil
        }
        return ItemField(rawValue: path.keys[0])
    }
}

extension ItemField {
    fileprivate var isDuration: Bool {
        if case .duration = traits.property { true } else { false }
    }
}
