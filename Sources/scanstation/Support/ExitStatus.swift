import ArgumentParser
import Control
import Delivery
import Station

/// Exit codes, from sysexits.h where one fits.
enum ExitStatus {
    /// `scan`: nothing was read. `ctl`: the station said no.
    static let nothing = ExitCode(1)
    /// EX_UNAVAILABLE: no station is running, or something that it needs isn't available.
    static let unavailable = ExitCode(69)
    /// EX_CANTCREAT: an output can't be made.
    static let cannotCreate = ExitCode(73)
    /// EX_TEMPFAIL: the camera hangs; a new process can use it again. The service manager starts one.
    static let needsNewProcess = ExitCode(75)
    /// EX_NOPERM.
    static let noPermission = ExitCode(77)
    /// EX_CONFIG: the configuration is wrong.
    static let configuration = ExitCode(78)

    /// The exit code of a station that can't start or go on: 78 keeps systemd from trying again with the same wrong settings.
    static func of(_ error: any Error) -> ExitCode {
        switch error {
        case let error as StationError:
            switch error.kind {
            case .configuration: return configuration
            case .unavailable: return unavailable
            case .needsNewProcess: return needsNewProcess
            }
        case let error as DeliveryError: return error.code == .badSetting ? configuration : unavailable
        case let error as ControlError:
            switch error.code {
            case .badSetting, .pathTooLong: return configuration
            case .noPermission: return noPermission
            default: return unavailable
            }
        default: return unavailable
        }
    }
}
