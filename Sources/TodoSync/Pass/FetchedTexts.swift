internal import CalDAV
internal import Dispatch

/// The texts of some items, which are fetched on another thread.
///
/// `@unchecked Sendable`: the thread uses the server and sets the result before it signals. The owner must not use either of them
/// before `wait` has returned.
final class FetchedTexts: @unchecked Sendable {
    private let hrefs: [DAVURL]
    private let list: DAVURL
    private let server: any TaskServer
    private let end = DispatchSemaphore(value: 0)
    private var result: Result<Texts, CalDAVError>?

    /// Begins to fetch the texts.
    init(_ hrefs: [DAVURL], in list: DAVURL, from server: any TaskServer) {
        (self.hrefs, self.list, self.server) = (hrefs, list, server)
        // A queue of its own gets a thread even if all others block.
        DispatchQueue(label: "todod-sync.texts").async { self.fetch() }
    }

    private func fetch() {
        do throws(CalDAVError) {
            result = .success(try server.texts(hrefs, in: list))
        } catch {
            result = .failure(error)
        }
        end.signal()
    }

    /// Waits for the texts. Must be called once.
    func wait() throws(CalDAVError) -> Texts {
        end.wait()
        guard let result else { return Texts() }
        return try result.get()
    }
}
