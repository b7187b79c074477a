import Testing

@testable import Payloads

@Suite("Places, numbers, messages, mail, bookmarks")
struct MessagingTests {
    @Test("geo gives coordinates, altitude, uncertainty and query")
    func geo() throws {
        let geo = try #require(payload("geo:48.2010,-16.3695,183;u=20?q=Old+Town%20Hall").geo)
        #expect(geo.latitude == 48.201)
        #expect(geo.longitude == -16.3695)
        #expect(geo.altitude == 183)
        #expect(geo.uncertainty == 20)
        #expect(geo.query == "Old Town Hall")
        #expect(geo.problems.isEmpty)
    }

    @Test(
        "A place that isn't on earth, or no number, is text",
        arguments: [
            "geo:91,0", "geo:0,181", "geo:1", "geo:,", "geo:nan,inf", "geo:1e1,2", "geo:0x10,1", "geo:1,2,3,4",
            "geo:.,.",
        ])
    func badGeo(text: String) { #expect(payload(text) == .text) }

    @Test("Another reference system is named")
    func crs() { #expect(payload("geo:1,2;crs=moon-2011").geo?.problems.count == 1) }

    @Test("tel gives number and extension")
    func phone() {
        #expect(
            payload("tel:+1-816-555-1212;ext=42").phone
                == PhonePayload(number: "+1-816-555-1212", extensionNumber: "42"))
        #expect(payload("TEL:0171%202345").phone?.number == "0171 2345")
        #expect(payload("tel:*100%23").phone?.number == "*100#")
        #expect(payload("tel:") == .text)
        #expect(payload("tel:none") == .text)
        #expect(payload("tel:1\u{1B}[31m") == .text)
    }

    @Test("sms: is percent-encoded, smsto: is plain")
    func sms() {
        #expect(
            payload("sms:+15105550101,+15105550102?body=hello%20there").sms
                == MessagePayload(numbers: ["+15105550101", "+15105550102"], body: "hello there"))
        #expect(
            payload("SMSTO:+15105550101:Is it 100%25: ok?").sms
                == MessagePayload(numbers: ["+15105550101"], body: "Is it 100%25: ok?"))
        #expect(
            payload("mmsto:555?subject=s&body=b").sms
                == MessagePayload(numbers: ["555"], subject: "s", body: "b", isMultimedia: true))
        #expect(payload("sms:?body=pick%20a%20number").sms?.numbers == [])
        #expect(payload("sms:") == .text)
        #expect(payload("smsto:me:hi") == .text)
    }

    @Test("mailto gives addresses, subject and body; a plus is a plus")
    func mailto() {
        #expect(
            payload("mailto:a+b@example.com,c@example.com?cc=d@example.com&bcc=e@example.com&subject=1%2B1&body=x%0Ay")
                .email
                == EmailPayload(
                    to: ["a+b@example.com", "c@example.com"], cc: ["d@example.com"], bcc: ["e@example.com"],
                    subject: "1+1",
                    body: "x\ny"))
        #expect(payload("mailto:?subject=x").email?.to == [])
        #expect(payload("mailto:") == .text)
        #expect(payload("mailto:nobody").email?.problems.count == 1)
    }

    @Test("MATMSG, SMTP and a bare address are mail too")
    func otherMail() {
        #expect(
            payload(#"MATMSG:TO:a@example.com;SUB:Hi\; you;BODY:Text\: this;;"#).email
                == EmailPayload(to: ["a@example.com"], subject: "Hi; you", body: "Text: this"))
        #expect(
            payload("SMTP:a@example.com:Subject:Body: all").email
                == EmailPayload(to: ["a@example.com"], subject: "Subject", body: "Body: all"))
        #expect(payload("jane.doe@mail.example.com").email?.to == ["jane.doe@mail.example.com"])
    }

    @Test(
        "What isn't an address is text",
        arguments: ["a@b", "@example.com", "a b@example.com", "a@@example.com", "a@1.2"])
    func noAddress(text: String) { #expect(payload(text) == .text) }

    @Test("A bookmark has a title and a link")
    func bookmark() {
        #expect(
            payload(#"MEBKM:TITLE:Our\: site;URL:http\://example.com/\;x;;"#)
                == .bookmark(BookmarkPayload(title: "Our: site", url: "http://example.com/;x")))
        #expect(payload("MEBKM:TITLE:x;;") == .text)
    }
}
