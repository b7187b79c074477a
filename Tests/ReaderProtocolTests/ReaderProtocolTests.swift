import ReaderProtocol
import Reading
import Settings
import TestSupport
import Testing
import Vocabulary

struct ReaderProtocolTests {
    static let symbol = Symbol(
        symbology: .qrCode, aim: "]Q1", bytes: [0, 0x1D, 0xFF, 65], text: "ÿ\u{1D}A",
        corners: Quad(Point(x: 0, y: 0.1), Point(x: 1, y: 0.2), Point(x: 0.9, y: 1), Point(x: -0.1, y: 0.8)),
        addOn: "12", isInverted: true,
        evidence: Evidence(decoder: .zbar, pass: 7, strength: 12, content: .max),
        structuredAppend: StructuredAppend(index: 2, count: 5, id: "x"))

    static let answers: [ReaderAnswer] = [
        .ready(.own, isConfined: true), .symbol(ticket: .max, symbol),
        .symbol(
            ticket: 3,
            Symbol(symbology: .ean13, bytes: Array("40".utf8), text: "40", corners: symbol.corners)),
        .symbol(ticket: 4, Symbol(symbology: .pdf417, bytes: [], text: nil, corners: symbol.corners)),
        .done(
            ticket: 5, ReaderAnswer.Summary(symbolCount: 3, omittedCount: 9, decodeNanoseconds: 123_456_789)),
        .done(
            ticket: 5,
            ReaderAnswer.Summary(
                symbolCount: 0, omittedCount: 0, decodeNanoseconds: 1, isLadderOver: true,
                unread: [
                    UnreadCode(
                        corners: symbol.corners, kind: .matrix, moduleWidth: 1.25, cause: .wrongLength, figure: 12,
                        symbology: .code39),
                    UnreadCode(corners: symbol.corners, kind: .linear, cause: .damaged),
                ])),
        .done(
            ticket: 6,
            ReaderAnswer.Summary(
                symbolCount: 1, omittedCount: 0, decodeNanoseconds: 1,
                places: CodePlace.Kind.allCases.map { CodePlace(kind: $0, corners: symbol.corners) },
                refuted: [RefutedCode(symbology: .ean13, bytes: Array("4006381333931".utf8))])),
        .opened(ticket: 6, FrameSize(width: 4056, height: 3040)), .pass(ticket: 7, 12),
        .standing(ticket: 7, symbolCount: 2), .refused(ticket: 8, "no JPEG – nor PNG"),
        .damaged(ticket: 8, "breaks off – halfway"),
        .capability(DecoderCapability(library: "ZXing-C++", version: "1.4.0", symbologies: [.aztec, .qrCode])),
    ]

    static let requests: [ReaderRequest] = [
        .rules(DecodeRules(ReadingSettings())), .ring(byteCount: 4096), .capabilities,
        .read(
            ReaderRequest.FrameOrder(
                ticket: 9, offset: 8192, size: FrameSize(width: 100, height: 50), rowStride: 128,
                effort: .thorough(turn: .max))),
        .read(
            ReaderRequest.FrameOrder(
                ticket: 9, offset: 0, size: FrameSize(width: 1, height: 1), rowStride: 1, effort: .exhaustive)),
        .read(
            ReaderRequest.FrameOrder(
                ticket: 9, offset: 0, size: FrameSize(width: 1, height: 1), rowStride: 1, effort: .diagnosis)),
        .picture(ReaderRequest.PictureOrder(ticket: 1, byteCount: 10, maxPixels: 100, firstPass: 3)),
        .picture(ReaderRequest.PictureOrder(ticket: 1, byteCount: 10, maxPixels: 100, firstPass: 0, explains: true)),
        .canvas(byteCount: 4096),
        .show(
            ReaderRequest.ShowOrder(
                ticket: 2, byteCount: 11, maxPixels: 101, frame: FrameSize(width: 64, height: 48))),
    ]

    @Test(arguments: answers)
    func `an answer survives its packet`(answer: ReaderAnswer) throws {
        let bytes = try #require(answer.encode())
        #expect(bytes.withUnsafeBytes { ReaderAnswer($0) } == answer)
        for length in 0..<bytes.count {
            #expect(bytes.withUnsafeBytes { ReaderAnswer(UnsafeRawBufferPointer(rebasing: $0[..<length])) } == nil)
        }
        #expect((bytes + [0]).withUnsafeBytes { ReaderAnswer($0) } == nil)
    }

    @Test(arguments: requests)
    func `a request survives its packet`(request: ReaderRequest) {
        let bytes = request.encode()
        #expect(bytes.withUnsafeBytes { ReaderRequest($0) } == request)
        for length in 0..<bytes.count {
            #expect(bytes.withUnsafeBytes { ReaderRequest(UnsafeRawBufferPointer(rebasing: $0[..<length])) } == nil)
        }
    }

    @Test func `of a reader that speaks another protocol its version is known, and nothing else`() {
        // As readers up to protocol 5 began: kind, version, confined.
        let packet: [UInt8] = [1, 5, 0, 1]
        let answer = packet.withUnsafeBytes { ReaderAnswer($0) }
        #expect(answer == .ready(ReaderBuild(protocolVersion: 5, version: ""), isConfined: false))
    }

