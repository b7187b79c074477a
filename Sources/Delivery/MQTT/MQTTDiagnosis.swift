import CMosquitto
import Glibc
import Linux
import Vocabulary

/// Turns what libmosquitto, OpenSSL and the broker say into an `MQTTTrouble`.
struct MQTTDiagnosis: Sendable {
    var host: String
    var port: Int
    var usesTLS: Bool
    /// Whether we have one to show.
    var hasCertificate: Bool
    var username: String?
    var clientID: String
    /// Where the settings are: `outputs[1].mqtt`.
    var place: String

    private var broker: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The library gave up. `hadAnswer`: the broker had accepted us.
    func ended(_ outcome: MQTTClient.Outcome, hadAnswer: Bool, complaints: [String]) -> MQTTTrouble {
        // A connection that worked and then ends is lost, whatever OpenSSL says about the way it ended.
        if !hadAnswer, let trouble = encryption(outcome, complaints) { return trouble }
        switch Int(outcome.status) {
        case Int(CMOSQUITTO_LOOKUP.rawValue): return lookup(outcome.systemError)
        case Int(CMOSQUITTO_ERRNO.rawValue) where !hadAnswer && outcome.systemError != 0:
            return system(SystemError(outcome.systemError))
        case Int(CMOSQUITTO_INVALID.rawValue) where !hadAnswer:
            return passing("cannot connect to \(broker): the process has too many files open")
        default: break
        }
        if hadAnswer { return lost(outcome) }
        // A broker says why it doesn't want us. Silence, or anything else, comes from other servers.
        return notMQTT(MQTTClient.text(of: outcome.status))
    }

    /// The system couldn't connect.
    func unconnected(_ error: SystemError, _ client: MQTTClient) -> MQTTTrouble {
        ended(.system(error.code), hadAnswer: false, complaints: client.complaints)
    }

    /// The connection can't be used any more, or not soon.
    func networkChanged() -> MQTTTrouble {
        passing(
            "the network changed, and nothing has come from \(broker) since before that; connecting again"
        )
    }

    /// Neither an error nor an answer.
    func timedOut(after limit: Duration) -> MQTTTrouble {
        passing(
            "\(broker) gave no MQTT answer within \(DurationText.text(limit)): check that the host is on and reachable, no firewall is in "
                + "between, and \(place).port is its MQTT port")
    }

    /// The broker's answer to CONNECT: MQTT 3.1.1 (3.2.2.3) has 1…5, MQTT 5 (3.2.2.2) numbers from 128 on.
    func refused(_ reason: Int32) -> MQTTTrouble {
        switch reason {
        case 4, 134:
            let who = username.map { "the user \"\($0)\" or the password" } ?? "a connection without user and password"
            return refusal("\(broker) refuses \(who): set \(place).username and \(place).passwordFile")
        case 5, 135:
            let who = username.map { "user \"\($0)\"" } ?? "a client without user name"
            return refusal(
                "\(broker) says that \(who) isn't authorised: check \(place).username and the password, and the "
                    + "broker's list of users")
        case 2, 133:
            return refusal("\(broker) refuses the client id \"\(clientID)\": set \(place).clientID to another one")
        case 3, 136, 137, 151, 159:
            return passing("\(broker) is there but takes no connection now (reason \(reason))")
        case 138: return refusal("\(broker) has banned this client: see its log")
        case 140: return refusal("\(broker) wants an authentication method that ScanStation doesn't know")
        case 156, 157: return refusal("\(broker) says to use another server: change \(place).host")
        default: return refusal("\(broker) refuses the connection (reason \(reason)): see the broker's log")
        }
    }

    /// The broker ended the connection and said why (MQTT 5, 3.14.2.1).
    func dismissed(_ reason: Int32) -> MQTTTrouble {
        switch reason {
        case 142:
            return takenOver(times: 1)
        case 139: return passing("the broker \(broker) is shutting down")
        case 135: return refusal("\(broker) says that we aren't authorised any more: check the user and its rights")
        case 149:
            return refusal(
                "\(broker) ended the connection: a message was larger than it takes (see its max_packet_size)")
        default: return passing("\(broker) ended the connection (reason \(reason)): see the broker's log")
        }
    }

    func takenOver(times: Int) -> MQTTTrouble {
        refusal(
            "another client with our id \"\(clientID)\" connected to \(broker), which closed our connection for it"
                + (times > 1 ? " (\(times) times in a row)" : "") + ": give each station its own \(place).clientID")
    }

    /// A broker that closes connections soon after it accepted them, without giving a reason. It may be the broker's own trouble, so we try
    /// again as after any loss.
    func closedSoon(times: Int) -> MQTTTrouble {
        passing(
            "\(broker) closed the connection soon after it had accepted it, \(times) times in a row: another client may "
                + "have the same id \"\(clientID)\" (set \(place).clientID), or the broker forbids something (see its log)"
        )
    }

