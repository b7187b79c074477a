/// The matrix codes that the soft reader restores.
package enum MatrixFamily: Hashable, CaseIterable, Sendable {
    case qrCode
    case dataMatrix
}
