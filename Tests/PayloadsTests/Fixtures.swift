import Settings
import Vocabulary

@testable import Payloads

/// A QR Code with a text, or another symbol.
func symbol(_ text: String, _ symbology: Symbology = .qrCode, aim: String = "]Q1", addOn: String? = nil) -> Symbol {
    symbol(bytes: Array(text.utf8), text: text, symbology, aim: aim, addOn: addOn)
}

func symbol(
    bytes: [UInt8], text: String?, _ symbology: Symbology = .qrCode, aim: String = "]Q1", addOn: String? = nil
) -> Symbol {
    let origin = Point(x: 0, y: 0)
    return Symbol(
        symbology: symbology, aim: aim, bytes: bytes, text: text, corners: Quad(origin, origin, origin, origin),
        addOn: addOn)
}

/// What a text means with the default settings.
func payload(_ text: String, settings: PayloadSettings = PayloadSettings()) -> Payload {
    PayloadInterpreter(settings: settings).interpret(symbol(text))
}

extension Payload {
    var url: URLPayload? { if case .url(let value) = self { value } else { nil } }
    var wifi: WiFiPayload? { if case .wifi(let value) = self { value } else { nil } }
    var contact: ContactPayload? { if case .contact(let value) = self { value } else { nil } }
    var event: CalendarEventPayload? { if case .event(let value) = self { value } else { nil } }
    var geo: GeoPayload? { if case .geo(let value) = self { value } else { nil } }
    var phone: PhonePayload? { if case .phone(let value) = self { value } else { nil } }
    var sms: MessagePayload? { if case .sms(let value) = self { value } else { nil } }
    var email: EmailPayload? { if case .email(let value) = self { value } else { nil } }
    var otp: OneTimePasswordPayload? { if case .otp(let value) = self { value } else { nil } }
    var gs1: GS1Payload? { if case .gs1(let value) = self { value } else { nil } }
    var product: ProductPayload? { if case .product(let value) = self { value } else { nil } }
}
