import Foundation
import Testing

@testable import CivilTime

@Suite struct LocalZoneTests {
    @Test func changedLinkIsFollowed() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "zone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let link = directory.appending(path: "localtime").path
        let files = FileManager.default
        try files.createSymbolicLink(atPath: link, withDestinationPath: "/usr/share/zoneinfo/Europe/Madrid")
        let zone = LocalZone(following: link)
        #expect(zone.current.name == "Europe/Madrid")
        zone.refresh()
        #expect(zone.current.name == "Europe/Madrid")
        try files.removeItem(atPath: link)
        try files.createSymbolicLink(atPath: link, withDestinationPath: "/usr/share/zoneinfo/Asia/Tokyo")
        zone.refresh()
        #expect(zone.current.name == "Asia/Tokyo")
        #expect(zone.current.offset(at: Timestamp(secondsSince1970: 0)) == 9 * 3_600)
        try files.removeItem(atPath: link)
        zone.refresh()
        #expect(zone.current.name == "UTC")
    }

    @Test func explicitZoneIsKept() {
        let zone = LocalZone(.utc)
        zone.refresh()
        #expect(zone.current.name == "UTC")
    }

    /// S11: A zone file is read once, and again after an update of the zones has replaced it.
    @Test func replacedZoneFileIsReadAgain() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "zone-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (name, hours) in [("Asia/Tokyo", 9), ("Asia/Tokyo", 9), ("Asia/Dubai", 4)] {
            let new = path + ".new"
            try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/\(name)", toPath: new)
            #expect(rename(new, path) == 0)
            for _ in 0..<2 {
                let zone = try #require(ZoneFiles.zone(at: path, name: name))
                #expect(zone.offset(at: Timestamp(secondsSince1970: 0)) == hours * 3_600)
            }
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(ZoneFiles.zone(at: path, name: "Asia/Dubai") == nil)
    }
}
