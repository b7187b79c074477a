import Payloads
import Settings
import Vocabulary

@testable import Wire

/// One of everything that can go over the wire. The functions that make them are exhaustive switches or go through
/// `allCases`, so that a new case without a sample doesn't stay unnoticed.
enum Samples {
    private static func code(_ digit: Int) -> FirstPasswordCode {
        FirstPasswordCode(digits: String(repeating: "\(digit)", count: FirstPasswordCode.digitCount))!
    }

    static let payloadTexts = [
        "plain", "https://id.gs1.org/01/09506000134352/10/AB?3103=000195", "https://user@xn--bnk-sna.example/",
        "www.example.com",
        "WIFI:T:WPA;R:1;S:Net;P:12345678;H:true;I:guest;K:MDkw;;", "WIFI:T:EAP;S:c;E:TTLS;PH2:PAP;I:u;A:a;P:p;;",
        "WIFI:S:n;T:?;;",
        "BEGIN:VCARD\nVERSION:3.0\nN:Doe;Jane;Q;Dr;MSc\nFN:Jane\nNICKNAME:J\nORG:Acme;Lab\nTITLE:E\nTEL;TYPE=CELL:1\n"
            + "EMAIL:j@example.com\nADR;TYPE=HOME:1;2;3;4;5;6;7\nURL:x\nBDAY:1980-01-01\nNOTE:n",
        "MECARD:N:Doe,John;ADR:somewhere;TEL:1;;",
        "BEGIN:VEVENT\nUID:1\nSUMMARY:s\nDTSTART;TZID=Europe/Vienna:20261121T090000\nDTEND:20261121\nDURATION:PT1H\n"
            + "LOCATION:l\nDESCRIPTION:d\nORGANIZER:mailto:o@example.com\nURL:u\nEND:VEVENT",
        "BEGIN:VEVENT\nDTSTART:never", "geo:48.2,-16.37,183;u=20;crs=moon?q=x", "geo:0,0", "tel:+1;ext=2", "smsto:1:hi",
        "mms:1,2?subject=s&body=b", "mailto:a@example.com?cc=b@example.com&bcc=c@example.com&subject=s&body=b",
        "mailto:?subject=s", "mailto:bad", "MEBKM:TITLE:t;URL:u;;", "otpauth://totp/I:a?secret=MFRA",
        "otpauth://hotp/a?counter=18446744073709551615",
        "otpauth-migration://offline?data=CjEKCkhlbGxv", "https://pat:word@example.com/a",
        "WIFI:S:436166c3a9204fcc88c3a9c3a9c3a9c3a9ff;;", "BEGIN:VCARD\nFN:J\nEMAIL;TYPE=WORK:j@example.com\nEND:VCARD",
        "BEGIN:VEVENT\nDTSTART:20261121T090000Z\nDTEND;TZID=Europe/Vienna:20261121T100000\nEND:VEVENT",
        "https://id.gs1.org/01/09506000134352?7007=261101261105&17=261200&4309=13870000003163000000&3103=abc",
    ]

    static let products: [(text: String, symbology: Symbology, addOn: String?)] = [
        ("9780201379624", .ean13, "52995"), ("9770317847001", .ean13, "05"), ("9790060115615", .ean13, nil),
        ("2012345678901", .ean13, nil), ("96385074", .ean8, nil), ("04252614", .upcE, nil),
        ("15400141288763", .itf14, nil),
    ]

    static let elementStrings = [
        "010950600013435217261200", "70072611012611053103001250", "39309781234", "4331000475-",
        "430913870000003163000000", "0109506000134353", "3106001250", "70032611210905", "255950600013435210",
        "7007261101261105",
    ]

    static func payloads() -> [Payload] {
        let interpreter = PayloadInterpreter()
        var payloads = payloadTexts.map { interpreter.interpret(text: $0) }
        for product in products {
            payloads.append(interpreter.interpret(symbol(product.text, product.symbology, "]E0", product.addOn)))
        }
        payloads += elementStrings.map { interpreter.interpret(symbol($0, .code128, "]C1", nil)) }
        var settings = PayloadSettings()
        settings.schemes = ["door"]
        payloads.append(PayloadInterpreter(settings: settings).interpret(text: "door://a/b"))
        return payloads
    }

