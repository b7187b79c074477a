import Glibc

/// How an edge from light to dark looks to a pixel: blurred by a lens (Gaussian), averaged over the pixel. As tables over the distance from
/// the edge, in modules.
struct EdgeResponse {
    /// Beyond this distance, in modules, the response is 0 or 1.
    let reach: Float
    /// Entries a module.
    private static let density: Float = 24
    /// Response, its slope (per module), and its derivative by sigma, each at the same place.
    private var table: [SIMD4<Float>]

    /// - Parameters:
    ///   - sigma: of the blur, in modules.
    ///   - pixel: width of a pixel, in modules.
    init(sigma: Float, pixel: Float) {
        reach = pixel / 2 + 3.5 * sigma + 0.1
        let count = Int((2 * reach * Self.density).rounded(.up)) + 2
        let half = pixel / 2
        let first = -reach
        table = (0..<count).map { index in
            let distance = first + Float(index) / Self.density
            let (upper, lower) = ((distance + half) / sigma, (distance - half) / sigma)
            let (upperArea, lowerArea) = (Self.area(upper), Self.area(lower))
            let (upperDensity, lowerDensity) = (Self.bell(upper), Self.bell(lower))
            return SIMD4(
                sigma * (upper * upperArea + upperDensity - lower * lowerArea - lowerDensity) / pixel,
                (upperArea - lowerArea) / pixel, (upperDensity - lowerDensity) / pixel, 0)
        }
    }

    /// Response, slope and derivative by sigma.
    @inline(__always)
    func at(_ distance: Float) -> SIMD4<Float> {
        if distance <= -reach { return .zero }
        if distance >= reach { return SIMD4(1, 0, 0, 0) }
        let place = (distance + reach) * Self.density
        let index = Int(place)
        let part = place - Float(index)
        return table.withUnsafeBufferPointer { $0[index] + ($0[index &+ 1] - $0[index]) * part }
    }

    /// The blur of a code, as a standard deviation in the unit of `step`. It follows from the steepest slopes: a lone edge blurred by sigma has a slope of
    /// 1 / (sigma * sqrt(2 pi)).
    /// - Parameter darkness: samples `step` apart.
    static func sigma(steepestOf darkness: ArraySlice<Float>, step: Float) -> Float {
        let slopes = zip(darkness.dropFirst(), darkness).map { abs($0 - $1) / step }.sorted()
        guard !slopes.isEmpty else { return 1 }
        return 0.4 / max(slopes[slopes.count * 19 / 20], 0.001)
    }

    /// Darkness at a place due to bars whose edges are at `edges`, in turn.
    func darkness(_ edges: [Float], at place: Float) -> Float {
        var sum: Float = 0
        for (number, edge) in edges.enumerated() {
            let value = at(place - edge).x
            sum += number % 2 == 0 ? value : -value
        }
        return sum
    }

    private static func area(_ x: Float) -> Float { 0.5 * (1 + erff(x * 0.70710678)) }
    private static func bell(_ x: Float) -> Float { 0.39894228 * expf(-0.5 * x * x) }
}
