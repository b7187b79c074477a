import ControlSupport
import Foundation
import Testing

/// Machines that run tests have no USB device controller, so this reads the script's report descriptor as a computer does.
@Suite("HID gadget script")
struct HIDGadgetTests {
    /// A main item's fields: bits of a report.
    private struct Fields: Hashable {
        var page: Int
        var usages: ClosedRange<Int>?
        var bits: Int
        var count: Int
        var isConstant: Bool
        var isVariable: Bool
        var largest: Int
    }

    /// Short items only, which is all that a keyboard needs (HID 1.11, 6.2.2.2).
    private func parse(_ bytes: [UInt8]) throws -> (inputs: [Fields], outputs: [Fields], depth: Int) {
        var inputs: [Fields] = []
        var outputs: [Fields] = []
        var page = 0, size = 0, count = 0, largest = 0, depth = 0
        var low: Int?, high: Int?
        var index = 0
        while index < bytes.count {
            let length = [0, 1, 2, 4][Int(bytes[index] & 3)]
            try #require(index + length < bytes.count)
            let value = (0..<length).reduce(0) { $0 | Int(bytes[index + 1 + $1]) << (8 * $1) }
            let range = low.flatMap { low in high.map { low...$0 } }
            let fields = Fields(
                page: page, usages: range, bits: size, count: count, isConstant: value & 1 != 0,
                isVariable: value & 2 != 0, largest: largest)
            switch bytes[index] & 0xFC {
            case 0x04: page = value
            case 0x74: size = value
            case 0x94: count = value
            case 0x24: largest = value
            case 0x18: low = value
            case 0x28: high = value
            case 0x80: inputs.append(fields)
            case 0x90: outputs.append(fields)
            case 0xA0: depth += 1
            case 0xC0: depth -= 1
            case 0x08, 0x14: break
            default: Issue.record("item \(bytes[index])")
            }
            // Local items end with a main item.
            if [0x80, 0x90, 0xA0, 0xC0].contains(bytes[index] & 0xFC) { (low, high) = (nil, nil) }
            index += 1 + length
        }
        return (inputs, outputs, depth)
    }

    private func script() throws -> String {
        try String(contentsOf: Fixtures.root.appending(path: "deploy/hid-gadget"), encoding: .utf8)
    }

    @Test("Its descriptor is a boot keyboard's: modifiers, a reserved byte, six keys; five lights")
    func descriptor() throws {
        let text = try script()
        let start = try #require(text.range(of: "report_descriptor='"))
        let end = try #require(text[start.upperBound...].firstIndex(of: "'"))
        let bytes = try text[start.upperBound..<end].split(whereSeparator: \.isWhitespace).map {
            try #require(UInt8($0, radix: 16))
        }
        let (inputs, outputs, depth) = try parse(bytes)
        #expect(depth == 0)
        #expect(
            inputs == [
                Fields(
                    page: 7, usages: 0xE0...0xE7, bits: 1, count: 8, isConstant: false, isVariable: true, largest: 1),
                Fields(page: 7, usages: nil, bits: 8, count: 1, isConstant: true, isVariable: true, largest: 1),
                Fields(
                    page: 7, usages: 0...0x65, bits: 8, count: 6, isConstant: false, isVariable: false, largest: 0x65),
            ])
        #expect(
            outputs == [
                Fields(page: 8, usages: 1...5, bits: 1, count: 5, isConstant: false, isVariable: true, largest: 1),
                Fields(page: 8, usages: nil, bits: 3, count: 1, isConstant: true, isVariable: true, largest: 1),
            ])
        #expect(inputs.reduce(0) { $0 + $1.bits * $1.count } == 64)
        #expect(outputs.reduce(0) { $0 + $1.bits * $1.count } == 8)
        #expect(text.contains("report_length=8\n"))
    }

    @Test("The station's unit and rules let it open the device")
    func permissions() throws {
        let deploy = Fixtures.root.appending(path: "deploy")
        let rules = try String(contentsOf: deploy.appending(path: "60-scanstation.rules"), encoding: .utf8)
        let unit = try String(contentsOf: deploy.appending(path: "scanstation.service"), encoding: .utf8)
        #expect(rules.contains("KERNEL==\"hidg*\", GROUP=\"scanstation\""))
        #expect(unit.contains("Group=scanstation\n"))
        #expect(unit.contains("DeviceAllow=char-hidg rw\n"))
    }
}
