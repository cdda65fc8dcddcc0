package import TodoAPI

/// The program that runs the service, as some methods report it: its process and its configuration files.
package protocol ServiceHost: AnyObject {
    /// The process, its connections, and the wrong lines of its configuration. The service adds the rest.
    var status: Status.Reply { get }

    /// The current configuration.
    var configuration: GetConfig.Reply { get }

    /// Reads the configuration files without applying them.
    func checkConfiguration() -> CheckConfig.Reply

    /// Returns the problems of the configuration that were not returned before.
    func takeWarnings() -> [String]
}
