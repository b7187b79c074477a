import Reading

/// Does the worker executable exist, does it start, and do the linked decoders read what is asked for?
struct ReaderCheck: DoctorCheck {
    let executable: String

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        do {
            let inventory = try await DecoderInventory.load(executable: executable)
            return [Self.finding(inventory, in: context)]
        } catch {
            return [DoctorFinding(.fail, "reader", "\(error)")]
        }
    }

    static func finding(_ inventory: DecoderInventory, in context: DoctorContext) -> DoctorFinding {
        let versions = inventory.decoders.map { "\($0.library) \($0.version)" }.joined(separator: ", ")
        let unread = inventory.unreadable(in: context.settings.reading)
        if unread.isEmpty { return DoctorFinding(.ok, "reader", versions) }
        return DoctorFinding(
            .fail, "reader", "\(versions) read no \(unread.map(\.rawValue).joined(separator: ", "))",
            remedy: "remove them from reading.symbologies")
    }
}

/// The same for readers that run: what they read is known already.
struct DecodersCheck: DoctorCheck {
    /// `nil`: unknown.
    let decoders: DecoderInventory?

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        decoders.map { [ReaderCheck.finding($0, in: context)] } ?? []
    }
}
