internal import ConfigurationFiles

extension ConfigurationLoader {
    /// Reads all files. A file that cannot be read is a problem of the result, like a wrong line.
    func load() -> LoadedConfiguration {
        var loaded = LoadedConfiguration()
        read(into: &loaded)
        return loaded
    }

    /// Returns the first wrong lines of the section `[Sync]`, which only todod-sync uses.
    func syncProblems() -> [ConfigurationProblem] {
        var loaded = LoadedSyncSettings()
        read(into: &loaded)
        // A file that cannot be read is already a problem of the result of `load`.
        return Array(loaded.problems.filter { $0.line != nil }.prefix(LoadedConfiguration.problemsLimit))
    }
}
