import HTTPTypes

/// Header names that HTTPTypes lacks. The tokens are constants, so a name that can't be made would be a typing error here; it is left out
/// then.
enum Header {
    static let fetchSite = HTTPField.Name("Sec-Fetch-Site")
    static let cameraState = HTTPField.Name("X-Camera-State")
    static let lastEventID = HTTPField.Name("Last-Event-ID")

    /// What every answer says: nothing from elsewhere, no frames, no guessing of types.
    static let common: [(String, String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
                + "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}

extension HTTPFields {
    mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { self[name] = value }
    }

    func first(_ name: HTTPField.Name?) -> String? { name.flatMap { self[$0] } }
}
