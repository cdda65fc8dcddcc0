internal import Alerts
internal import CivilTime
internal import Phrases
internal import TodoAPI

struct DueItemsHandler: Handler {
    let service: ServiceContext
    let alerts: AlertLoop

    func handle(_ parameters: DueItems.Parameters, _ answer: Answer<DueItems>) throws {
        try answer.stream(query(parameters), in: service, alerts.forecast)
    }

    private func query(_ parameters: DueItems.Parameters) throws -> ItemQuery {
        let zone = try service.times.zone(named: parameters.timeZone)
        guard let text = parameters.until else {
            let span = parameters.within ?? DueItems.defaultSpan
            let end = try service.times.moment(within: span, field: "within", in: zone)
            return try ItemQuery(
                dueUntil: end, isIncluded: true, fields: parameters.fields)
        }
        guard parameters.within == nil else {
            throw APIError.invalidValue(field: "until", reason: "'within' already sets the end")
        }
        let bound = try service.times.filterBound(text, field: "until", in: zone)
        return try ItemQuery(
            dueUntil: bound.endOfDay ?? bound.moment, isIncluded: bound.endOfDay == nil,
            fields: parameters.fields, note: bound.note)
    }
}
