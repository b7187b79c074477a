/// Scans typed into a computer, as a USB keyboard: a HID gadget of the kernel.
package struct KeyboardSettings: Hashable, Sendable {
    package enum Layout: String, CaseIterable, Hashable, Sendable { case us, uk, de, fr }

    /// The computer's system: dead keys differ, see `KeyboardLayout`.
    package enum Host: String, CaseIterable, Hashable, Sendable { case windows, linux }

    /// What becomes of a control character in the data that isn't allowed.
    package enum ControlPolicy: String, CaseIterable, Hashable, Sendable {
        /// The scan is refused, nothing is typed.
        case refuse
        case skip
    }

    /// What becomes of the GS (0x1D) in GS1 data.
    package enum GSPolicy: String, CaseIterable, Hashable, Sendable {
        case refuse
        case skip
        /// Ctrl+] (the key at that place of a US keyboard), as many scan engines type it.
        case controlKey
    }

    package var device = "/dev/hidg0"
    /// The layout of the computer that it is plugged into.
    package var layout: Layout = .us
    package var host: Host = .windows
    package var format = FormatSettings("{text}<CR>")
    package var gs: GSPolicy = .refuse
    package var controls: ControlPolicy = .refuse
    /// Control characters in the data (not in the template) that are typed, by name. Those with a key are TAB, CR and LF (Enter; one for CR
    /// LF), ESC, BS and DEL.
    package var allowControls: [String] = []
    /// The pause between two reports, so that slow hosts lose no key.
    package var keyInterval: Duration = .milliseconds(4)

    package init() {}
}

extension KeyboardSettings: OutputKind {
    package static let key = "keyboard"
    package static let receiverAdvice = "check that the USB cable leads to a computer that is on"
    package static let sample = KeyboardSettings()
    package static let what = "A USB keyboard: scans are typed into the computer that the Pi is plugged into."
    package static let starter = """
        - keyboard:
            layout: us                # of that computer: us, uk, de, fr
        """
    package static let isUsuallyRequired = false
    package var kind: OutputSettings.Kind { .keyboard(self) }
    package var place: String? { device }
    /// An old scan must not be typed into whatever has the focus by then.
    package static let usualDelivery = DeliveryMode.live
    package var exclusive: (what: String, key: String)? { (device, "device") }
    package var files: [OutputFile] { [OutputFile("device", device, .device)].compactMap { $0 } }
}
