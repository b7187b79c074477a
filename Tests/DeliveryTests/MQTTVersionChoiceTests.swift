import Testing

@testable import Delivery

@Suite("MQTT versions") struct MQTTVersionChoiceTests {
    @Test(
        "A broker that ends the connection without a word is spoken to in 3.1.1 the second time, and in 5 again later")
    func silent() {
        var choice = MQTTVersionChoice()
        var levels: [Int32] = []
        for _ in 0..<5 {
            levels.append(choice.level)
            choice.ended(wasAccepted: false)
        }
        #expect(levels == [5, 5, 4, 4, 5])
    }

    @Test("One that was only being stopped is spoken to in 5 afterwards: 3.1.1 acknowledges what it throws away")
    func stopped() {
        var choice = MQTTVersionChoice()
        choice.ended(wasAccepted: false)
        #expect(choice.level == MQTTClient.newProtocol)
        choice.ended(wasAccepted: false)
        #expect(choice.level == MQTTClient.oldProtocol)
        choice.ended(wasAccepted: true)
        #expect(choice.level == MQTTClient.newProtocol)
    }

    @Test("One that says that it doesn't know 5 is taken at its word")
    func refused() {
        var choice = MQTTVersionChoice()
        let hasAnother = choice.refused()
        #expect(hasAnother)
        choice.ended(wasAccepted: true)
        #expect(choice.level == MQTTClient.oldProtocol)
        let hasAThird = choice.refused()
        #expect(!hasAThird)
    }
}
