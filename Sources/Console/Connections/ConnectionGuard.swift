import Linux
import NIOCore
import NIOHTTPTypes
import Vocabulary

/// Sees a connection's bytes before they are parsed, and does what `ConnectionMachine` says.
final class ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var machine: ConnectionMachine
    private let desk: ConnectionDesk
    private let id: Int
    private var isIdle = true
    private var timer: Scheduled<Void>?
    private var timerDue: Instant?

    init(limits: ConnectionMachine.Limits, desk: ConnectionDesk, id: Int) {
        machine = ConnectionMachine(limits: limits)
        self.desk = desk
        self.id = id
    }

    func handlerAdded(context: ChannelHandlerContext) { tell(.opened, context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        tell(.bytes(unwrapInboundIn(data).readableBytes), context)
        guard context.channel.isActive else { return }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        tell(context.channel.isWritable ? .flows : .stalled, context)
        context.fireChannelWritabilityChanged()
    }

    /// From the handler behind the parser.
    func tell(_ event: ConnectionMachine.Event, _ context: ChannelHandlerContext) {
        let actions = machine.handle(event, at: .now)
        if machine.isIdle != isIdle {
            isIdle = machine.isIdle
            desk.setIdle(id, isIdle)
        }
        for action in actions {
            switch action {
            case .close: context.close(promise: nil)
            case .wake(let due): wake(at: due, context)
            }
        }
    }

    private func wake(at due: Instant, _ context: ChannelHandlerContext) {
        // A timer that comes too early asks again; one that is moved with every byte would cost more.
        if let timerDue, timerDue <= due, timer != nil { return }
        timer?.cancel()
        timerDue = due
        let wait = max(Instant.now.duration(to: due).wholeNanoseconds, 0)
        timer = context.eventLoop.assumeIsolatedUnsafeUnchecked().scheduleTask(in: .nanoseconds(wait)) { [self] in
            timer = nil
            timerDue = nil
            tell(.timer, context)
        }
    }
}

/// Behind the parser: tells the guard where requests and answers begin and end.
final class RequestWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var first: ConnectionGuard?
    private var firstContext: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) {
        first = try? context.pipeline.syncOperations.handler(type: ConnectionGuard.self)
        firstContext = try? context.pipeline.syncOperations.context(handlerType: ConnectionGuard.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        first = nil
        firstContext = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: tell(.head)
        case .body: break
        case .end: tell(.bodyEnd)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { tell(.answered) }
        context.write(data, promise: promise)
    }

    private func tell(_ event: ConnectionMachine.Event) {
        guard let first, let firstContext else { return }
        first.tell(event, firstContext)
    }
}
