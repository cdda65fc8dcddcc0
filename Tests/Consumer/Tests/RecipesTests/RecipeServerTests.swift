import Foundation
import ObjectStore
import Recipes
import Testing

/// A server with many tasks.
@Suite struct RecipeServerTests {
    private let directory = Directory()

    private func open() async throws -> RecipeServer {
        try await RecipeServer(.sqlite(path: directory.url.appending(path: "server.sqlite").path))
    }

    @Test func hundredTasksSeeWholeStates() async throws {
        let server = try await open()
        let counts = try await withThrowingTaskGroup(of: Int?.self) { group in
            for task in 1...100 {
                group.addTask {
                    guard task % 4 == 0 else {
                        let (titles, seconds) = try await server.course(.soup)
                        // Each recipe takes a minute, so another sum would be that of another state.
                        #expect(seconds == titles.count * 60)
                        return nil
                    }
                    return try await server.add("soup \(task)", seconds: 60, .soup)
                }
            }
            var counts: [Int] = []
            for try await count in group { if let count { counts.append(count) } }
            return counts
        }
        // Writes run one after the other, so each has counted one more recipe.
        #expect(counts.sorted() == Array(1...25))
        #expect(try await server.course(.soup).titles.count == 25)
        await server.close()
    }

    /// Tasks are cancelled while they wait, while they read and after their end.
    @Test func cancelledTasksLeaveServerUsable() async throws {
        let server = try await open()
        let saves = server.saves
        let reported = Task { await saves.reduce(into: 0) { count, _ in count += 1 } }
        let tasks = (1...100).map { number in
            Task {
                if number % 4 == 0 { _ = try await server.add("soup \(number)", seconds: 60, .soup) }
                return try await server.recipes(.soup).map(\.title)
            }
        }
        for task in tasks.prefix(50) { task.cancel() }
        for task in tasks.suffix(50) { #expect(try await Set(task.value).count == task.value.count) }
        for task in tasks.prefix(50) { _ = await task.result }

        let recipes = try await server.recipes(.soup)
        #expect((13...25).contains(recipes.count) && recipes.allSatisfy { $0.seconds == 60 })
        await server.close()
        #expect(await reported.value == recipes.count)
    }

    // MARK: - Live results

    @Test(.timeLimit(.minutes(1))) func liveRecipesFollowSaves() async throws {
        let server = try await open()
        var recipes = server.liveRecipes(.soup).makeAsyncIterator()
        var counts = server.liveCount.makeAsyncIterator()
        #expect(try await recipes.next() == [])
        #expect(try await counts.next() == 0)
        _ = try await server.add("Pea soup", seconds: 2_400, .soup)
        let former = try #require(try await recipes.next())
        _ = try await server.add("Omelette", seconds: 600, .main)
        _ = try await server.add("Miso soup", seconds: 300, .soup)
        let current = try #require(try await recipes.next())
        #expect(current.map(\.title) == ["Miso soup", "Pea soup"])
        let change = current.map(\.objectID).difference(from: former.map(\.objectID))
        #expect(change.insertions.count == 1 && change.removals.isEmpty)
        #expect(try await counts.next() == 3)
        await server.close()
        #expect(try await recipes.next() == nil)
    }

    @Test func savesAreReported() async throws {
        let server = try await open()
        let saves = server.saves
        _ = try await server.add("Toast", seconds: 180, .main)
        await server.close()
        var authors: [String?] = []
        for await case .saved(let changes) in saves {
            #expect(changes.inserted.count == 1)
            authors.append(changes.author)
        }
        #expect(authors == ["server"])
    }

    // MARK: - Replies

    @Test func replyIsDecodedWithoutStore() async throws {
        let server = try await open()
        _ = try await server.add("Pea soup", seconds: 2_400, .soup)
        let reply = try await server.reply(.soup)
        let received = try RecipeServer.recipes(ofReply: reply)
        #expect(try await received == server.recipes(.soup))
        #expect(received.map(\.title) == ["Pea soup"] && received[0].added != nil)
        let edited = try RecipeServer.recipes(
            ofReply: Data(String(decoding: reply, as: UTF8.self).replacing("Pea", with: "Bean").utf8))
        try await server.rename(edited[0])
        #expect(try await server.course(.soup).titles == ["Bean soup"])
    }

    @Test func recipesAreSearchedAndSummed() async throws {
        let server = try await open()
        _ = try await server.add("Soup of green peas", seconds: 2_400, .soup)
        _ = try await server.add("Green salad", seconds: 300, .main)
        _ = try await server.add("Soup of beans", seconds: 3_000, .soup)
        #expect(try await server.recipes(withWords: "GREEN peas").map(\.title) == ["Soup of green peas"])
        #expect(try await server.times() == [.soup: 5_400, .main: 300])
    }
}
