import Vocabulary

/// What a value is, for a form that asks a person for it.
package indirect enum ValueShape: Hashable, Sendable {
    case text
    case choice([String])
    case toggle
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case duration(ClosedRange<Duration>)
    case list
    /// The same, or this word.
    case or(ValueShape, String)
}

/// A key that may change while the station runs, with what a form needs.
package struct SettingForm: Hashable, Sendable {
    /// As in the file: `capture.exposure.gain`.
    package var path: String
    package var shape: ValueShape
    /// In words: `a number from 1 to 64, or auto`.
    package var takes: String
    /// What it is for.
    package var help: String
    /// As it would be written in the file; `nil`: not set.
    package var value: String?
    package var standard: String?
}
