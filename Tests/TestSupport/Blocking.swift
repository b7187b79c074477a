import Dispatch

/// Runs blocking code on a separate thread: the cooperative pool has only as many threads as the machine has cores, and all the other tests
/// need them.
package func blocking<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { done in
        DispatchQueue(label: "blocking").async {
            do throws(Failure) {
                let value = try body()
                done.resume(returning: .success(value))
            } catch {
                done.resume(returning: .failure(error))
            }
        }
    }
    return try result.get()
}