    private static func symbol(_ text: String, _ symbology: Symbology, _ aim: String, _ addOn: String?) -> Symbol {
        let origin = Point(x: 0, y: 0)
        return Symbol(
            symbology: symbology, aim: aim, bytes: Array(text.utf8), text: text,
            corners: Quad(origin, origin, origin, origin), addOn: addOn)
    }

    static func scans() -> [Event] {
        payloads().map { scanEvent(payload: $0) }
            + Symbology.allCases.map { scanEvent(symbology: $0) }
            + TriggerMode.allCases.map { mode in scanEvent { $0.trigger = mode } }
            + [fullScan(), bareScan()]
    }

    /// Every optional field.
    private static func fullScan() -> Event {
        scanEvent { scan in
            scan.sequence = .max
            scan.symbol.addOn = "12345"
            scan.symbol.isInverted = true
            scan.symbol.structuredAppend = StructuredAppend(index: 1, count: 3, id: "44")
            scan.frame.exposureMicroseconds = 5000
            scan.frame.gain = 2.5
            scan.frame.lux = 120.25
            scan.frame.focusFoM = 900
            scan.frame.focusState = .focused
            scan.frame.lensPosition = 1.5
            scan.frame.label = "till.jpg"
        }
    }

    /// No optional field, no text, no AIM identifier, no journal, no clock; numbers that aren't any.
    private static func bareScan() -> Event {
        var event = scanEvent(payload: .text) { scan in
            scan.symbol.text = nil
            scan.symbol.aim = ""
            scan.symbol.bytes = []
            scan.session = 0
            let nowhere = Point(x: .nan, y: -.infinity)
            scan.symbol.corners = Quad(nowhere, nowhere, nowhere, nowhere)
            scan.frame.gain = .infinity
            scan.frame.lux = .nan
        }
        if case .scan(var body) = event.body {
            body.journal = ""
            event.body = .scan(body)
        }
        event.stamp.isClockSynced = false
        event.stamp.wallNanoseconds = .min
        return event
    }

    /// Every cause, with its figure and without.
    static let unreadCodes: [UnreadCode] = {
        let corners = Quad(
            Point(x: 0.1, y: 0.2), Point(x: 0.3, y: 0.2), Point(x: 0.3, y: 0.4), Point(x: 0.1, y: 0.4))
        return UnreadCause.allCases.flatMap { cause in
            [
                UnreadCode(
                    corners: corners, kind: .linear, moduleWidth: 1.234, cause: cause, figure: 0.987,
                    symbology: .code39),
                UnreadCode(corners: corners, kind: .matrix, cause: cause),
            ]
        }
    }()

    static func otherEvents() -> [Event] {
        let reasons: [NoReadEvent.Reason] = [
            .timeout, .released, .cancelled, .unconfirmed, .cameraLost, .refusedConfirmation,
        ]
        let bodies: [Event.Body] =
            reasons.map { .noRead(NoReadEvent(session: 7, trigger: .level, reason: $0, duration: .milliseconds(1500))) }
            + [
                .noRead(
                    NoReadEvent(
                        session: 8, trigger: .pulse, reason: .timeout, duration: .seconds(5), unread: unreadCodes[0])),
                .unread(UnreadEvent(codes: unreadCodes)), .unread(UnreadEvent(codes: [])),
                .state(StateEvent(part: "torch", state: "on")),
                .state(
                    StateEvent(
                        part: "camera", state: "unavailable", reason: "notFound", detail: "Is the cable in?",
                        fields: ["found": [], "wanted": "cam0", "type": "clash", "level": 0.5])),
                .receipt(ReceiptEvent(output: "host", scan: "019aa4e7", sequence: 42, outcome: .accepted)),
                .receipt(
                    ReceiptEvent(
                        output: "host", scan: "019aa4e7", sequence: 42, outcome: .refused, reason: "unknown item")),
                .answer(
                    AnswerEvent(scan: "019aa4e7", sequence: 42, verdict: .accepted, by: "mqtt", relay: true)),
                .answer(
                    AnswerEvent(
                        scan: "019aa4e7", sequence: 42, verdict: .refused, by: "control", reason: "sold out",
                        isLate: true)),
                .answer(AnswerEvent(scan: "019aa4e7", sequence: 42, verdict: .none)),
                .error(ErrorEvent(part: "serial", code: "unplugged", message: "Plug it in again")),
            ]
        return bodies.map { Event(stamp: stamp, body: $0) }
    }

