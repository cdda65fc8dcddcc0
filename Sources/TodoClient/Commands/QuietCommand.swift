internal import CivilTime
internal import TodoAPI

/// `todoctl quiet 2h`
enum QuietCommand: Command {
    static let verb = "quiet"
    static let synopsis = "quiet [2h | until WHEN | off]"
    static let summary = "Hold alerts back for a while"
    static let details = """
        What is held is told together afterwards. Without a time it says how it stands.

        Example: todoctl quiet until 18:00
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let words = try arguments.rest()
        var parameters = Quiet.Parameters()
        if words == ["off"] {
            parameters.off = true
        } else if !words.isEmpty {
            parameters.until = words.typedTime
            parameters.timeZone = session.zoneName
        }
        let reply = try session.daemon().call(Quiet.self, parameters)
        if session.printJSON(reply) { return }
        if let end = reply.until {
            Output.print(
                "Alerts are held back until \(session.words.moment(end)), \(session.words.distance(to: end))."
            )
        } else {
            Output.print("Alerts are given.")
        }
    }
}
