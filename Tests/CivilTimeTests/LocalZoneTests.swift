import Foundation
import Testing

@testable import CivilTime

@Suite struct LocalZoneTests {
    @Test func aChangedLinkIsFollowed() throws {
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

    @Test func aGivenZoneStays() {
        let zone = LocalZone(.utc)
        zone.refresh()
        #expect(zone.current.name == "UTC")
    }
}