    static func events() -> [Event] { scans() + otherEvents() + [testScan()] }

    /// Made up for an output.
    private static func testScan() -> Event {
        var event = scanEvent()
        if case .scan(var body) = event.body {
            body.isTest = true
            event.body = .scan(body)
        }
        return event
    }

    static func replies() -> [[UInt8]] {
        [
            Reply(command: "torch").line(), Reply(command: "torch").line(tag: ["n": 1]),
            Reply(command: "status", fields: ["state": ["camera": "running"], "ok": "clash"]).line(tag: "x"),
            Reply(command: "torch", error: "there is no torch").line(tag: .null),
            Reply(command: "", error: "not JSON").line(),
        ]
    }

    static let commands: [Command] =
        CommandKind.allCases.flatMap { kind -> [Command] in
            switch kind {
            case .status: [.status]
            case .trigger: [.trigger]
            case .release: [.release]
            case .confirm: [.confirm]
            case .ack: [.ack(id: "019aa4e7")]
            case .accept:
                [.accept(id: nil), .accept(id: "a", relay: .pulse(nil)), .accept(id: "a", relay: .pulse(.seconds(3)))]
            case .refuse: [.refuse(id: nil, reason: nil), .refuse(id: "a", reason: "line\nbreak")]
            case .torch: TorchMode.allCases.map(Command.torch)
            case .focus: [.focus(nil), .focus(Point(x: 0.25, y: 1))]
            case .camera: [.camera(id: "/base/soc/i2c0mux/i2c@1/imx708@1a")]
            case .viewport:
                [
                    .viewport(.full),
                    .viewport(Viewport(rect: Rect(x: 0.1, y: 0.2, width: 0.7, height: 0.8), rule: .entire)),
                ]
            case .pause: [.pause]
            case .resume: [.resume]
            case .relay: [.relay(nil), .relay(.milliseconds(500))]
            case .set: [.set(["torch.mode": "auto", "capture.frameRate": 15, "x": [1, .null, ["y": true]]])]
            case .change:
                [
                    .change(["torch.mode": "auto"], revision: "5f0c", author: "owner"),
                    .change(["capture.frameRate": 15], revision: "0", author: nil),
                ]
            case .keep: [.keep(revision: nil), .keep(revision: "5f0c")]
            case .takeBack: [.takeBack]
            case .cameras: [.cameras]
            case .lines: [.lines]
            case .subscribe:
                [
                    .subscribe(types: [], secrets: nil), .subscribe(types: ["scan", "noRead"], secrets: nil),
                    .subscribe(types: [], after: 0, secrets: nil),
                    .subscribe(types: ["scan"], after: 42, journal: "0197f3c1", secrets: nil),
                    .subscribe(types: [], secrets: .revealed),
                ]
            case .hello:
                [
                    .hello(ConsoleHello()),
                    .hello(ConsoleHello(version: "0.1.0", viewers: 3, port: 8080, isOnNetwork: true)),
                ]
            case .preview: [.preview(PreviewRequest()), .preview(PreviewRequest(after: 94, maxWidth: 320))]
            case .identify: [.identify]
            case .scans:
                [
                    .scans(ScanQuery(secrets: .withheld)),
                    .scans(
                        ScanQuery(
                            before: 42, limit: 200, text: "part", kind: "url", symbology: "ean_13",
                            from: 1_795_241_680_125_000_000, to: 1_795_241_681_000_000_000,
                            receipt: .refused, secrets: .withheld)),
                ]
            case .scan: [.scan(id: "019aa4e7", secrets: .withheld)]
            case .sendAgain: [.sendAgain(id: "019aa4e7", output: "till")]
            case .testScan: [.testScan(output: "till")]
            case .outputs: [.outputs]
            case .doctor: [.doctor]
            case .schema: [.schema]
            case .aim: AimRequest.allCases.map { .aim($0) }
            case .firstPassword:
                FirstPasswordRequest.Step.allCases.map { .firstPassword(FirstPasswordRequest(step: $0, code: code(1))) }
                    + [
                        .firstPassword(
                            FirstPasswordRequest(step: .ask, code: code(2), replaces: code(1), from: "192.0.2.7"))
                    ]
            }
        }
}
