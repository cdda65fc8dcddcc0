internal import ConfigurationFiles

extension ConfigurationLoader {
    /// Reads all files. A file that cannot be read is a problem of the result, like a wrong line.
    func load() -> LoadedConfiguration {
        var loaded = LoadedConfiguration()
        read(into: &loaded)
        return loaded
    }
}