    func silent(for limit: Duration) -> MQTTTrouble {
        passing(
            "\(broker) confirmed no message for \(DurationText.text(limit)): see the broker's log; connecting again")
    }

    func unconfirmed(topic: String, _ reason: Int32) -> String {
        switch reason {
        case 135:
            "\(broker) doesn't let us publish to \(topic): allow it in the broker's access list"
                + (username.map { " for user \"\($0)\"" } ?? "")
        case 144: "\(broker) doesn't take the topic \(topic): change \(place).topic"
        case 149: "\(broker) doesn't take messages that large: raise its limit"
        case 151: "\(broker) has no room for more messages now (quota)"
        case 153: "\(broker) refuses the message's format"
        default: "\(broker) didn't take a message for \(topic) (reason \(reason)): see the broker's log"
        }
    }

    // MARK: Parts

    func lookup(_ code: Int32) -> MQTTTrouble {
        // Resolvers that can't be reached say "temporary"; a name that doesn't exist is mistyped.
        passing(
            "cannot find the host \"\(host)\" (\(MQTTClient.lookupText(of: code))): check \(place).host, and the "
                + "network's name service")
    }

    private func system(_ error: SystemError) -> MQTTTrouble {
        switch error.code {
        case ECONNREFUSED:
            passing("\(broker) refuses the connection: is the broker running, and does it listen on this port?")
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN:
            passing("\(broker) cannot be reached (\(error.text)): check the network")
        case ETIMEDOUT:
            passing("\(broker) doesn't answer (\(error.text)): is the host on, and no firewall in between?")
        case ECONNRESET, EPIPE, EPROTO: notMQTT(error.text)
        default: passing("cannot connect to \(broker): \(error.text)")
        }
    }

    private func lost(_ outcome: MQTTClient.Outcome) -> MQTTTrouble {
        let why =
            outcome.systemError != 0 ? SystemError(outcome.systemError).text : MQTTClient.text(of: outcome.status)
        return passing("lost the connection to \(broker) (\(why)); connecting again")
    }

    private func notMQTT(_ why: String) -> MQTTTrouble {
        let advice =
            !usesTLS
            ? "is it an MQTT port (usually 1883)? If the broker wants encryption: set \(place).tls"
            : "is it an MQTT port with TLS (usually 8883)? Without encryption: leave \(place).tls out"
                // With TLS 1.3, a server that wants one breaks off after the handshake, and may not get to say why.
                + (hasCertificate ? "" : ". If it wants a client certificate: set \(place).tls.certificate and .key")
        return passing("\(broker) took the connection but doesn't answer in MQTT (\(why)): \(advice)")
    }

    /// OpenSSL's reasons come as log lines from the library, with texts that are the same in OpenSSL 1.1.1 and 3.
    private func encryption(_ outcome: MQTTClient.Outcome, _ complaints: [String]) -> MQTTTrouble? {
        guard usesTLS else { return nil }
        func says(_ text: String) -> Bool { complaints.contains { $0.contains(text) } }
        if says("certificate verify failed") {
            return refusal(
                "\(broker) shows a certificate that isn't trusted: set \(place).tls.ca to the authority that signed it "
                    + "(and check this machine's clock)")
        }
        if says("host name verification failed") {
            return refusal(
                "the certificate of \(broker) is for another name: set \(place).host to the name in the certificate")
        }
        if says("Unable to load CA certificates") { return refusal("\(place).tls.ca: no certificates in it (PEM)") }
        if says("Unable to load client certificate") {
            return refusal("\(place).tls.certificate: no certificate in it (PEM)")
        }
        if says("Unable to load client key") {
            return refusal("\(place).tls.key: no private key in it (PEM, without passphrase)")
        }
        if says("are inconsistent") {
            return refusal("\(place).tls.key is not the key of \(place).tls.certificate")
        }
        if says("certificate required") || says("alert") {
            return refusal(
                "\(broker) refuses our side of the encryption (\(reason(complaints))): it may want a client certificate; "
                    + "set \(place).tls.certificate and \(place).tls.key to ones it trusts")
        }
        if says("wrong version number") || says("unexpected eof") || says("packet length too long") {
            return notMQTT("no TLS there: \(reason(complaints))")
        }
        let isHandshake =
            outcome.status == Int32(CMOSQUITTO_TLS.rawValue)
            || outcome.status == Int32(CMOSQUITTO_TLS_HANDSHAKE.rawValue)
        guard isHandshake, !complaints.isEmpty else { return nil }
        return passing("no encrypted connection to \(broker): \(reason(complaints))")
    }

    /// The last part of OpenSSL's colon-separated line.
    private func reason(_ complaints: [String]) -> String {
        complaints.last?.split(separator: ":").last.map { String($0).trimmed } ?? "no reason given"
    }

    private func passing(_ message: String) -> MQTTTrouble { MQTTTrouble(kind: .passing, message: message) }
    private func refusal(_ message: String) -> MQTTTrouble { MQTTTrouble(kind: .refusal, message: message) }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
