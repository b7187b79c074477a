import Linux
import ReaderProtocol
import Settings
import Vocabulary

/// Reads picture files with everything that the decoders offer, in a separate process.
///
/// A pass that crashes or hangs costs only that pass: another process goes on with the next one, and earlier finds are kept.
package actor PictureReader {
    package struct Limits: Hashable, Sendable {
        /// For one picture. A Zero 2 W needs some ten times a PC's time.
        package var deadline: Duration = .seconds(90)
        /// For one pass over it, or for opening it, plus `megapixelDeadline` for each of its megapixels.
        package var passDeadline: Duration = .seconds(8)
        package var megapixelDeadline: Duration = .milliseconds(200)
        /// How many passes may fail to return in time. A machine that is too slow for one pass is too slow for the others; a picture that was
        /// made to take long does so in many passes.
        package var maxLatePasses = 2
        package var maxFileBytes = 64 << 20
        /// A picture with more pixels is refused.
        package var maxPixels: UInt64 = 100_000_000
        /// How many processes one picture may cost.
        package var maxLosses = 16
        /// Address space of the process; a progressive JPEG of `maxPixels` takes 300 MB before it is luma.
        package var memoryLimitMegabytes = 1536

        package init() {}

        /// - Parameter size: `nil` while it is being opened, when it may still have any size.
        func passDeadline(for size: FrameSize?) -> Duration {
            let pixels = size.map { $0.width * $0.height } ?? Int(clamping: maxPixels)
            return passDeadline + megapixelDeadline * (pixels / 1_000_000)
        }
    }

    private let executable: String
    private let limits: Limits
    private let faults: [String]
    /// Whether it also finds out why what looks like a code wasn't read.
    private let explains: Bool
    private let executor = QueueExecutor(label: "scanstation.picture-reader")
    private var rules: DecodeRules
    private var worker: WorkerConversation?
    private var nextTicket: UInt64 = 1

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init(
        settings: ReadingSettings, limits: Limits = Limits(), explains: Bool = false,
        executable: String = ReaderExecutable.locatePictures()
    ) {
        self.init(settings: settings, limits: limits, explains: explains, executable: executable, faults: [])
    }

    /// - Parameter faults: test aids of the reader process, such as `--fault crash-on-pass=3`.
    init(
        settings: ReadingSettings, limits: Limits, explains: Bool = false, executable: String, faults: [String]
    ) {
        self.explains = explains
        rules = DecodeRules(settings)
        self.limits = limits
        self.executable = executable
        self.faults = faults
    }

    package func setSettings(_ settings: ReadingSettings) {
        rules = DecodeRules(settings)
        // A process that missed the new rules would read by the old ones.
        if worker?.send(.rules(rules)) == false { worker = nil }
    }

    /// The process kept for the next picture; for tests.
    var processID: Int32? { worker?.pid }

    /// Ends the process; the next `read` starts another.
    package func stop() { worker = nil }

    /// Reads one file, or standard input. Errors are in the result.
    package func read(_ source: PictureSource) async -> PictureResult {
        var result = PictureResult()
        do throws(ReaderError) {
            let file = try PictureFile.load(source, maxBytes: limits.maxFileBytes)
            try read(file, source.description, &result)
        } catch {
            result.error = error.message
        }
        return result
    }

    package func read(_ path: String) async -> PictureResult { await read(.file(FileName(path))) }

    private func read(
        _ file: borrowing PictureFile, _ path: String, _ result: inout PictureResult
    ) throws(ReaderError) {
        let deadline = Instant.now.advanced(by: limits.deadline)
        var firstPass = 0
        var losses = 0
        var late = 0
        while true {
            let attempt = try attempt(file, firstPass: firstPass, deadline: deadline, &result)
            switch attempt {
            case .done: return
            case .refused(let reason): throw ReaderError("\(path): \(reason)")
            case .lost(let loss, let pass):
                worker = nil
                losses += 1
                if loss == .timedOut { late += 1 } else { result.crashes += 1 }
                result.timedOut = Instant.now >= deadline
                if result.timedOut {
                    throw ReaderError("\(path): not read to the end within \(limits.deadline)")
                }
                guard let pass else {
                    throw ReaderError("\(path) can't be opened: the reader process \(loss.phrase)")
                }
                guard late < limits.maxLatePasses else {
                    result.timedOut = true
                    throw ReaderError("\(path): not read to the end, because \(late) passes over it took too long")
                }
                guard losses < limits.maxLosses else {
                    throw ReaderError("\(path): not read to the end, because it cost \(losses) reader processes")
                }
                firstPass = pass + 1
            }
        }
    }

    private enum Attempt {
        case done
        case refused(String)
        /// During this pass; `nil`: before the first one.
        case lost(WorkerLoss, pass: Int?)
    }

    /// Asks one process, and adds what it finds to `result`.
    private func attempt(
        _ file: borrowing PictureFile, firstPass: Int, deadline: Instant, _ result: inout PictureResult
    ) throws(ReaderError) -> Attempt {
        let worker = try readyWorker()
        var answer = AnswerAssembler()
        let ticket = nextTicket
        nextTicket += 1
        answer.expect(ticket: ticket)
        worker.send(
            .picture(
                ReaderRequest.PictureOrder(
                    ticket: ticket, byteCount: file.byteCount, maxPixels: limits.maxPixels, firstPass: firstPass,
                    explains: explains)),
            descriptor: file.descriptor)
        var pass: Int?
        var passDeadline = Instant.now.advanced(by: limits.passDeadline(for: result.size))
        while true {
            let reply = worker.next(until: min(deadline, passDeadline))
            let loss: WorkerLoss
            switch reply {
            case .tooLate: loss = .timedOut
            case .lost(let reason): loss = reason
            case .answer(let packet):
                switch answer.take(packet) {
                case .incomplete: continue
                case .opened(let size):
                    result.size = size
                    continue
                case .damaged(let damage):
                    result.damage = damage
                    continue
                case .pass(let number):
                    pass = number
                    passDeadline = Instant.now.advanced(by: limits.passDeadline(for: result.size))
                    continue
                case .refused(let reason): return .refused(reason)
                case .complete(let symbols, let summary):
                    result.add(symbols)
                    result.add(unread: summary.unread)
                    result.decodeTime += .nanoseconds(Int64(clamping: summary.decodeNanoseconds))
                    return .done
                case .garbage: loss = .garbage
                }
            }
            result.add(answer.standing)
            if pass == ReaderLimits.explanation {
                // Everything has been read; only the reasons for the rest are missing.
                self.worker = nil
                return .done
            }
            return .lost(loss, pass: pass ?? (result.size != nil && firstPass > 0 ? firstPass : nil))
        }
    }

    private func readyWorker() throws(ReaderError) -> WorkerConversation {
        // A process that was killed between two pictures is not the next picture's fault.
        if let worker, worker.isAlive { return worker }
        worker = nil
        let memory = ["--memory-limit", String(limits.memoryLimitMegabytes)]
        let new = try WorkerConversation(executable: executable, arguments: memory + faults)
        guard new.send(.rules(rules)) else {
            throw ReaderError(
                "the reader process \"\(executable)\" takes no rules: it ended after its start; try again")
        }
        worker = new
        return new
    }
}

extension PictureResult {
    /// Adds only new symbols: a resumed read may find again what an earlier process found.
    fileprivate mutating func add(_ found: [Symbol]) {
        for symbol in found where !symbols.contains(where: { $0.isSameCode(as: symbol) }) { symbols.append(symbol) }
    }

    /// The process that says this may have resumed a read, and doesn't know what the one before it read.
    fileprivate mutating func add(unread found: [UnreadCode]) {
        unread = found.filter { code in !symbols.contains { code.corners.overlaps($0.corners) } }
    }
}
