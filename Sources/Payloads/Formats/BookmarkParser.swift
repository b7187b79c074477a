/// `MEBKM:TITLE:…;URL:…;;`
enum BookmarkParser {
    static func parse(_ body: Bytes) -> BookmarkPayload? {
        let fields = DelimitedFields(body)
        guard let url = fields["URL"]?.text else { return nil }
        return BookmarkPayload(title: fields["TITLE"]?.text, url: url)
    }
}
