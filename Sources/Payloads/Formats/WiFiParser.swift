/// `WIFI:T:WPA;S:name;P:password;H:true;;`
enum WiFiParser {
    /// IEEE 802.11: an SSID has at most 32 bytes.
    private static let maxSSIDBytes = 32

    static func parse(_ body: Bytes, revealsSecrets: Bool) -> WiFiPayload? {
        let fields = DelimitedFields(body)
        guard let name = fields["S"], !name.unquoted.isEmpty else { return nil }
        var problems = Problems()
        let ssid = ssidBytes(name)
        if ssid.count > maxSSIDBytes {
            problems.add("the network's name has \(ssid.count) bytes, at most \(maxSSIDBytes) are possible")
        }
        let password = fields["P"]?.unquoted.textOrNil
        let enterprise = enterprise(fields)
        let security = security(fields["T"]?.text, hasPassword: password != nil, isEnterprise: enterprise != nil)
        check(security, password, named: fields["T"]?.text, &problems)
        return WiFiPayload(
            ssid: ssid.text, ssidBytes: Array(ssid), security: security,
            password: password.map { Secret($0, isRevealed: revealsSecrets) },
            isHidden: fields["H"]?.value.lowercasedText == "true", enterprise: security == .eap ? enterprise : nil,
            passwordIdentifier: security == .eap ? nil : fields["I"]?.text, publicKey: fields["K"]?.text,
            transitionDisable: transitionDisable(fields["R"], &problems), problems: problems.list)
    }

    /// For a code that can't be read because the name is missing.
    static func hasPassword(_ body: Bytes) -> Bool { DelimitedFields(body)["P"]?.unquoted.isEmpty == false }

    /// A name is text, in quotes if it could be taken for hexadecimal. Without quotes it is read as hexadecimal only if it is too long to
    /// be a name: many generators leave the quotes out.
    private static func ssidBytes(_ field: DelimitedFields.Field) -> Bytes {
        let value = field.unquoted
        guard !field.isQuoted, value.count > maxSSIDBytes, value.count % 2 == 0 else { return value }
        var bytes: [UInt8] = []
        for index in stride(from: value.startIndex, to: value.endIndex, by: 2) {
            guard let high = value[index].hexValue, let low = value[index + 1].hexValue else { return value }
            bytes.append(high << 4 | low)
        }
        return bytes[...]
    }

    private static func security(_ type: String?, hasPassword: Bool, isEnterprise: Bool) -> WiFiPayload.Security {
        guard let type, !type.isEmpty else {
            return isEnterprise ? .eap : hasPassword ? .wpa : .open
        }
        switch type.uppercased() {
        case "NOPASS", "NONE", "OPEN", "OWE": return .open
        case "WEP": return .wep
        case "SAE", "WPA3": return .sae
        case "EAP", "WPA2-EAP", "WPA-EAP", "WPA3-EAP": return .eap
        case "WPA", "WPA2", "WPA/WPA2", "WPA2/WPA3", "WPA/WPA2/WPA3", "WPA-PSK", "WPA2-PSK":
            return isEnterprise ? .eap : .wpa
        default: return .unknown
        }
    }

    /// `E` (method) makes it an enterprise network. Early generators put the phase 2 method into `H`.
    private static func enterprise(_ fields: DelimitedFields) -> WiFiPayload.Enterprise? {
        guard let method = fields["E"]?.text else {
            return fields["A"] == nil && fields["PH2"] == nil
                ? nil
                : WiFiPayload.Enterprise(
                    phase2: fields["PH2"]?.text, identity: fields["I"]?.text, anonymousIdentity: fields["A"]?.text)
        }
        let legacyPhase2 = fields["H"]?.text.flatMap { ["true", "false"].contains($0.lowercased()) ? nil : $0 }
        return WiFiPayload.Enterprise(
            method: method, phase2: fields["PH2"]?.text ?? legacyPhase2, identity: fields["I"]?.text,
            anonymousIdentity: fields["A"]?.text)
    }

    private static func check(
        _ security: WiFiPayload.Security, _ password: String?, named type: String?, _ problems: inout Problems
    ) {
        switch (security, password) {
        case (.unknown, _): problems.add("the security type \"\(type ?? "")\" isn't known")
        case (.wep, nil), (.wpa, nil), (.sae, nil): problems.add("the password is missing")
        case (.open, .some): problems.add("there is a password, but the network is said to be open")
        case (.wpa, .some(let password)) where !(8...64).contains(password.utf8.count):
            problems.add("a WPA passphrase has 8 to 63 characters, or 64 hexadecimal digits")
        default: break
        }
    }

    private static func transitionDisable(_ field: DelimitedFields.Field?, _ problems: inout Problems) -> UInt8? {
        guard let text = field?.text else { return nil }
        guard let bits = UInt8(text, radix: 16) else {
            problems.add("the transition disable field isn't a hexadecimal byte")
            return nil
        }
        return bits
    }
}
