import CivilTime
import Testing

@testable import TodoSync

@Suite struct AccountScheduleTests {
    private static let start = Timestamp(secondsSince1970: 1_800_000_000)

    private func schedule(random: Double = 0.5) -> AccountSchedule {
        AccountSchedule(interval: .minutes(5), now: Self.start, random: { random })
    }

    private func pause(_ schedule: AccountSchedule) -> Double? { schedule.next.map { $0 - Self.start } }

    @Test func firstPassIsDueAtOnce() {
        #expect(schedule().allows(.timer, at: Self.start))
    }

    @Test(arguments: [(0.0, 270.0), (0.5, 300.0), (1.0, 330.0)])
    func intervalVariesByATenth(random: Double, seconds: Double) {
        var schedule = schedule(random: random)
        schedule.record(nil, at: Self.start, hasNetwork: true)
        #expect(pause(schedule) == seconds)
    }

    @Test func localChangeIsAllowedAfterSuccessOnly() {
        var schedule = schedule()
        schedule.record(nil, at: Self.start, hasNetwork: true)
        #expect(schedule.allows(.localChange, at: Self.start))
        #expect(!schedule.allows(.network, at: Self.start))
        schedule.record(PassFailure(.temporary, "down"), at: Self.start, hasNetwork: true)
        #expect(!schedule.allows(.localChange, at: Self.start))
        // Another network does not repair a server.
        #expect(!schedule.allows(.network, at: Self.start))
        schedule.record(PassFailure(.offline, "down"), at: Self.start, hasNetwork: true)
        #expect(schedule.allows(.network, at: Self.start))
    }

    @Test func pausesGrowToAnHourAndEndWithSuccess() {
        var schedule = schedule()
        var pauses: [Double?] = []
        for _ in 1...10 {
            schedule.record(PassFailure(.offline, "down"), at: Self.start, hasNetwork: true)
            pauses.append(pause(schedule))
        }
        #expect(pauses == [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
        schedule.record(nil, at: Self.start, hasNetwork: true)
        schedule.record(PassFailure(.offline, "down"), at: Self.start, hasNetwork: true)
        #expect(pause(schedule) == 30)
    }

    @Test func onlyTheNetworkStartsAPassWithoutANetwork() {
        var schedule = schedule()
        schedule.record(PassFailure(.offline, "down"), at: Self.start, hasNetwork: false)
        #expect(schedule.next == nil)
        #expect(schedule.isOffline)
        #expect(!schedule.allows(.timer, at: Self.start + 1e6))
        #expect(schedule.allows(.network, at: Self.start))
    }

    @Test func refusedPasswordBlocksForAnHour() {
        var schedule = schedule(random: 0)
        schedule.record(PassFailure(.unauthorized, "401"), at: Self.start, hasNetwork: true)
        for trigger in [AccountSchedule.Trigger.timer, .localChange, .network] {
            #expect(!schedule.allows(trigger, at: Self.start + 3_599))
        }
        #expect(schedule.allows(.user, at: Self.start))
        #expect(schedule.allows(.timer, at: Self.start + 3_600))
    }

    @Test(arguments: [(10, 30.0), (1_200, 1_200.0), (86_400, 86_400.0)])
    func waitOfTheServerIsTheLeastPause(wait: Int, seconds: Double) {
        var schedule = schedule(random: 0)
        schedule.record(
            PassFailure(.temporary, "429", retryAfterSeconds: wait), at: Self.start, hasNetwork: true)
        #expect(pause(schedule) == seconds)
        #expect(!schedule.allows(.network, at: Self.start + Double(wait - 1)))
    }
}
