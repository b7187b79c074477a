/// The program's arguments.
package struct ConsoleOptions: Hashable, Sendable {
    package var socket: String?
    package var state: String?
    package var port: Int?
    package var address: ListenPlan.Place?
    package var web: String?
    package var endsWithParent = false

    package enum Outcome: Hashable, Sendable {
        case run(ConsoleOptions)
        case say(String)
        case wrong(String)
    }

    package static let usage = """
        usage: scanstation-console [--socket PATH] [--state FOLDER] [--port N] [--address local|network|IP] [--web FOLDER] [--with-parent]

        The station's page for a browser. It talks to a running station over its console socket, and listens on 127.0.0.1 until
        `scanstation console password` has set a password.

          --socket PATH     the station's console socket (default: /run/scanstation/console/console.sock)
          --state FOLDER    where the password's hash and tokens are (default: /var/lib/scanstation-console)
          --port N          the port; 0: any free one (default: the configuration's, or 8080 or one of the next 19 that is free)
          --address A       local, network (only with a password) or an IP address (default: the configuration's)
          --web FOLDER      the page's files
          --with-parent     end when standard input ends
          --version, --help

        """

    package init() {}

    package static func parse(_ arguments: [String], version: String) -> Outcome {
        var options = ConsoleOptions()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let sides = argument.split(separator: "=", maxSplits: 1).map(String.init)
            let name = sides.first ?? argument
            switch name {
            case "--help", "-h": return .say(usage)
            case "--version": return .say("scanstation-console \(version)\n")
            case "--with-parent" where sides.count == 1: options.endsWithParent = true
            case "--socket", "--state", "--port", "--address", "--web":
                guard let value = sides.count == 2 ? sides[1] : rest.popFirst(), !value.isEmpty else {
                    return .wrong("\(name) needs a value; --help says which")
                }
                if let problem = options.set(name, value) { return .wrong(problem) }
            default: return .wrong("unknown argument \"\(argument)\"; --help lists what there is")
            }
        }
        return .run(options)
    }

    private mutating func set(_ name: String, _ value: String) -> String? {
        switch name {
        case "--socket": socket = value
        case "--state": state = value
        case "--web": web = value
        case "--port":
            guard let number = Int(value), (0...65_535).contains(number) else {
                return "--port \"\(value)\" isn't a port: give 0 to 65535"
            }
            port = number
        default:
            guard let place = ListenPlan.Place(value) else {
                return "--address \"\(value)\" is neither local, network nor an IP address"
            }
            address = place
        }
        return nil
    }
}
