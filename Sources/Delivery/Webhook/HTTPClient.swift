import CCurl
import Linux
import Synchronization
import Vocabulary

/// libcurl on its own thread: one request at a time, on connections that stay open in between.
///
/// `close` answers what is under way at once and ends it. A name server that doesn't answer may still hold up the thread for a moment
/// (libcurl waits for its resolver), but nobody waits for the thread.
///
/// `@unchecked Sendable`: `handle` never changes. It is used on the loop's thread, except for `CCurl_client_cancel`, which any thread may
/// call, and is freed when no block on the thread holds this object any more.
final class HTTPClient: @unchecked Sendable {
    private struct Waiting {
        var isClosed = false
        var next = 0
        var callers: [Int: CheckedContinuation<HTTPOutcome, Never>] = [:]
    }

    private let loop = EventLoop()
    private let handle = CCurl_client_make()
    private let waiting = Mutex(Waiting())

    deinit { handle.map(CCurl_client_free) }

    /// Makes the request on the client's thread (so `prepare` may read files), sends it and waits for the answer.
    func post(_ prepare: @escaping @Sendable () throws(DeliveryError) -> HTTPRequest) async -> HTTPOutcome {
        await run { client in
            do throws(DeliveryError) {
                return client.perform(try prepare())
            } catch {
                return .unprepared(error)
            }
        }
    }

    /// Runs `check` on the client's thread, in turn. Returns what it throws; `nil` if it throws nothing, or the client was closed.
    func check(_ check: @escaping @Sendable () throws(DeliveryError) -> Void) async -> DeliveryError? {
        let outcome = await run { _ in
            do throws(DeliveryError) {
                try check()
                return .closed
            } catch {
                return .unprepared(error)
            }
        }
        if case .unprepared(let error) = outcome { return error }
        return nil
    }

    /// Answers everything that waits with `closed`, and sends nothing more.
    func close() {
        let callers = waiting.withLock { waiting in
            waiting.isClosed = true
            defer { waiting.callers = [:] }
            return Array(waiting.callers.values)
        }
        handle.map(CCurl_client_cancel)
        for caller in callers { caller.resume(returning: .closed) }
    }

    private func run(_ work: @escaping @Sendable (HTTPClient) -> HTTPOutcome) async -> HTTPOutcome {
        await withCheckedContinuation { caller in
            let number = waiting.withLock { waiting -> Int? in
                guard !waiting.isClosed else { return nil }
                defer { waiting.next += 1 }
                waiting.callers[waiting.next] = caller
                return waiting.next
            }
            guard let number else { return caller.resume(returning: .closed) }
            loop.execute { self.answer(number, work(self)) }
        }
    }

    private func answer(_ number: Int, _ outcome: HTTPOutcome) {
        waiting.withLock { $0.callers.removeValue(forKey: number) }?.resume(returning: outcome)
    }

    // MARK: libcurl

    private func perform(_ request: HTTPRequest) -> HTTPOutcome {
        guard let handle else { return .failed(.unavailable, words: "libcurl can't be initialised") }
        var answer = CCurl_Answer()
        defer { CCurl_answer_clear(&answer) }
        withConstantCStrings([request.url, request.ca, request.certificate, request.key]) { texts in
            withConstantCStrings(request.headers) { headers in
                request.body.withUnsafeBufferPointer { body in
                    var form = CCurl_Request()
                    form.url = texts[0]
                    form.ca = texts[1]
                    form.certificate = texts[2]
                    form.key = texts[3]
                    form.headers = headers
                    form.body = body.baseAddress
                    form.body_length = body.count
                    form.timeout_ms = max(1, request.timeout.wholeNanoseconds / 1_000_000)
                    form.max_body_bytes = request.maxBodyBytes
                    form.max_header_bytes = request.maxHeaderBytes
                    form.verify = request.verifiesServer ? 1 : 0
                    _ = CCurl_post(handle, &form, &answer)
                }
            }
        }
        return Self.outcome(&answer)
    }

    private static func outcome(_ answer: inout CCurl_Answer) -> HTTPOutcome {
        let failure: HTTPFailure
        switch answer.outcome {
        case CCURL_ANSWERED:
            let location = String(untilNUL: answer.location)
            return .answered(
                HTTPAnswer(
                    status: Int(answer.status),
                    body: Array(UnsafeBufferPointer(start: answer.body, count: answer.body_length)),
                    isBodyCut: answer.body_is_cut != 0,
                    retryAfter: answer.retry_after_s > 0 ? .seconds(answer.retry_after_s) : nil,
                    location: location.isEmpty ? nil : location))
        case CCURL_CANCELLED: return .closed
        case CCURL_UNRESOLVED: failure = .unresolved
        case CCURL_UNREACHABLE: failure = .unreachable
        case CCURL_TIMED_OUT: failure = .timedOut
        case CCURL_UNTRUSTED: failure = .untrusted
        case CCURL_BAD_CA: failure = .badAuthorities
        case CCURL_BAD_CERTIFICATE: failure = .badCertificate
        case CCURL_TLS_FAILED: failure = .tlsFailed
        case CCURL_HEADERS_TOO_LONG: failure = .headersTooLong
        case CCURL_BROKEN: failure = .broken
        default: failure = .unavailable
        }
        return .failed(failure, words: String(untilNUL: answer.message))
    }
}
