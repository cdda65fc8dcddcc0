import CivilTime
import ObjectStore
import Reminders
import TestSupport
import Testing

@testable import Alerts

/// The sentNames next alert, compared with the alerts that are sent.
@Suite struct NextAlertTests {
    @Test(arguments: 1...40)
    func nextAlertIsSentAtPredictedTime(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var settings = AlertSettings.oneLead
        if Bool.random(using: &random) { settings.nag = .minutes(Int.random(in: 1...40, using: &random)) }
        // It is 17:00.
        let begin = 17 * 3_600 + 60 * Int.random(in: -30...60, using: &random)
        let end = begin + 60 * Int.random(in: 5...120, using: &random)
        let fixture = try AlertLoopFixture(
            settings, quietHours: Bool.random(using: &random) ? QuietHours(start: begin, end: end) : nil,
            breakThrough: Bool.random(using: &random) ? 3 : nil)
        for number in 1...5 {
            try fixture.add("\(number)", dueIn: Double(60 * Int.random(in: 1...150, using: &random))) {
                $0.priority = Int16.random(in: 0...9, using: &random)
            }
        }
        for _ in 0..<12 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                let now = fixture.clock.now
                let end = now + Double(60 * Int.random(in: 1...90, using: &random))
                let isOn = Bool.random(using: &random)
                try fixture.changeDoNotDisturb {
                    if isOn { $0.begin(at: now, until: end) } else { $0.end(at: now, zone: .utc) }
                }
            }
            guard let next = try fixture.loop.nextAlert() else { break }
            let now = fixture.clock.now
            let sent = fixture.ticks(1)
            // The quiet time has to be over, not just at its end.
            if next.moment < fixture.clock.now, next.moment > now {
                #expect(sent.contains { $0.hasPrefix("1 \(next.name) ") }, "\(next) \(sent)")
            } else if next.moment > fixture.clock.now {
                #expect(sent.isEmpty, "\(next) \(sent)")
            }
            fixture.clock.advance(Double(60 * Int.random(in: 0...5, using: &random)))
        }
    }

    @Test func urgentItemPrecedesDelayedOne() throws {
        let fixture = try AlertLoopFixture(breakThrough: 3)
        try fixture.add("held", dueIn: 600)
        let urgent = try fixture.add("urgent", dueIn: 1_200) { $0.priority = 2 }
        let end = fixture.clock.now + 7_200
        try fixture.changeDoNotDisturb { $0.begin(at: fixture.clock.now, until: end) }
        #expect(try fixture.loop.nextAlert()?.name == "urgent")
        urgent.completed = true
        try fixture.context.save()
        #expect(try fixture.loop.nextAlert()?.moment == end)
    }

    @Test func urgentItemWithRecentAlertFollowsQuietPeriod() throws {
        let fixture = try AlertLoopFixture(breakThrough: 3)
        let urgent = try fixture.add("urgent", dueIn: 60) { $0.priority = 2 }
        #expect(fixture.tick() == ["urgent"])
        try fixture.add("held", dueIn: 330)
        urgent.snoozedUntil = fixture.clock.now + 60
        try fixture.context.save()
        let end = fixture.clock.now + 120
        try fixture.changeDoNotDisturb { $0.begin(at: fixture.clock.now, until: end) }
        let next = try fixture.loop.nextAlert()
        #expect(next?.name == "held" && next?.moment == end)
    }

    /// It is 17:00. The user has set a quiet period until 17:30, and quiet hours begin at 17:20.
    @Test func quietPeriodContinuesInQuietHours() throws {
        let hours = QuietHours(start: 17 * 3_600 + 1_200, end: 7 * 3_600)
        let fixture = try AlertLoopFixture(quietHours: hours)
        try fixture.add("x", dueIn: 900)
        let now = fixture.clock.now
        try fixture.changeDoNotDisturb { $0.begin(at: now, until: now + 1_800) }
        #expect(try fixture.loop.nextAlert()?.moment == now + 14 * 3_600)
        try fixture.changeDoNotDisturb { $0.end(at: now, zone: .utc) }
        #expect(try fixture.loop.nextAlert()?.moment == now + 600)
    }

    /// The clock was ahead when the last alert was sent.
    @Test func lastAlertInTheFutureDelaysNoAlert() throws {
        let fixture = try AlertLoopFixture()
        fixture.clock.advance(86_400)
        let item = try fixture.add("x", dueIn: 60)
        #expect(fixture.tick() == ["x"])
        fixture.clock.advance(-86_400)
        item.dueDate = fixture.clock.now + 600
        try fixture.context.save()
        #expect(try fixture.loop.nextAlert()?.moment == fixture.clock.now + 300)
    }
}
