/// The treated copies of one picture. Successive passes often share one, so the latest are kept.
struct TreatedPlanes {
    private struct Entry {
        var treatments: [ReadPass.Treatment]
        var isInverted: Bool
        var plane: LumaPlane?
    }

    /// How many copies to keep at a time; each may be as large as the picture, or several times larger.
    static let capacity = 3

    let source: LumaPlane
    private var entries: [Entry] = []

    init(of source: LumaPlane) { self.source = source }

    /// `nil` if the treatment makes no sense at the picture's size.
    mutating func plane(for pass: ReadPass) -> LumaPlane? {
        if pass.treatments.isEmpty && !pass.isInverted { return source }
        if let known = entries.first(where: { $0.treatments == pass.treatments && $0.isInverted == pass.isInverted }) {
            return known.plane
        }
        var plane: LumaPlane? = source
        for treatment in pass.treatments { plane = plane.flatMap(treatment.applied(to:)) }
        if pass.isInverted, let upright = plane {
            plane = upright.pixelCount <= ReadPass.Treatment.mostPixels ? PlaneFilter(of: upright).inverted() : nil
        }
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append(Entry(treatments: pass.treatments, isInverted: pass.isInverted, plane: plane))
        return plane
    }
}
