internal import ConfigurationFiles
internal import ObjectStore
internal import Phrases
internal import TodoService

/// The settings of the configuration files, the line that each comes from, and the wrong lines.
///
/// A wrong line is ignored as if it were absent: its setting keeps the value of an earlier line, or its default.
struct LoadedConfiguration: ConfigurationContent, Hashable, Sendable {
    /// The place of the line that sets a value.
    struct Origin: Hashable, Sendable {
        let path: String
        let line: Int
        /// The value as it is written there.
        let text: String
        var isDropIn = false
    }

    /// The limit of wrong lines in a file that are reported one by one. A file with more is not a configuration.
    static let problemsLimit = 100

    private(set) var settings = Configuration()
    /// The origins by the names of the settings. A setting with its default is absent.
    private(set) var origins: [String: Origin] = [:]
    private(set) var problems: [ConfigurationProblem] = []

    init() {}

    /// Whether a wrong line may have been meant to select the store.
    var mayConcernStore: Bool { problems.contains(where: \.mayConcernStore) }

    /// Whether both have the same settings and problems. Line numbers may differ.
    func isEquivalent(to other: LoadedConfiguration) -> Bool {
        settings == other.settings && problems.map(\.reason) == other.problems.map(\.reason)
    }

    // MARK: - Reading files

    /// Applies the settings of one file over those of earlier files. An empty value means the default.
    mutating func apply(_ file: ConfigurationFile, path: String, isDropIn: Bool = false) {
        let known = Set(Configuration.settings.map(\.section))
        var found: [ConfigurationProblem] = file.strayLines.filter {
            $0.section != LoadedSyncSettings.section
        }.map { stray in
            .init(
                path: path, line: stray.line, reason: stray.reason,
                mayConcernStore: stray.section == Self.storeSection
                    || stray.texts.contains(where: Self.mayNameStore))
        }
        for section in file.sections where !section.isComplete || section.name != LoadedSyncSettings.section {
            if section.isComplete, known.contains(section.name) {
                for line in section.settings {
                    if let problem = apply(line, in: section.name, path: path, isDropIn: isDropIn) {
                        found.append(problem)
                    }
                }
            } else {
                found.append(problem(with: section, path))
            }
        }
        found.sort { ($0.line ?? 0) < ($1.line ?? 0) }
        problems += found.prefix(Self.problemsLimit)
        let others = found.dropFirst(Self.problemsLimit)
        if let first = others.first {
            problems.append(
                .init(
                    path: path, line: first.line, reason: "\(others.count) lines are wrong from here on",
                    mayConcernStore: others.contains(where: \.mayConcernStore)))
        }
    }

    /// Adds a file or directory that cannot be read. Any setting may be in it.
    mutating func addUnreadable(path: String, reason: String) {
        let problem = ConfigurationProblem(path: path, line: nil, reason: reason, mayConcernStore: true)
        // Two files that cannot be read because of their directory are one problem.
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// Adds an empty file, which an interrupted write can leave. Any setting may have been in it.
    mutating func addEmpty(path: String) {
        problems.append(
            .init(
                path: path, line: nil, reason: "is empty; remove it to have every setting at its default",
                mayConcernStore: true))
    }

    /// Adds a problem with the line of `Path=` or `Type=`. The line is valid, but selects a store that cannot be used.
    mutating func addUnusableStore(reason: String, configuration: String) {
        problems.append(problemWithStore(reason, configuration: configuration))
    }

    /// Returns a problem with the line that selects the store or, without such a line, with the whole configuration.
    func problemWithStore(_ reason: String, configuration: String) -> ConfigurationProblem {
        for name in ["Path", "Type"] {
            guard let origin = origins[name] else { continue }
            return .init(
                path: origin.path, line: origin.line, reason: "\(name)=: \(reason)", mayConcernStore: true)
        }
        return .init(path: configuration, line: nil, reason: reason, mayConcernStore: true)
    }

    private mutating func apply(
        _ line: ConfigurationFile.Setting, in section: String, path: String, isDropIn: Bool
    ) -> ConfigurationProblem? {
        let candidates = Configuration.settings.filter { $0.section == section }
        guard let setting = candidates.first(where: { $0.key == line.key }) else {
            let known = candidates.map(\.key).joined(separator: ", ")
            return .init(
                path: path, line: line.line,
                reason: "no setting \(line.key)= in [\(section)]; expected \(known)",
                mayConcernStore: section == Self.storeSection || Self.mayNameStore(line))
        }
        // As in systemd, an empty value resets the setting.
        if line.value.isEmpty {
            setting.reset(&settings)
            origins[setting.key] = nil
            return nil
        }
        var refusal = "expected \(setting.expected), found '\(line.value)'"
        var isRead = false
        do throws(DatePhraseError) {
            isRead = try setting.read(&settings, line.value)
        } catch {
            refusal = error.reason
        }
        guard isRead else {
            let hint =
                line.value.hasTrailingComment
                ? "; a comment needs a line of its own"
                : line.value.hasInvisibleCharacter
                    ? "; it has an invisible character"
                    : setting.takesTimeSpans && line.value.lacksUnit
                        ? "; a number other than 0 needs its unit" : ""
            return .init(
                path: path, line: line.line,
                reason: "\(line.key)=: \(refusal)\(hint)",
                mayConcernStore: section == Self.storeSection)
        }
        origins[setting.key] = Origin(path: path, line: line.line, text: line.value, isDropIn: isDropIn)
        return nil
    }

    private func problem(with section: ConfigurationFile.Section, _ path: String) -> ConfigurationProblem {
        let known = Set(Configuration.settings.map(\.section) + [LoadedSyncSettings.section]).sorted().map {
            "[\($0)]"
        }
        let reason =
            section.isComplete
            ? "no section [\(section.name)]; expected \(known.joined(separator: ", "))"
            : "expected [Section] or Key=Value"
        let mayNameStore =
            Self.mayNameStore(section.name) || section.settings.contains(where: Self.mayNameStore)
        return .init(path: path, line: section.line, reason: reason, mayConcernStore: mayNameStore)
    }

    // MARK: - The store

    private static let storeSection = "Store"
    private static let storeNames =
        Configuration.settings.filter { $0.section == storeSection }.map(\.key) + [storeSection]
    private static let otherNames =
        Configuration.settings.filter { $0.section != storeSection }.map(\.key)
    /// The words by which an unknown line is assumed to concern the store.
    private static let storeWords = Set(
        (storeNames + StoreKind.selectable.map(\.name)).map { $0.lowercased() })

    private static func mayNameStore(_ setting: ConfigurationFile.Setting) -> Bool {
        mayNameStore("\(setting.key)=\(setting.value)")
    }

    /// Whether a line that is not understood may have been meant to select the store.
    ///
    /// It may, unless it begins with the name of another setting, or has neither a path nor a word of `[Store]`.
    private static func mayNameStore(_ line: String) -> Bool {
        let key = line.prefix { $0 != "=" && $0 != " " }
        if isNear(key, storeNames) { return true }
        if isNear(key, otherNames) { return false }
        let words = line.lowercased().split { !$0.isLetter }
        return line.contains("/") || words.contains { storeWords.contains(String($0)) }
    }

    /// Whether a word may be a misspelling of one of `names`.
    private static func isNear(_ word: some StringProtocol, _ names: [String]) -> Bool {
        EditDistance.nearest(to: word.lowercased(), among: names.map { $0.lowercased() }) != nil
    }
}
