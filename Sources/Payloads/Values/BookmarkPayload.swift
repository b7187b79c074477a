/// A link with a title: `MEBKM:TITLE:…;URL:…;;`.
package struct BookmarkPayload: Hashable, Sendable {
    package var title: String?
    package var url: String

    package init(title: String? = nil, url: String) {
        self.title = title
        self.url = url
    }
}
