/// A place: `geo:48.2010,16.3695,183` (RFC 5870), with the `q` that phones add.
public struct GeoPayload: Hashable, Sendable {
    /// Degrees, -90…90.
    public var latitude: Double
    /// Degrees, -180…180.
    public var longitude: Double
    /// Metres.
    public var altitude: Double?
    /// Metres; the `u` parameter.
    public var uncertainty: Double?
    /// What to look for there, or the place's name.
    public var query: String?
    public var problems: [String]

    public init(
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
