/// The names under which the page may be asked for. Any other is a DNS name that somebody else has pointed at this address (DNS rebinding),
/// and whose pages a browser would take for ours.
package struct HostRule: Hashable, Sendable {
    /// Without `.local`.
    package var ownNames: Set<String>
    /// In full, such as `console.example.com`.
    package var names: Set<String>

    /// - Parameter ownNames: of the machine and the station; a part after the first dot is left out.
    package init(ownNames: [String] = [], names: [String] = []) {
        self.ownNames = Set(ownNames.map { String($0.lowercased().prefix { $0 != "." }) }.filter { !$0.isEmpty })
        self.names = Set(names.map { $0.lowercased() })
    }

    /// - Parameter host: the header, with or without a port.
    package func allows(_ host: String?) -> Bool {
        guard let host, let name = Self.name(of: host) else { return false }
        return IPAddress(name) != nil || name == "localhost" || names.contains(name) || isOwn(name)
    }

    /// mDNS adds a number when the name was taken: `dock-1-2.local`.
    private func isOwn(_ name: String) -> Bool {
        guard name.hasSuffix(".local") else { return false }
        let label = name.dropLast(".local".count)
        if ownNames.contains(String(label)) { return true }
        guard let dash = label.lastIndex(of: "-") else { return false }
        let number = label[label.index(after: dash)...]
        guard (1...3).contains(number.utf8.count), number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        return ownNames.contains(String(label[..<dash]))
    }

    /// The name without its port and brackets, in lower case; `nil` if that isn't a host.
    private static func name(of host: String) -> String? {
        guard host.utf8.count <= 260 else { return nil }
        var name = host.lowercased()[...]
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return nil }
            guard isPort(name[name.index(after: end)...]) else { return nil }
            name = name[name.index(after: name.startIndex)..<end]
            guard name.contains(":") else { return nil }
        } else if let colon = name.firstIndex(of: ":") {
            guard isPort(name[colon...]) else { return nil }
            name = name[..<colon]
        }
        // A full stop at the end is the same name to DNS.
        if name.hasSuffix(".") { name = name.dropLast() }
        return name.isEmpty ? nil : String(name)
    }

    /// Nothing, or a colon with a port.
    private static func isPort(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        return text.first == ":" && UInt16(text.dropFirst()) != nil && text.dropFirst().allSatisfy(\.isNumber)
    }
}
