package import CivilTime

/// A field of an item. Its raw value is its name in the API.
///
/// The cases have the order of the fields in JSON.
package enum ItemField: String, CaseIterable, Sendable {
    case id, uid, name, notes, url, links, priority, estimate, percent, due, start, recurrence, every,
        afterDone,
        occurrencesDone, timeZone
    case completed, cancelled, muted, category, categoryMuted, tags, parent, position, children, childrenDone,
        blockedBy,
        blocks, blocked, leads, alerts, snoozedUntil, nextAlert, heldUntil, lastAlert
    case createdAt, modifiedAt, completedAt

    /// The description of the field.
    ///
    /// This is the only table of names, types, labels and uses. Lists, exports, the editor, `todoctl show` and messages use it, and tests
    /// compare it with `Item`, the interface text and the model.
    package var traits: Traits {
        switch self {
        case .id: Traits(.number(\.id), label: "Item", isExported: false)
        case .uid: Traits(.text(\.uid), label: "UID")
        case .name: Traits(.text(\.name), label: "Name", detail: .name)
        case .notes:
            Traits(
                .optionalText(\.notes), label: "Notes",
                detail: .plainText(\.notes, option: "--notes TEXT", help: "further details"))
        case .url:
            Traits(
                .optionalText(\.url), label: "URL", phrase: "URL",
                detail: .plainText(\.url, isURL: true, option: "--url URL", help: "the page of the item"))
        case .links: Traits(.links(\.links), label: "Links", detail: .links(\.links), isListed: false)
        case .priority: Traits(.number(\.priority), label: "Priority", detail: .priority(\.priority))
        case .estimate:
            Traits(
                .duration(\.estimate), label: "Estimate",
                detail: .duration(
                    \.estimate, option: "--estimate TIME", help: "the expected duration of the work: 1h30m"))
        case .percent:
            Traits(
                .percentage(\.percent), label: "Progress", phrase: "progress",
                detail: .percentage(
                    \.percent, option: "--percent N", help: "the part of the work that is done, from 0 to 100"
                ))
        case .due: Traits(.time(\.due), label: "Due", phrase: "due time", detail: .typedText(\.due))
        case .start: Traits(.time(\.start), label: "Start", phrase: "start", detail: .typedText(\.start))
        case .recurrence: Traits(.optionalText(\.recurrence), phrase: "rule")
        case .every:
            Traits(
                .optionalText(\.every), label: "Repeats", formLabel: "Every", phrase: "rule",
                detail: .typedText(\.every), isExported: false)
        case .afterDone:
            Traits(
                .optionalFlag(\.afterDone), formLabel: "After done", phrase: "rule",
                detail: .flag(\.afterDone), isListed: false)
        case .occurrencesDone:
            Traits(.optionalNumber(\.occurrencesDone), phrase: "rule", isListed: false)
        case .timeZone:
            Traits(
                .optionalText(\.timeZone), phrase: "time zone", detail: .typedText(\.timeZone),
                isListed: false)
        case .completed: Traits(.flag(\.completed), label: "State", phrase: "state")
        case .cancelled: Traits(.optionalFlag(\.cancelled), phrase: "state", isListed: false)
        case .muted: Traits(.flag(\.muted), formLabel: "Muted", phrase: "muting", detail: .flag(\.muted))
        case .category:
            Traits(.optionalText(\.category), label: "Category", detail: .typedText(\.category))
        case .categoryMuted: Traits(.optionalFlag(\.categoryMuted), isExported: false)
        case .tags: Traits(.texts(\.tags), label: "Tags", detail: .texts(\.tags), isListed: false)
        case .parent: Traits(.optionalNumber(\.parent), label: "Parent", detail: .item(\.parent))
        case .position: Traits(.optionalNumber(\.position))
        case .children:
            Traits(
                .optionalNumber(\.children), label: "Subtasks", phrase: "subtasks", isListed: false,
                isExported: false)
        case .childrenDone:
            Traits(.optionalNumber(\.childrenDone), phrase: "subtasks", isListed: false, isExported: false)
        case .blockedBy:
            Traits(
                .items(\.blockedBy), label: "Blocked by", phrase: "blockers", detail: .items(\.blockedBy),
                isListed: false)
        case .blocks:
            Traits(
                .items(\.blocks), label: "Blocks", phrase: "blocked items", isListed: false,
                isExported: false)
        case .blocked:
            Traits(.optionalFlag(\.blocked), phrase: "blockers", isListed: false, isExported: false)
        case .leads:
            Traits(
                .numbers(\.leads), label: "Lead time", formLabel: "Lead", phrase: "alerts",
                detail: .typedText(\.leads), isListed: false)
        case .alerts:
            Traits(
                .alertTimes(\.alerts), label: "Alerts", formLabel: "Alerts", phrase: "alerts",
                detail: .alertTimes(\.alerts), isListed: false)
        case .snoozedUntil: Traits(.moment(\.snoozedUntil), label: "Snoozed until", phrase: "snooze")
        case .nextAlert: Traits(.moment(\.nextAlert), label: "Next alert", isExported: false)
        case .heldUntil: Traits(.moment(\.heldUntil), isListed: false, isExported: false)
        case .lastAlert: Traits(.moment(\.lastAlert), label: "Last alert", phrase: "last alert")
        case .createdAt: Traits(.moment(\.createdAt), label: "Added", phrase: "time of creation")
        case .modifiedAt: Traits(.moment(\.modifiedAt), label: "Changed", phrase: "time of change")
        case .completedAt: Traits(.moment(\.completedAt), label: "Done", phrase: "time of completion")
        }
    }

    /// The fields that `todoctl show` prints, in their order. Notes have several lines, so they are the last ones.
    package static let shown: [ItemField] = [
        .id, .name, .completed, .due, .start, .every, .category, .tags, .parent, .children, .blockedBy,
        .blocks, .priority, .estimate, .percent, .leads, .alerts, .nextAlert,
        .snoozedUntil, .lastAlert, .completedAt, .modifiedAt, .createdAt, .uid, .url, .links, .notes,
    ]

    /// The fields in the form of the editor, in their order.
    package static let edited: [ItemField] = [
        .name, .due, .start, .every, .afterDone, .category, .tags, .parent, .blockedBy, .priority, .estimate,
        .percent, .leads, .alerts, .muted, .url, .links, .notes,
    ]
}

