/// Why a command wasn't carried out, and what to do.
struct CommandRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
