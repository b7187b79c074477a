import Vocabulary

/// What a console says about a browser that wants to set the first password.
package struct FirstPasswordRequest: Hashable, Sendable {
    package enum Step: String, CaseIterable, Hashable, Sendable {
        /// It shows this code from now on.
        case ask
        /// How far it is.
        case look
        /// It has given up.
        case withdraw
        /// It sets the password: allowed once, when it is open to it.
        case use
    }

    package var step: Step
    package var code: FirstPasswordCode
    /// The same browser's code before.
    package var replaces: FirstPasswordCode?
    /// Its address, for people.
    package var from: String?

    package init(step: Step, code: FirstPasswordCode, replaces: FirstPasswordCode? = nil, from: String? = nil) {
        self.step = step
        self.code = code
        self.replaces = replaces
        self.from = from
    }
}
