import Settings

/// A field of a payload, or of a part of one: its name on the wire, and how it is read.
struct PayloadField<Whole>: Sendable {
    typealias Read<Value> = @Sendable (Whole) -> Value

    let name: String
    /// Itself, or what lies below it, with dots between the names.
    let paths: [String]
    /// `nil`: left out.
    let value: @Sendable (Whole, SecretPolicy) -> FieldValue?

    private init(_ name: String, below: [String], _ value: @escaping @Sendable (Whole, SecretPolicy) -> FieldValue?) {
        self.name = name
        paths = below.isEmpty ? [name] : below.map { "\(name).\($0)" }
        self.value = value
    }

    init<Value: FieldConvertible>(_ name: String, _ read: @escaping Read<Value>) {
        self.init(name, below: []) { whole, _ in read(whole).fieldValue }
    }

    init(_ name: String, places: Int, _ read: @escaping Read<Double?>) {
        self.init(name, below: []) { whole, _ in read(whole).map { .decimal($0, places: places) } }
    }

    /// A text that depends on what becomes of secrets.
    init(_ name: String, under read: @escaping @Sendable (Whole, SecretPolicy) -> String?) {
        self.init(name, below: []) { whole, secrets in read(whole, secrets).map(FieldValue.text) }
    }

    /// An object.
    init<Part>(_ name: String, of fields: [PayloadField<Part>], _ read: @escaping Read<Part?>) {
        self.init(name, below: fields.paths()) { whole, secrets in
            read(whole).map { .object(fields.members(of: $0, secrets: secrets)) }
        }
    }

    /// A list of objects; an empty one is left out unless it `isKept`.
    init<Part>(_ name: String, each fields: [PayloadField<Part>], isKept: Bool = false, _ read: @escaping Read<[Part]>)
    {
        self.init(name, below: fields.paths()) { whole, secrets in
            let parts = read(whole)
            guard isKept || !parts.isEmpty else { return nil }
            return .list(parts.map { .object(fields.members(of: $0, secrets: secrets)) })
        }
    }
}

extension Array {
    /// In the table's order.
    func members<Whole>(of whole: Whole, secrets: SecretPolicy) -> [FieldValue.Member]
    where Element == PayloadField<Whole> {
        compactMap { field in
            field.value(whole, secrets).map { FieldValue.Member(name: field.name, value: $0) }
        }
    }

    func paths<Whole>() -> [String] where Element == PayloadField<Whole> { flatMap(\.paths) }
}
