/// A link with a title: `MEBKM:TITLE:…;URL:…;;`.
public struct BookmarkPayload: Hashable, Sendable {
    public var title: String?
    public var url: String

    public init(title: String? = nil, url: String) {
        self.title = title
        self.url = url
    }
}
