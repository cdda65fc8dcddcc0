internal import Glibc

/// A copy that waits for the client to fetch it, beside the store. It is removed when the client's connection ends.
final class HandedOverCopy {
    private static let ending = ".handover"

    let path: String

    init(of storePath: String, number: UInt64 = .random(in: 0 ... .max)) {
        path = "\(storePath).\(String(number, radix: 36))\(Self.ending)"
    }

    deinit { unlink(path) }

    /// Removes what a crash has left.
    static func removeLeftovers(of storePath: String) {
        let (directory, name) = Directory.split(storePath)
        for file in Directory.names(in: directory) where file.hasPrefix("\(name).") {
            if [ending, "\(ending).partial"].contains(where: file.hasSuffix) {
                unlink("\(directory)/\(file)")
            }
        }
    }
}
