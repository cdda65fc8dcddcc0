internal import ObjectStore

/// The values of a link, independent of any store.
package struct LinkValue: Hashable, Sendable {
    package var url: String
    package var title: String?
    /// The media type, such as `application/pdf`.
    package var mediaType: String?
    package var isAttachment = false

    /// The maximum number of characters of a title.
    package static let titleLengthLimit = 1_024
    /// The maximum number of characters of a media type, which is more than RFC 6838 allows.
    package static let mediaTypeLengthLimit = 255

    package init(url: String) { self.url = url }

    /// Whether a text is a media type, such as `text/plain; charset=utf-8`.
    package static func isMediaType(_ text: String) -> Bool {
        text.unicodeScalars.count <= mediaTypeLengthLimit && !text.contains(where: \.isControl)
            && text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false).map {
                $0.contains { !$0.isWhitespace }
            } == [true, true]
    }

    /// Compares the bytes. Two URLs with the same characters in different bytes lead to different pages.
    package static func == (first: LinkValue, second: LinkValue) -> Bool {
        first.isAttachment == second.isAttachment && first.hasURL(second.url)
            && Array((first.title ?? "").utf8) == Array((second.title ?? "").utf8)
            && (first.title == nil) == (second.title == nil) && first.mediaType == second.mediaType
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(Array(url.utf8)) }

    /// Whether a URL has the same bytes as this one.
    package func hasURL(_ url: String) -> Bool { self.url.utf8.elementsEqual(url.utf8) }

    fileprivate init(_ link: Link) {
        url = link.url
        title = link.title
        mediaType = link.mediaType
        isAttachment = link.isAttachment
    }
}

extension ToDo {
    /// The values of the links, in their order.
    package var linkValues: [LinkValue] { links.map(LinkValue.init) }

    /// Replaces the links. A link with the same URL stays the same object.
    ///
    /// Each gets a place, so that no change and no undo gives a place to a link that does not change.
    package func setLinks(_ values: [LinkValue]) throws {
        let present = try links.all()
        guard present.map(LinkValue.init) != values else { return }
        var known = Dictionary(
            present.map { (Array($0.url.utf8), $0) }, uniquingKeysWith: { first, _ in first })
        var kept: Set<Link> = []
        var last = -1
        for value in values {
            guard
                let link = try known.removeValue(forKey: Array(value.url.utf8)) ?? context?.insert(Link.self)
            else {
                return
            }
            link.fill(from: value)
            kept.insert(link)
            let place = link.place.flatMap { (0...Self.greatestPlace).contains($0) ? $0 : nil }
            last = max(last + 1, place ?? 0)
            if link.place != last { link.place = last }
            // A new link keeps the place that it has when it joins the item.
            if link.toDo == nil { link.toDo = self }
        }
        for link in present where !kept.contains(link) { try context?.delete(link) }
    }

    /// The greatest place of another program that is kept, so that there is room after it.
    private static let greatestPlace = 1 << 48
}

extension Link {
    fileprivate func fill(from value: LinkValue) {
        url = value.url
        title = value.title
        mediaType = value.mediaType
        isAttachment = value.isAttachment
    }
}
