import ScanCore

/// One line of the station, for `status` and the terminal panel.
public struct LineStatus: Hashable, Sendable {
    public var role: LineRole
    /// The name it has in the configuration: `GPIO17`, `pinctrl-rp1:17`, `pwmchip0/pwm1`.
    public var line: String
    public var isHeld: Bool
    /// As read back; `nil` when it isn't held.
    public var isActive: Bool?
    /// Why it isn't held.
    public var problem: String?

    public init(role: LineRole, line: String, isHeld: Bool, isActive: Bool?, problem: String?) {
        self.role = role
        self.line = line
        self.isHeld = isHeld
        self.isActive = isActive
        self.problem = problem
    }
}
