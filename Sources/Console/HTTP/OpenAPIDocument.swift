/// The description of the API, embedded when the program is built.
package enum OpenAPIDocument {
    package static var bytes: [UInt8] { PackageResources.openapi_json }
}
