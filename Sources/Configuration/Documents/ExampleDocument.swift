import Settings

/// The commented example: every key with its meaning, the values it takes, and its default.
enum ExampleDocument {
    static func text() -> String {
        var writer = OutlineWriter(isExample: true)
        writer.remark(
            """
            ScanStation's configuration: every key with its default. A station without a file does the same as with this one.

            A "#" followed by a blank begins a comment, such as this one. A "#" directly before a key switches the key off: \
            remove it (and those of the keys above it) to use the key. In brackets: what a key takes; "ctl" marks the keys \
            that "scanstation ctl set KEY VALUE" can change while the station runs, as in: ctl set capture.exposure.gain 4.

            Check a file with "scanstation config check FILE"; "scanstation config init" has shorter files for common uses.
            Times: 500us, 5ms, 1.5s, 2min, 1h. Bytes: 65536, 64KiB, 128MiB.
            """)
        writer.write(StationSchema.station.outline(StationSettings()))
        return writer.text
    }
}