    @Test func `whatever bytes come, an answer is valid or none`() throws {
        var random = SeededGenerator(seed: 2)
        let seeds = try Self.answers.map { try #require($0.encode()) }
        var valid = 0
        for round in 0..<20_000 {
            var bytes: [UInt8]
            if round % 2 == 0 {
                bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            } else {
                bytes = seeds[round / 2 % seeds.count]
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
            }
            guard let answer = bytes.withUnsafeBytes({ ReaderAnswer($0) }) else { continue }
            valid += 1
            // What was let in is within the bounds, so that it can be sent itself.
            #expect(answer.encode() != nil)
            if case .symbol(_, let symbol) = answer {
                #expect(symbol.corners.points.allSatisfy { $0.x.isFinite && $0.y.isFinite })
            }
        }
        #expect(valid > 100)
    }

    @Test func `a packet that a reader wouldn't send is none`() throws {
        func isTaken(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { ReaderAnswer($0) } != nil }
        func message(_ text: String) -> [UInt8] {
            [6] + [UInt8](repeating: 0, count: 8) + [UInt8(text.utf8.count), 0] + text.utf8
        }
        #expect(isTaken(message("no JPEG")))
        #expect(!isTaken(message("no\nJPEG")) && !isTaken(message("\u{1B}[2J")) && !isTaken(message("\u{9B}")))
        func capability(_ codes: [UInt8], _ version: String = "1") -> [UInt8] {
            [7, 1, 0x5A, UInt8(version.utf8.count)] + Array(version.utf8) + [UInt8(codes.count)] + codes
        }
        #expect(isTaken(capability([1, 2])))
        #expect(!isTaken(capability([2, 1])) && !isTaken(capability([1, 1])) && !isTaken(capability([1], "\u{1B}")))
        // The text sent by itself, though it is the bytes.
        let packet = try #require(
            ReaderAnswer.symbol(
                ticket: 1,
                Symbol(symbology: .qrCode, bytes: [65], text: "B", corners: Self.symbol.corners)
            ).encode())
        #expect(packet.last == 66 && isTaken(packet))
        #expect(!isTaken(Array(packet.dropLast()) + [65]))
    }

    @Test func `what a library says is sent as one line`() {
        let bytes = ReaderAnswer.refused(ticket: 1, "a\u{1B}[2J\nb\u{2028}c").encode() ?? []
        #expect(bytes.withUnsafeBytes { ReaderAnswer($0) } == .refused(ticket: 1, "a [2J b c"))
    }

    @Test func `whatever bytes come, a request is valid or none`() {
        var random = SeededGenerator(seed: 3)
        let seeds = Self.requests.map { $0.encode() }
        for round in 0..<10_000 {
            var bytes = seeds[round % seeds.count]
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            guard case .read(let order)? = bytes.withUnsafeBytes({ ReaderRequest($0) }) else { continue }
            #expect(order.rowStride >= order.size.width && order.size.isReadable)
        }
    }

    @Test func `a frame order that reaches beyond the ring doesn't fit`() {
        let order = ReaderRequest.FrameOrder(
            ticket: 1, offset: 100, size: FrameSize(width: 10, height: 10), rowStride: 10, effort: .quick(turn: 0))
        #expect(order.fits(ringBytes: 200))
        #expect(!order.fits(ringBytes: 199))
        var far = order
        far.offset = .max
        #expect(!far.fits(ringBytes: .max))
    }

    @Test func `symbols beyond the limits have no packet`() {
        func packet(_ change: (inout Symbol) -> Void) -> [UInt8]? {
            var symbol = Self.symbol
            change(&symbol)
            return ReaderAnswer.symbol(ticket: 1, symbol).encode()
        }
        #expect(packet { $0.bytes = Array(repeating: 1, count: ReaderLimits.maxSymbolBytes + 1) } == nil)
        #expect(packet { $0.text = String(repeating: "ü", count: ReaderLimits.maxTextBytes) } == nil)
        #expect(packet { $0.aim = String(repeating: "]", count: 65) } == nil)
        #expect(packet { $0.corners.topLeft.x = .nan } == nil)
        #expect(packet { $0.corners.topLeft.x = .infinity } == nil)
        let largest = packet {
            $0.bytes = Array(repeating: 1, count: ReaderLimits.maxSymbolBytes)
            $0.text = String(repeating: "ü", count: ReaderLimits.maxTextBytes / 2)
        }
        #expect(largest.map { $0.count <= ReaderLimits.maxPacketLength } == true)
    }

    @Test func `a long refusal is cut between characters`() {
        let text = String(repeating: "ü", count: 1000)
        let bytes = ReaderAnswer.refused(ticket: 1, text).encode() ?? []
        #expect(
            bytes.withUnsafeBytes { ReaderAnswer($0) } == .refused(ticket: 1, String(repeating: "ü", count: 256)))
    }
}
