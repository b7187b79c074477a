/// A link: `http`, `https`, `ftp`, a custom scheme of the settings, or a text that starts with `www.`.
public struct URLPayload: Hashable, Sendable {
    /// The link as text; `http://` was put in front if the text started with `www.`.
    public var url: String
    /// Lower case, without the colon.
    public var scheme: String
    /// Host without user information and port, lower case; `nil` where the scheme has none.
    public var host: String?
    /// The scheme is one of `PayloadSettings.schemes`.
    public var isCustom: Bool
    /// What the path and query say if the link is a GS1 Digital Link URI.
    public var gs1: GS1Payload?
    public var problems: [String]

    public init(
        url: String, scheme: String, host: String? = nil, isCustom: Bool = false, gs1: GS1Payload? = nil,
        problems: [String] = []
    ) {
        self.url = url
        self.scheme = scheme
        self.host = host
        self.isCustom = isCustom
        self.gs1 = gs1
        self.problems = problems
    }
}
