import Settings
import Vocabulary
import Wire

/// What an answer means for the scans of its request. Pure, so that every status can be looked at without a server.
///
/// | status | means |
/// |---|---|
/// | 2xx | accepted, unless the body refuses |
/// | 401, 403, 407 | later, and seldom: the credentials are wrong (RFC 9110), which says nothing about the scan |
/// | 408, 425, 429 | later: the request itself is fine (RFC 9110, RFC 8470, RFC 6585) |
/// | other 4xx | refused: the same request would get the same answer; the scans of a batch are first sent one by one |
/// | 3xx | not followed, because the body may contain data meant only for this host; retried until somebody corrects the URL |
/// | 5xx, others | later |
///
/// 429 and 503 may say when (`Retry-After`, seconds or a date): nothing is sent before, up to `maxRetryAfter`.
struct WebhookVerdict: Hashable, Sendable {
    /// How many characters of a body's first line a message shows.
    static let maxSnippetLength = 200

    var receipts: [Receipt]
    var answers: [HostAnswer] = []
    /// Send nothing for this long.
    var hold: Duration?
    /// The server doesn't take the credentials.
    private(set) var isLockedOut = false
    /// What a person should know; `nil`: all is well.
    var problem: String?

    /// `scans`: the ids in the request, at least one. `isBatch`: results by scan are looked for in the body. `readsAnswers`:
    /// the body may speak for the host. `url` is what may be shown of the URL, `hidden` what may not.
    init(
        _ answer: HTTPAnswer, scans: [String], output: String, url: String, hidden: [String], isBatch: Bool,
        readsAnswers: Bool, maxRetryAfter: Duration
    ) {
        let snippet = Self.firstLine(answer.body, without: hidden)
        let said = "\(url) answered \(answer.status)" + (snippet.isEmpty ? "" : ": \(snippet)")
        switch answer.status {
        case 200..<300:
            receipts = scans.map { _ in .accepted }
            guard isBatch || readsAnswers else { return }
            read(answer, scans, output, url, readsAnswers: readsAnswers)
        case 300..<400:
            // A path may be a secret there, too.
            let host = answer.location.flatMap { WebhookSettings.place(of: $0) }
            let target = host.map { " to \(TerminalText.escape($0, limit: 200))" } ?? ""
            let message =
                "\(url) answered \(answer.status), a redirect\(target): redirects aren't followed; set url to the place that "
                + "takes scans"
            receipts = [.failed(reason: message, retry: true)]
            problem = message
        case 401, 403, 407:
            let message =
                "\(said). The server doesn't accept the station's credentials: correct the webhook's token, key or headers; "
                + "scans wait in the journal until it does"
            receipts = [.failed(reason: message, retry: true)]
            problem = message
            isLockedOut = true
        case 408, 425, 429:
            receipts = [.failed(reason: said, retry: true)]
            problem = said
        case _ where Self.isRefusal(answer.status):
            receipts = scans.map { _ in .refused(reason: said) }
            problem = said
        default:
            receipts = [.failed(reason: said, retry: true)]
            problem = said
        }
        if answer.status == 429 || answer.status == 503, let asked = answer.retryAfter {
            let hold = min(asked, maxRetryAfter)
            self.hold = hold
            problem =
                "\(said); it asked to wait for \(DurationText.text(asked)), so nothing is sent for \(DurationText.text(hold))"
        }
    }

    /// The same request would get the same answer again.
    static func isRefusal(_ status: Int) -> Bool {
        (400..<500).contains(status) && ![401, 403, 407, 408, 425, 429].contains(status)
    }

    private mutating func read(
        _ answer: HTTPAnswer, _ scans: [String], _ output: String, _ url: String, readsAnswers: Bool
    ) {
        guard !answer.body.isEmpty else { return }
        guard !answer.isBodyCut else {
            problem = "\(url) answered more than \(answer.body.count) bytes (maxAnswerBytes): the answer wasn't read"
            return
        }
        let said: WebhookAnswer
        do {
            said = try WebhookAnswer(answer.body)
        } catch {
            // Batches are often answered with a page of HTML or "OK": that is wrong only if answers were asked for.
            if readsAnswers {
                problem = "\(url) answered with a body that can't be read: \(TerminalText.escape(error.message))"
            }
            return
        }
        for (index, scan) in scans.enumerated() {
            guard let command = said.verdict(for: scan, isNamed: !readsAnswers),
                let verdict = HostAnswer(output: output, scan: scan, command)
            else { continue }
            if !verdict.isAccepted { receipts[index] = .refused(reason: verdict.reason ?? "the host refused it") }
            if readsAnswers { answers.append(verdict) }
        }
    }

    /// Many servers repeat the path that they were asked for.
    private static func firstLine(_ body: [UInt8], without hidden: [String]) -> String {
        let line = body.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }.prefix {
            $0 != 0x0A && $0 != 0x0D
        }
        let text = String(decoding: line.prefix(4 * maxSnippetLength), as: UTF8.self)
        return TerminalText.escape(hidden.reduce(text) { $0.replacing($1, with: "…") }, limit: maxSnippetLength)
    }
}
