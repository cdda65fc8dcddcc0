import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import ObjectStoreXML

@Suite struct BinaryFormatTests {
    let directory = TemporaryStore()
    private var path: String { TestedStore.binary.path(in: directory) }

    private func smallStore() throws -> [UInt8] {
        let context = try TestedStore.binary.shelf(in: directory)
        context.coordinator.close()
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func code(opening bytes: [UInt8]) throws -> StoreError.Code? {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { #expect((try? Data(contentsOf: URL(fileURLWithPath: path))) == Data(bytes)) }
        do {
            try TestedStore.binary.open(in: directory).close()
            return nil
        } catch let error as StoreError {
            return error.code
        }
    }

    @Test func checksumIsStandard() {
        var checksum = CRC64()
        checksum.add(Array("123456789".utf8)[...])
        #expect(checksum.value == 0x995D_C9BB_DF19_39FA)
        var inParts = CRC64()
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        for part in [0..<1, 1..<8, 8..<23, 23..<1000] { inParts.add(bytes[part]) }
        var atOnce = CRC64()
        atOnce.add(bytes[...])
        #expect(inParts.value == atOnce.value)
    }

    @Test func headerIsAsDocumented() throws {
        let bytes = try smallStore()
        #expect(Array(bytes[..<8]) == [0x8F, 0x4F, 0x42, 0x53, 0x54, 0x0D, 0x0A, 0x1A])
        #expect(Array(bytes[8..<16]) == [1, 0, 0, 0, 0, 0, 0, 0])
        let length = bytes[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(length == bytes.count - 40)
    }

    @Test func flippedBitIsFoundAnywhere() throws {
        let bytes = try smallStore()
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] ^= 1 << UInt8(position % 8)
            let code = try code(opening: damaged)
            #expect(code == (position < 8 ? .notADatabase : .damaged), "byte \(position)")
        }
    }

    @Test func truncatedFileIsFound() throws {
        let bytes = try smallStore()
        for count in stride(from: 1, to: bytes.count, by: 3) {
            let code = try code(opening: Array(bytes[..<count]))
            #expect(code == (count < 8 ? .notADatabase : .damaged), "\(count) bytes")
        }
        #expect(try code(opening: bytes + [0]) == .damaged)
        #expect(try code(opening: bytes) == nil)
    }

    @Test func laterVersionIsLeftUnchanged() throws {
        var bytes = try smallStore()
        bytes[8] = 2
        #expect(try code(opening: resealed(bytes)) == .newer)
    }

    /// Bytes that are wrong although the checksums are right, so no length may be trusted.
    @Test func lengthsInFileAreChecked() throws {
        let bytes = try smallStore()
        var random = SplitMix(state: 7)
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                damaged[Int.random(in: 40..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let code = try code(opening: resealed(damaged))
            #expect([nil, .damaged, .modelMismatch].contains(code))
        }
    }

    private func resealed(_ bytes: [UInt8]) -> [UInt8] {
        var checksum = CRC64()
        checksum.add(bytes[40...])
        var sealed = bytes
        put(checksum.value, at: 24, into: &sealed)
        var header = CRC64()
        header.add(sealed[..<32])
        put(header.value, at: 32, into: &sealed)
        return sealed
    }

    private func put(_ number: UInt64, at offset: Int, into bytes: inout [UInt8]) {
        for position in 0..<8 {
            bytes[offset + position] = UInt8(truncatingIfNeeded: number >> UInt64(8 * position))
        }
    }
}
