import Linux
import NIOCore
import Vocabulary
import Wire

/// The camera's picture for all who look: the station is asked only while somebody asks, once for all of them, and each picture is encoded
/// once.
package actor PreviewDesk {
    package struct Limits: Hashable, Sendable {
        /// Requests that wait, in all; and of one visitor, who may have several pages open.
        package var waiting = 64
        package var perVisitor = 4
        /// An older picture isn't shown as the present one.
        package var fresh: Duration = .milliseconds(500)
        /// The widest picture that is asked for.
        package var maxWidth: Int64 = 640

        package init() {}
    }

    package enum Answer: Sendable {
        /// The length of the JSON, the JSON, the JPEG.
        case shot(ByteBuffer)
        /// No newer frame; the camera's state, if the station says it.
        case nothing(camera: String?)
        case away(String)
        /// The station doesn't give pictures, and says why.
        case refused(String)
        case busy
    }

    private struct Shot: Sendable {
        var seq: Int64
        var at: Instant
        var body: ByteBuffer
    }

    private enum Outcome: Sendable {
        case shot(Shot)
        case other(Answer)
    }

    package typealias Ask = @Sendable ([String: JSONValue]) async throws -> StationLink.Reply

    private let ask: Ask
    private let limits: Limits
    private let now: @Sendable () -> Instant
    private var latest: Shot?
    private var asking: Task<Outcome, Never>?
    private var waiting: [Visitor.Kind: Int] = [:]
    private var waitingInAll = 0
    /// For tests, and for figures: what was asked of the station, and what was encoded.
    package private(set) var asked = 0
    package private(set) var encoded = 0
    package var waiters: Int { waitingInAll }

    package init(limits: Limits = Limits(), now: @escaping @Sendable () -> Instant = { .now }, ask: @escaping Ask) {
        self.limits = limits
        self.now = now
        self.ask = ask
    }

    /// The station went away: its frames' numbers begin again.
    package func forget() { latest = nil }

    /// - Parameter after: the picture that the visitor has.
    package func next(after: Int64?, for visitor: Visitor.Kind) async -> Answer {
        if let after, let latest, latest.seq != after, latest.at.duration(to: now()) < limits.fresh {
            return .shot(latest.body)
        }
        guard waitingInAll < limits.waiting, waiting[visitor, default: 0] < limits.perVisitor else { return .busy }
        waitingInAll += 1
        waiting[visitor, default: 0] += 1
        let outcome = await share().value
        waitingInAll -= 1
        let left = waiting[visitor, default: 1] - 1
        waiting[visitor] = left > 0 ? left : nil
        switch outcome {
        case .shot(let shot): return shot.seq == after ? .nothing(camera: nil) : .shot(shot.body)
        case .other(let answer): return answer
        }
    }

    /// The question that is under way, or a new one.
    private func share() -> Task<Outcome, Never> {
        if let asking { return asking }
        let task = Task { await self.question() }
        asking = task
        return task
    }

    private func question() async -> Outcome {
        var fields: [String: JSONValue] = ["maxWidth": .integer(limits.maxWidth)]
        if let latest { fields["after"] = .integer(latest.seq) }
        asked += 1
        defer { asking = nil }
        do { return take(try await ask(fields)) } catch { return .other(.away("\(error)")) }
    }

    private func take(_ reply: StationLink.Reply) -> Outcome {
        guard reply.json["ok"]?.boolValue == true else {
            return .other(.refused(reply.json["error"]?.stringValue ?? "the station gives no pictures"))
        }
        guard var preview = reply.json["preview"]?.objectValue else {
            return .other(.nothing(camera: reply.json["camera"]?.stringValue))
        }
        guard let seq = preview["seq"]?.integerValue, let width = preview["width"]?.integerValue,
            let height = preview["height"]?.integerValue,
            let jpeg = JPEGEncoder.encode(reply.pixels, width: width, height: height)
        else { return .other(.refused("the station's picture can't be read: station and console don't fit together")) }
        encoded += 1
        preview["bytes"] = .integer(Int64(jpeg.count))
        let json = JSONValue.object(preview).bytes
        var body = ByteBuffer()
        body.writeInteger(UInt32(json.count))
        body.writeBytes(json)
        body.writeBytes(jpeg)
        let shot = Shot(seq: seq, at: now(), body: body)
        latest = shot
        return .shot(shot)
    }
}
