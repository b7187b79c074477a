import Settings
import Testing
import Vocabulary
import Wire

@testable import Delivery

@Suite("Webhook: what an answer means")
struct WebhookVerdictTests {
    private func verdict(
        _ status: Int, _ body: String = "", scans: [String] = ["a"], isBatch: Bool = false, readsAnswers: Bool = false,
        retryAfter: Duration? = nil
    ) -> WebhookVerdict {
        var answer = HTTPAnswer(status: status, body: Array(body.utf8))
        answer.retryAfter = retryAfter
        return WebhookVerdict(
            answer, scans: scans, output: "hook", url: "http://h/", hidden: [], isBatch: isBatch,
            readsAnswers: readsAnswers, maxRetryAfter: .seconds(300))
    }

    @Test("Every status has one meaning", arguments: 100..<600)
    func statuses(status: Int) {
        let receipt = verdict(status).receipts[0]
        switch status {
        case 200..<300: #expect(receipt == .accepted)
        case 400..<500 where ![401, 403, 407, 408, 425, 429].contains(status):
            #expect(receipt == .refused(reason: "http://h/ answered \(status)"))
        default:
            guard case .failed(_, retry: true) = receipt else { return #expect(Bool(false), "\(status): \(receipt)") }
        }
    }

    @Test("A time to wait counts with 429 and 503 only, and up to a limit")
    func retryAfter() {
        #expect(verdict(503, retryAfter: .seconds(7)).hold == .seconds(7))
        #expect(verdict(429, retryAfter: .seconds(7000)).hold == .seconds(300))
        #expect(verdict(429).hold == nil)
        #expect(verdict(500, retryAfter: .seconds(7)).hold == nil)
        #expect(verdict(200, retryAfter: .seconds(7)).hold == nil)
    }

    @Test("The first line of a refusal is shown without its control characters, and cut")
    func snippet() {
        #expect(
            verdict(400, "\n \u{1B}[31mno\r\nmore").receipts == [
                .refused(reason: "http://h/ answered 400: <ESC>[31mno")
            ])
        let long = verdict(400, String(repeating: "x", count: 100_000)).receipts[0]
        #expect(long == .refused(reason: "http://h/ answered 400: " + String(repeating: "x", count: 200) + "…"))
    }

    @Test("What of the URL may be a secret is in no message, no matter who repeats it")
    func hidden() throws {
        let settings = WebhookSettings(url: "https://hooks.example/services/T0/s3cret?key=also")
        let target = try WebhookTarget(
            settings, place: "outputs[0].webhook", version: "1", secrets: .withheld, maxAnswerHeaderBytes: 1000)
        #expect(target.shownURL == "https://hooks.example")
        for status in [302, 401, 404, 429, 500] {
            var answer = HTTPAnswer(
                status: status, body: Array("cannot POST /services/T0/s3cret?key=also, key=also".utf8))
            answer.location = "https://other.example/services/T0/s3cret?key=also"
            answer.retryAfter = .seconds(5)
            let verdict = WebhookVerdict(
                answer, scans: ["a"], output: "hook", url: target.shownURL, hidden: target.hidden, isBatch: false,
                readsAnswers: false, maxRetryAfter: .seconds(60))
            let said = "\(verdict.receipts) \(verdict.problem ?? "")"
            #expect(!said.contains("s3cret") && !said.contains("also"), "\(said)")
            #expect(said.contains("https://hooks.example answered \(status)"))
        }
    }

    @Test("A batch's results come scan by scan; scans that aren't named are accepted")
    func results() {
        let body =
            #"{"results":[{"id":"b","accept":false,"reason":"old"},{"id":"c","accept":true},{"id":"z","accept":false}]}"#
        let verdict = verdict(200, body, scans: ["a", "b", "c"], isBatch: true)
        #expect(verdict.receipts == [.accepted, .refused(reason: "old"), .accepted])
        #expect(verdict.answers.isEmpty)
        let read = self.verdict(200, body, scans: ["a", "b", "c"], isBatch: true, readsAnswers: true)
        #expect(read.receipts == verdict.receipts)
        #expect(read.answers.map(\.scan) == ["b", "c"])
        #expect(read.answers.map(\.isAccepted) == [false, true])
    }

    @Test(
        "A relay is pulsed as configured, as asked, or not at all",
        arguments: [
            ("", RelayWish.asConfigured), (#","relay":true"#, .pulse(nil)), (#","relay":false"#, .none),
            (#","relay":"500ms""#, .pulse(.milliseconds(500))), (#","relay":"2s""#, .pulse(.seconds(2))),
            (#","relay":null"#, .asConfigured), (#","relay":250"#, .pulse(.milliseconds(250))),
        ])
    func relay(text: String, expected: RelayWish) {
        #expect(verdict(200, #"{"accept":true\#(text)}"#, readsAnswers: true).answers.map(\.relay) == [expected])
    }

    @Test(
        "An answer that can't be understood opens nothing, and is said",
        arguments: [
            "ok", "[]", #"{"accept":1}"#, #"{"accept":true,"relay":"2h"}"#, #"{"accept":true,"relay":-1}"#,
            #"{"accept":true,"relay":[]}"#,
            #"{"accept":true,"relay":"0ms"}"#, #"{"accept":true,"relay":"999999999s"}"#, #"{"results":{}}"#,
            #"{"results":[{"accept":true}]}"#, #"{"accept":true,"accept":false}"#,
        ])
    func nonsense(body: String) {
        let verdict = verdict(200, body, readsAnswers: true)
        #expect(verdict.receipts == [.accepted])
        #expect(verdict.answers.isEmpty)
        #expect(verdict.problem?.contains("can't be read") == true)
    }

    @Test(
        "The request says which scan is meant: an id beside the answer may be anything, as servers have ids of their own"
    )
    func foreignID() {
        for id in ["17", "null", #""order-4711""#, "[]"] {
            let verdict = verdict(200, #"{"id":\#(id),"accept":true,"relay":false}"#, readsAnswers: true)
            #expect(verdict.answers == [HostAnswer(output: "hook", scan: "a", isAccepted: true, relay: .none)])
        }
    }

    @Test("Scans named in the results get nothing from the rest of the body; a scan named twice makes it unreadable")
    func named() {
        for nothing in ["", #","accept":null"#, #","status":"stored""#] {
            let body = #"{"accept":true,"results":[{"id":"a"\#(nothing)}]}"#
            let verdict = verdict(200, body, scans: ["a", "b"], isBatch: true, readsAnswers: true)
            #expect(verdict.answers.map(\.scan) == (nothing.contains("null") ? [] : ["b"]), "\(nothing)")
        }
        let twice = #"{"results":[{"id":"a","accept":false},{"id":"a","accept":true}]}"#
        let verdict = verdict(200, twice, isBatch: true, readsAnswers: true)
        #expect(verdict.answers.isEmpty)
        #expect(verdict.problem?.contains(#"names "a" twice"#) == true)
    }

    @Test("Without answers asked for, the body of a single scan's 2xx says nothing")
    func unasked() {
        let verdict = verdict(200, #"{"accept":false}"#)
        #expect(verdict.receipts == [.accepted])
        #expect(verdict.answers.isEmpty)
    }

    @Test("A reason is cut where it is too long, even one of a single character with accents without end")
    func longReason() {
        let reason = "e" + String(repeating: "\u{301}", count: 5000)
        let verdict = verdict(200, #"{"accept":false,"reason":"\#(reason)"}"#, readsAnswers: true)
        #expect(verdict.answers.first?.reason?.unicodeScalars.count == CommandLimits().maxTextLength)
    }
}
