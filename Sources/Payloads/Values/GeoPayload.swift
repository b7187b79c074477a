/// A place: `geo:48.2010,16.3695,183` (RFC 5870), with the `q` that phones add.
package struct GeoPayload: Hashable, Sendable {
    /// Degrees, -90…90.
    package var latitude: Double
    /// Degrees, -180…180.
    package var longitude: Double
    /// Metres.
    package var altitude: Double?
    /// Metres; the `u` parameter.
    package var uncertainty: Double?
    /// What to look for there, or the place's name.
    package var query: String?
    package var problems: [String]

    package init(
        latitude: Double, longitude: Double, altitude: Double? = nil, uncertainty: Double? = nil, query: String? = nil,
        problems: [String] = []
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.uncertainty = uncertainty
        self.query = query
        self.problems = problems
    }
}
