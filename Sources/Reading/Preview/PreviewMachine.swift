import Vocabulary

/// Decides which frame is copied for a preview, and when it is handed over.
///
/// ```
///              asked             a frame comes           its picture is made, and its result is there
///   nobody ──────────▶ wanted ──────────────▶ copied ──────────────────────────────────────────────▶ handed over
///      ▲                  ▲                    │   ▲   (or will never come, or `patience` is over)        │
///      │ all are gone     │                    └───┘ the readers dropped it for a newer one               │
///      └──────────────────┴───────────────────────────────────────────────────────────────────────────────┘
/// ```
/// At most one copy is held, and one is taken each `interval`, however many ask. While nobody asks there is nothing to do.
struct PreviewMachine: Sendable {
    struct Limits: Hashable, Sendable {
        /// Between two copies.
        var interval: Duration = .milliseconds(100)
        /// How long a copy waits for its frame's result.
        var patience: Duration = .milliseconds(150)
        /// How long somebody who asks waits for a frame.
        var timeout: Duration = .seconds(1)
    }

    /// More are turned away.
    static let maxAskers = 8
    /// Results can be there before the copy: those of held-back frames are.
    private static let maxRemembered = 8

    struct Asker: Hashable, Sendable {
        var id: UInt64
        /// The frame that it has.
        var after: UInt64?
        var maxWidth: Int
    }

    enum Event: Hashable, Sendable {
        case asked(Asker)
        /// It waits no longer.
        case left(UInt64)
        /// `isAwaited`: its result is still to come. `isCopyAwaited`: the same for the frame that is copied already.
        case frame(UInt64, isAwaited: Bool, isCopyAwaited: Bool)
        /// The picture of the copied frame is made.
        case pictured(UInt64)
        /// A frame's result came.
        case read(UInt64)
        /// The time of `wakeAt` has come.
        case tick
    }

    enum Action: Hashable, Sendable {
        case copy(UInt64, maxWidth: Int)
        case wakeAt(Instant)
        /// `isRead`: its result is there.
        case handOver(UInt64, isRead: Bool, to: [UInt64])
        /// Too many ask.
        case turnAway(UInt64)
    }

    private struct Copy {
        var sequence: UInt64
        var maxWidth: Int
        var takenAt: Instant
        var isPictured = false
        var isRead: Bool
        var isAwaited: Bool
    }

    let limits: Limits
    private var askers: [Asker] = []
    private var copy: Copy?
    /// When the first copy for the next preview was taken.
    private var copiedSince: Instant?
    private var notBefore: Instant?
    private var read: [UInt64] = []

    init(limits: Limits = Limits()) { self.limits = limits }

    var isWanted: Bool { !askers.isEmpty }
    /// The frame that is copied and not handed over yet.
    var copied: UInt64? { copy?.sequence }

    mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch event {
        case .asked(let asker):
            guard askers.count < Self.maxAskers else { return [.turnAway(asker.id)] }
            askers.append(asker)
            return []
        case .left(let id):
            askers.removeAll { $0.id == id }
            if askers.isEmpty { forget() }
            return []
        case .frame(let sequence, let isAwaited, let isCopyAwaited):
            return take(sequence, isAwaited, isCopyAwaited, now)
        case .pictured(let sequence):
            guard copy?.sequence == sequence else { return [] }
            copy?.isPictured = true
        case .read(let sequence):
            if read.count == Self.maxRemembered { read.removeFirst() }
            read.append(sequence)
            guard copy?.sequence == sequence else { return [] }
            copy?.isRead = true
        case .tick: break
        }
        return handOver(at: now)
    }

    private mutating func take(
        _ sequence: UInt64, _ isAwaited: Bool, _ isCopyAwaited: Bool, _ now: Instant
    ) -> [Action] {
        guard notBefore.map({ $0 <= now }) ?? true,
            let asker = askers.first(where: { $0.after.map { $0 < sequence } ?? true })
        else { return [] }
        if let copy {
            // Kept, unless the readers gave its frame up for a newer one: then the newer one's result comes sooner.
            let isLost = copy.isAwaited && !copy.isRead && !isCopyAwaited
            guard isLost, !isOverdue(now) else { return [] }
        }
        let isRead = read.contains(sequence)
        copy = Copy(
            sequence: sequence, maxWidth: asker.maxWidth, takenAt: now, isRead: isRead, isAwaited: isAwaited || isRead)
        let since = copiedSince ?? now
        copiedSince = since
        return [.copy(sequence, maxWidth: asker.maxWidth), .wakeAt(since.advanced(by: limits.patience))]
    }

    private func isOverdue(_ now: Instant) -> Bool {
        copiedSince.map { $0.advanced(by: limits.patience) <= now } ?? false
    }

    private mutating func handOver(at now: Instant) -> [Action] {
        guard let copy, copy.isPictured, copy.isRead || !copy.isAwaited || isOverdue(now) else { return [] }
        let served = askers.filter { asker in
            asker.maxWidth == copy.maxWidth && asker.after.map { $0 < copy.sequence } ?? true
        }
        askers.removeAll { served.contains($0) }
        notBefore = copy.takenAt.advanced(by: limits.interval)
        forget()
        return served.isEmpty ? [] : [.handOver(copy.sequence, isRead: copy.isRead, to: served.map(\.id))]
    }

    private mutating func forget() {
        copy = nil
        copiedSince = nil
        read = []
    }
}
