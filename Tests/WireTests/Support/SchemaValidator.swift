@testable import Wire

/// A small JSON Schema validator: the keywords of draft 2020-12 that our schema uses, and an error for any other, so that no
/// rule can go unchecked. Annotations (`description`, `default`…) are passed over.
///
/// `isStrict` also reports members of objects that no `properties` names, unless `additionalProperties` is true: the schema
/// lets receivers ignore unknown fields, but ours must all be described.
struct SchemaValidator {
    let root: JSONValue
    var isStrict = false

    /// What is wrong, each with its place; empty if nothing is.
    func faults(of value: JSONValue, against schema: JSONValue? = nil) -> [String] {
        described(value, schema ?? root, at: "")
    }

    private struct Outcome {
        var faults: [String] = []
        /// Members that some `properties` names.
        var named: Set<String> = []
        var isOpen = false

        mutating func add(_ other: Outcome) {
            faults += other.faults
            named.formUnion(other.named)
            isOpen = isOpen || other.isOpen
        }
    }

    private static let annotations: Set<String> = [
        "$schema", "$id", "$defs", "title", "description", "default", "format", "contentEncoding",
    ]

    private func described(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
        let outcome = apply(schema, to: value, at: place)
        guard isStrict, outcome.faults.isEmpty, !outcome.isOpen, case .object(let members) = value else {
            return outcome.faults
        }
        return members.keys.filter { !outcome.named.contains($0) }.map { "\(place): \"\($0)\" isn't described" }
    }

    private func apply(_ schema: JSONValue, to value: JSONValue, at place: String) -> Outcome {
        var outcome = Outcome()
        guard case .object(let keywords) = schema else {
            outcome.faults.append("\(place): the schema must be an object")
            return outcome
        }
        for (keyword, rule) in keywords where !SchemaValidator.annotations.contains(keyword) {
            switch keyword {
            case "$ref": outcome.add(apply(resolve(rule.stringValue ?? ""), to: value, at: place))
            case "allOf": for part in rule.arrayValue ?? [] { outcome.add(apply(part, to: value, at: place)) }
            case "oneOf": outcome.add(one(of: rule.arrayValue ?? [], value, at: place))
            case "not":
                if apply(rule, to: value, at: place).faults.isEmpty { outcome.faults.append("\(place): is forbidden") }
            case "properties", "required", "dependentRequired", "minProperties", "maxProperties",
                "additionalProperties":
                outcome.add(object(keyword, rule, value, at: place))
            case "items":
                for (index, item) in (value.arrayValue ?? []).enumerated() {
                    outcome.faults += described(item, rule, at: "\(place)/\(index)")
                }
            default:
                if let fault = SchemaScalars.fault(of: value, keyword: keyword, rule: rule) {
                    outcome.faults.append("\(place): \(fault)")
                }
            }
        }
        return outcome
    }

    private func resolve(_ reference: String) -> JSONValue {
        let name = String(reference.dropFirst("#/$defs/".count))
        return root["$defs"]?[name] ?? .object(["unresolved " + reference: .null])
    }

    private func one(of parts: [JSONValue], _ value: JSONValue, at place: String) -> Outcome {
        let outcomes = parts.map { apply($0, to: value, at: place) }
        let fitting = outcomes.filter(\.faults.isEmpty)
        if fitting.count == 1, let only = fitting.first { return only }
        let closest = outcomes.min { $0.faults.count < $1.faults.count }?.faults.joined(separator: "; ") ?? ""
        return Outcome(faults: ["\(place): fits \(fitting.count) of \(parts.count) (\(closest))"])
    }

    private func object(_ keyword: String, _ rule: JSONValue, _ value: JSONValue, at place: String) -> Outcome {
        var outcome = Outcome()
        guard case .object(let members) = value else { return outcome }
        switch keyword {
        case "properties":
            for (name, schema) in rule.objectValue ?? [:] {
                outcome.named.insert(name)
                guard let member = members[name] else { continue }
                outcome.faults += described(member, schema, at: "\(place)/\(name)")
            }
        case "required":
            for name in rule.arrayValue ?? [] where members[name.stringValue ?? ""] == nil {
                outcome.faults.append("\(place): \(name) is missing")
            }
        case "dependentRequired":
            for (name, others) in rule.objectValue ?? [:] where members[name] != nil {
                for other in others.arrayValue ?? [] where members[other.stringValue ?? ""] == nil {
                    outcome.faults.append("\(place): \(other) is missing beside \(name)")
                }
            }
        case "minProperties": if members.count < rule.integerValue ?? 0 { outcome.faults.append("\(place): too few") }
        case "maxProperties": if members.count > rule.integerValue ?? 0 { outcome.faults.append("\(place): too many") }
        default: outcome.isOpen = rule == .bool(true)
        }
        return outcome
    }
}

/// Keywords that look at one value.
private enum SchemaScalars {
    static func fault(of value: JSONValue, keyword: String, rule: JSONValue) -> String? {
        switch keyword {
        case "type":
            let names = rule.arrayValue ?? [rule]
            return names.contains { isOf(value, type: $0.stringValue ?? "") } ? nil : "\(value) isn't \(rule)"
        case "const": return value == rule ? nil : "\(value) isn't \(rule)"
        case "enum": return rule.arrayValue?.contains(value) == true ? nil : "\(value) isn't one of \(rule)"
        case "minimum": return compare(value, rule) { $0 >= $1 } ? nil : "\(value) is below \(rule)"
        case "maximum": return compare(value, rule) { $0 <= $1 } ? nil : "\(value) is above \(rule)"
        case "exclusiveMinimum": return compare(value, rule) { $0 > $1 } ? nil : "\(value) isn't above \(rule)"
        case "minLength": return length(value).map { $0 >= rule.integerValue ?? 0 } ?? true ? nil : "too short"
        case "maxLength": return length(value).map { $0 <= rule.integerValue ?? 0 } ?? true ? nil : "too long"
        case "minItems": return (value.arrayValue?.count).map { $0 >= rule.integerValue ?? 0 } ?? true ? nil : "too few"
        case "maxItems":
            return (value.arrayValue?.count).map { $0 <= rule.integerValue ?? 0 } ?? true ? nil : "too many"
        case "pattern": return matches(value, rule.stringValue ?? "")
        default: return "the validator doesn't know the keyword \"\(keyword)\""
        }
    }

    private static func isOf(_ value: JSONValue, type: String) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object): true
        case ("number", .integer), ("number", .number), ("integer", .integer): true
        case ("integer", .number(let number)): number.rounded() == number
        default: false
        }
    }

    /// True for what isn't a number: `type` says so.
    private static func compare(_ value: JSONValue, _ rule: JSONValue, _ order: (Double, Double) -> Bool) -> Bool {
        guard let number = value.doubleValue, let bound = rule.doubleValue else { return true }
        return order(number, bound)
    }

    private static func length(_ value: JSONValue) -> Int? { value.stringValue?.unicodeScalars.count }

    private static func matches(_ value: JSONValue, _ pattern: String) -> String? {
        guard let text = value.stringValue else { return nil }
        do {
            return try Regex(pattern).firstMatch(in: text) == nil ? "\(value) doesn't match \(pattern)" : nil
        } catch {
            return "the pattern \(pattern) is wrong: \(error)"
        }
    }
}
