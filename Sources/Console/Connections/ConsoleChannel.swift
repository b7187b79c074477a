import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// A connection as Hummingbird handles it, with our own guard in front: not too many, and none too slow.
struct ConsoleChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    /// More than browsers send, and little enough for 256 connections.
    static let headerBytes = 16_384
    static let headers = 64

    let http: HTTP1Channel
    let desk: ConnectionDesk
    let limits: ConnectionMachine.Limits

    init(
        desk: ConnectionDesk, limits: ConnectionMachine.Limits,
        responder: @escaping HTTPChannelHandler.Responder
    ) {
        self.desk = desk
        self.limits = limits
        http = HTTP1Channel(
            responder: responder,
            configuration: .init(
                additionalChannelHandlers: [RequestWatch()],
                // The guard is stricter; this is the net below it.
                idleTimeout: .seconds(300),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8192, maxHeaderListSize: Self.headerBytes, maxHeaderFieldCount: Self.headers)))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peer = Peer(channel.remoteAddress?.ipAddress)
        guard let id = desk.open(channel, from: peer) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.connectTimeout(.zero))
        }
        channel.closeFuture.whenComplete { [desk] _ in desk.close(id) }
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionGuard(limits: limits, desk: desk, id: id))
        } catch { return channel.eventLoop.makeFailedFuture(error) }
        return http.setup(channel: channel, logger: logger)
    }

    func handle(value: Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}
