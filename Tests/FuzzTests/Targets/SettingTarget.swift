import Settings

@testable import StationConfiguration

/// `ctl set KEY VALUE`, from anyone who may write to the control socket: a byte for the key, the value.
enum SettingTarget {
    private static let keys = RuntimeSettings.keys.map(\.path)

    static func check(_ input: inout FuzzInput) throws {
        let key = input.choice(of: keys)
        let value = String(decoding: input.all(), as: UTF8.self)
        let changed: StationSettings
        do throws(RuntimeSettingError) {
            changed = try RuntimeSettings.apply(key: key, value: value, to: StationSettings())
        } catch {
            try Lines.demandPlain(error.message)
            try demand(error.message.contains(key), "an error names its key: \(error.message)")
            return
        }
        try ConfigurationTarget.showAgain(changed)
    }
}
