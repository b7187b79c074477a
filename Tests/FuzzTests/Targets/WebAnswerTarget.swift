import Settings
import Wire

@testable import Delivery

/// A web server's answer: letters for status, kind of request, whether the body was cut, and `Retry-After`; then the body.
enum WebAnswerTarget {
    private static let statuses = [
        200, 204, 299, 301, 400, 401, 403, 404, 408, 422, 425, 429, 500, 503, 0, 999,
    ]
    private static let longest: Duration = .seconds(3600)

    static func check(_ input: inout FuzzInput) throws {
        var answer = HTTPAnswer(status: input.choice(of: statuses))
        let scans = input.choice(of: [["a"], ["a", "b"]])
        let readsAnswers = input.choice(of: [false, true])
        answer.isBodyCut = input.byte() == UInt8(ascii: "c")
        answer.retryAfter = input.choice(of: [nil, .seconds(5), .seconds(Int64.max)])
        answer.body = input.all()
        answer.location = (300..<400).contains(answer.status) ? String(decoding: answer.body, as: UTF8.self) : nil

        let verdict = WebhookVerdict(
            answer, scans: scans, output: "shop", url: "https://h", hidden: [], isBatch: scans.count > 1,
            readsAnswers: readsAnswers, maxRetryAfter: longest)
        let isAccepted = (200..<300).contains(answer.status)
        try demand(
            verdict.receipts.count == (isAccepted || WebhookVerdict.isRefusal(answer.status) ? scans.count : 1),
            "each scan has its receipt, or all are tried again")
        try demand((verdict.hold ?? .zero) <= longest, "a server can't make the station wait for longer than it may")
        if let problem = verdict.problem {
            try Lines.demandPlain(problem)
            try demand(problem.utf8.count <= 4096, "a problem is short: \(problem.utf8.count) bytes")
        }
        for receipt in verdict.receipts {
            if receipt == .accepted { try demand(isAccepted, "only 2xx accepts") }
        }
        try hold(verdict, to: answer, scans, readsAnswers)
    }

    /// A verdict says what the body says, and nothing for scans that weren't asked about.
    private static func hold(
        _ verdict: WebhookVerdict, to answer: HTTPAnswer, _ scans: [String], _ readsAnswers: Bool
    ) throws {
        let body = try? JSONValue(parsing: answer.body)
        let mayAnswer = readsAnswers && (200..<300).contains(answer.status) && !answer.isBodyCut
        try demand(verdict.answers.isEmpty || mayAnswer, "only a whole body that is asked for its answer has one")
        for said in verdict.answers {
            try demand(scans.contains(said.scan), "an answer is to a scan of the request: \(said.scan)")
            let named = body?["results"]?.arrayValue?.last { $0["id"]?.stringValue == said.scan }
            let heard = named ?? body
            let isAccepted = heard?["accept"]?.boolValue ?? (heard?["command"] == "accept")
            try demand(isAccepted == said.isAccepted, "an answer is what the body says: \(said)")
            try demand(
                (said.reason?.utf8.count ?? 0) <= 4 * CommandLimits().maxTextLength,
                "a reason is within its limit: \(said.reason?.utf8.count ?? 0)")
            if case .pulse(let pulse?) = said.relay {
                try demand(RelaySettings.pulses.contains(pulse), "a pulse is within its limits: \(pulse)")
            }
        }
        for (scan, receipt) in zip(scans, verdict.receipts) {
            guard let said = verdict.answers.first(where: { $0.scan == scan }) else { continue }
            try demand((receipt == .accepted) == said.isAccepted, "receipt and answer say the same of \(scan)")
        }
    }
}
