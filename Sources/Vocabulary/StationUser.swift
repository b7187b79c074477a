/// The user of the packaged service (`User=` of scanstation.service).
package enum StationUser {
    package static let name = "scanstation"
}
