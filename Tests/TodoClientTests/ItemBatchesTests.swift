import Testing
import TodoAPI
import Varlink

@testable import TodoClient

@Suite struct ItemBatchesTests {
    @Test(
        arguments: [[[1]], [[1, 2, 3]], [[1, 2, 3], [4]], [[1, 2, 3], [4, 5, 6], [7]]] as [[[Int64]]])
    func everyItemIsInOneBatch(wanted: [[Int64]]) throws {
        let lots = ItemBatches(ids: wanted.flatMap(\.self), itemsPerCall: 3)
        var called: [[Int64]] = []
        #expect(try lots.forEach { called.append($0) } == wanted.count)
        #expect(called == wanted)
    }

    @Test func batchThatIsTooLongIsSplit() throws {
        var called: [[Int64]] = []
        let count = try ItemBatches(ids: Array(1...7), itemsPerCall: 5).forEach { ids throws(ClientError) in
            if ids.count > 2 { throw .refused("too long", reason: .tooLarge(limit: 1)) }
            called.append(ids)
        }
        #expect(called == [[1, 2], [3, 4], [5, 6], [7]])
        #expect(count == 4)
    }

    @Test func errorCountsTheChangedItems() {
        let lots = ItemBatches(ids: [2, 3, 5, 7, 11], itemsPerCall: 2)
        let error = #expect(throws: ClientError.self) {
            _ = try lots.forEach { ids throws(ClientError) in
                if ids.contains(7) { throw .refused("there is no item 7", reason: .itemNotFound(ids: [7])) }
            }
        }
        #expect(
            error?.message
                == "there is no item 7\nThe first 2 of 5 items, up to number 3, were changed before that.")
        #expect(error?.exitStatus == 1)
    }

    @Test func errorOfTheFirstCallIsUnchanged() {
        let error = #expect(throws: ClientError.self) {
            _ = try ItemBatches(ids: [1, 2], itemsPerCall: 1).forEach { _ throws(ClientError) in
                throw .refused("no")
            }
        }
        #expect(error?.message == "no")
    }

    @Test func batchFitsIntoAMessage() {
        var writer = JSONWriter()
        let ids = [Int64](repeating: .max, count: ItemBatches.itemsPerCall)
        writer.object { FieldWriter.write(ItemIDs(ids: ids), to: &$0) }
        #expect(writer.bytes.count < FrameDecoder.messageBytesLimit / 2)
    }
}
