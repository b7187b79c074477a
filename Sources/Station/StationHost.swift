import Linux

/// The machine's own name, for stations that have none configured.
enum StationHost {
    static var name: String {
        let name = MachineNames.fullHost
        return name.isEmpty ? "scanstation" : name
    }
}
