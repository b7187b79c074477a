import Linux

/// Tells the service manager how the console is; nothing without one.
enum ServiceManager {
    static func tell(_ message: String, socket name: String? = Environment.value("NOTIFY_SOCKET")) {
        guard let name, name.hasPrefix("/") || name.hasPrefix("@") else { return }
        _ = ServiceSocket(name: name)?.send(message, waits: true)
    }
}
