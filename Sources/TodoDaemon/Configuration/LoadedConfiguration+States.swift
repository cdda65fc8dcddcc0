internal import ConfigurationFiles
internal import TodoAPI

extension Configuration {
    /// The defaults as they are written in the shipped file. A setting that is missing here is off by default.
    static let defaultTexts = [
        "LeadTime": "5min, 0", "QuietTime": "5min", "CatchUp": "30d", "DefaultTime": "09:00",
        "Desktop": "yes",
        "CommandTimeout": "30s", "Type": "sqlite", "Backups": "3",
    ]
}

extension LoadedConfiguration {
    /// Every setting, in the order of the shipped file.
    var states: [SettingState] {
        Configuration.settings.map { setting in
            guard let origin = origins[setting.key] else {
                let value = Configuration.defaultTexts[setting.key] ?? ""
                return SettingState(
                    section: setting.section, name: setting.key, value: value, source: .builtIn)
            }
            return SettingState(
                section: setting.section, name: setting.key, value: origin.text,
                source: origin.isDropIn ? .dropIn : .file, path: origin.path, line: Int64(origin.line))
        }
    }
}

extension WrongLine {
    init(_ problem: ConfigurationProblem) {
        self.init(path: problem.path, line: problem.line.map { Int64($0) }, reason: problem.reason)
    }
}
