/// One POST.
struct HTTPRequest: Hashable, Sendable {
    var url: String
    /// `Name: value`, or `Name;` for an empty value.
    var headers: [String] = []
    var body: [UInt8]
    /// From connecting to the last byte of the answer.
    var timeout: Duration
    var maxBodyBytes: Int
    var maxHeaderBytes: Int
    /// PEM files.
    var ca: String?
    var certificate: String?
    var key: String?
    var verifiesServer = true
}

/// What a server said.
struct HTTPAnswer: Hashable, Sendable {
    var status: Int
    var body: [UInt8] = []
    /// It had more to say than `maxBodyBytes`.
    var isBodyCut = false
    var retryAfter: Duration?
    /// Where a 3xx points to.
    var location: String?
}

/// What came of a request.
enum HTTPOutcome: Hashable, Sendable {
    case answered(HTTPAnswer)
    /// There was no complete answer; `words` are libcurl's own.
    case failed(HTTPFailure, words: String)
    /// It was never sent: a file that it needs is missing.
    case unprepared(DeliveryError)
    /// The client was closed.
    case closed
}

enum HTTPFailure: Hashable, Sendable {
    case unresolved, unreachable, timedOut, untrusted, badAuthorities, badCertificate, tlsFailed, headersTooLong, broken
    /// Out of memory, or a libcurl that lacks what is needed.
    case unavailable
}
