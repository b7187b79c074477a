import Vocabulary

/// One line of the station, for `status` and the terminal panel.
package struct LineStatus: Hashable, Sendable {
    package var role: LineRole
    /// The name it has in the configuration: `GPIO17`, `pinctrl-rp1:17`, `pwmchip0/pwm1`.
    package var line: String
    package var isHeld: Bool
    /// As read back; `nil` when it isn't held.
    package var isActive: Bool?
    /// Why it isn't held.
    package var problem: String?

    package init(role: LineRole, line: String, isHeld: Bool, isActive: Bool?, problem: String?) {
        self.role = role
        self.line = line
        self.isHeld = isHeld
        self.isActive = isActive
        self.problem = problem
    }
}