extension ItemField {
    /// The type of a field, its use in lists, exports and forms, and the words for it.
    package struct Traits: Sendable {
        package let property: Property
        /// The label in `todoctl show`, or `nil` if the field is not shown or is a part of another one.
        package let label: String?
        /// The label in the editor, or `nil` if the field cannot be edited there.
        package let formLabel: String?
        /// The words for the field in messages, or `nil` for its name.
        package let phrase: String?
        /// The parameter that sets the field, or `nil` if a client cannot set it.
        package let detail: Detail?
        /// Whether lists contain the field if no fields are requested, and whether a list can be ordered by it.
        package let isListed: Bool
        /// Whether an export as JSON contains the field.
        package let isExported: Bool

        fileprivate init(
            _ property: Property, label: String? = nil, formLabel: String? = nil, phrase: String? = nil,
            detail: Detail? = nil, isListed: Bool = true, isExported: Bool = true
        ) {
            self.property = property
            self.label = label
            self.formLabel = formLabel ?? (detail == nil ? nil : label)
            self.phrase = phrase
            self.detail = detail
            self.isListed = isListed
            self.isExported = isExported
        }
    }

    package typealias Path<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

    /// A property of `Item`, by its type.
    package enum Property: Sendable {
        case text(Path<Item, String>)
        case optionalText(Path<Item, String?>)
        case number(Path<Item, Int64>)
        case optionalNumber(Path<Item, Int64?>)
        /// A number of seconds, or `nil` if it is 0.
        case duration(Path<Item, Int64?>)
        /// A number from 1 to 100, or `nil` if it is 0.
        case percentage(Path<Item, Int64?>)
        case flag(Path<Item, Bool>)
        case optionalFlag(Path<Item, Bool?>)
        case numbers(Path<Item, [Int64]?>)
        /// The numbers of items.
        case items(Path<Item, [Int64]?>)
        case texts(Path<Item, [String]?>)
        case links(Path<Item, [ItemLink]?>)
        /// Moments, and times before or after the start.
        case alertTimes(Path<Item, [String]?>)
        case moment(Path<Item, Timestamp?>)
        /// A moment, a date or a floating time.
        case time(Path<Item, CalendarTime?>)

        /// Whether every item in a list has the field, even if it is not requested.
        package var isRequired: Bool {
            switch self {
            case .text, .number, .flag: true
            case .optionalText, .optionalNumber, .duration, .percentage, .optionalFlag, .numbers, .items,
                .texts, .links, .alertTimes, .moment, .time:
                false
            }
        }
    }

    /// A parameter of `AddItem` and `UpdateItems` that sets a field.
    package enum Detail: Sendable {
        /// The name, which is not one of the details.
        case name
        /// A text that the daemon parses.
        case typedText(Path<ItemDetails, String?>)
        /// A text that is stored as it is, and the option of `add` and `edit` for it.
        ///
        /// If it is a URL, it is checked.
        case plainText(Path<ItemDetails, String?>, isURL: Bool = false, option: String, help: String)
        /// A length of time that the daemon parses and stores in seconds, and its option.
        case duration(Path<ItemDetails, String?>, option: String, help: String)
        /// A number from 0 to 100, and its option.
        case percentage(Path<ItemDetails, Int64?>, option: String, help: String)
        case flag(Path<ItemDetails, Bool?>)
        case priority(Path<ItemDetails, Int64?>)
        /// Texts that replace all former ones.
        case texts(Path<ItemDetails, [String]?>)
        /// The number of an item, or 0 for none.
        case item(Path<ItemDetails, Int64?>)
        /// Numbers of items that replace all former ones.
        case items(Path<ItemDetails, [Int64]?>)
        /// Links that replace all former ones.
        case links(Path<ItemDetails, [ItemLink]?>)
        /// Times of alerts that replace all former ones.
        case alertTimes(Path<ItemDetails, [String]?>)
    }

    /// A field with a text that is stored as it is.
    package struct PlainText: Sendable {
        package let field: ItemField
        package let property: Path<Item, String?>
        package let detail: Path<ItemDetails, String?>
        package let isURL: Bool

        fileprivate init?(_ field: ItemField) {
            guard case .optionalText(let property) = field.traits.property,
                case .plainText(let detail, let isURL, _, _) = field.traits.detail
            else { return nil }
            self.field = field
            self.property = property
            self.detail = detail
            self.isURL = isURL
        }
    }

    /// A field with a number that is stored as it is, and is `nil` in the API if it is 0.
    package struct PlainNumber: Sendable {
        package let field: ItemField
        package let property: Path<Item, Int64?>

        fileprivate init?(_ field: ItemField) {
            switch field.traits.property {
            case .duration(let property), .percentage(let property):
                self.field = field
                self.property = property
            default: return nil
            }
        }
    }

    package static let plainTexts = allCases.compactMap(PlainText.init)
    package static let plainNumbers = allCases.compactMap(PlainNumber.init)
    package static let listed = allCases.filter(\.traits.isListed)
    package static let names = allCases.map(\.rawValue)

    /// The words for the field in messages, such as `due time`.
    package var phrase: String { traits.phrase ?? rawValue }
}
