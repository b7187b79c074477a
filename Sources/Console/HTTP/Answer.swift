import HTTPTypes
import HummingbirdCore
import NIOCore
import Wire

/// The answers that many routes give.
enum Answer {
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        json(bytes: value.bytes, status: status)
    }

    static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static func nothing(cookie: String? = nil) -> Response {
        var response = Response(status: .noContent, headers: [.cacheControl: "no-store"])
        response.headers[.contentLength] = nil
        if let cookie { response.headers[.setCookie] = cookie }
        return response
    }

    static func response(_ error: APIError) -> Response {
        var response = json(error.json, status: HTTPResponse.Status(code: error.status))
        for (name, value) in error.fields { response.headers.set(name, value) }
        return response
    }
}
