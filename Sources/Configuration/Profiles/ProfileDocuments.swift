/// Files to start from, each complete for one use; `hardware/README.md` shows the wiring that they expect. Keys that they leave out have
/// the defaults listed in the commented example.
enum ProfileDocuments {
    static func text(_ profile: StationConfiguration.Profile) -> String {
        let body =
            switch profile {
            case .station: station
            case .handheld: handheld
            case .door: door
            case .inventory: inventory
            case .till: till
            }
        return body + "\n"
    }

    private static let station =
        """
        # A station on a desk or a wall: it is always looking, and every code shown to it is one scan.
        # Camera, three LEDs and the buzzer of the reference wiring (hardware/README.md).
        # Every key, with its default: /usr/share/doc/scanstation/examples/station.yaml (in the sources: deploy/station.yaml)

        name: desk-1

        capture:
          preset: medium          # 1280x720 at 30 frames a second
          idle: run
          focus:
            mode: continuous      # people hold codes at any distance; for a fixed distance: manual and lensPosition
            range: full

        # LEDs, with a resistor each.
        indicators:
          good: GPIO22
          error: GPIO23
          ready: GPIO24

        # An active buzzer on its transistor. A passive one: pwm: {chip: 0, channel: 0}
        buzzer:
          line: GPIO18

        trigger:
          mode: presentation
          sameSymbolTimeout: 1s   # a code that trembles in a hand is one scan

        # The control socket has one JSON line for each event; the UART gets the scans' text as well.
        outputs:
          - serial:
              device: /dev/serial0
              baud: 115200
              template: '{text}<CR><LF>'
        """

    private static let handheld =
        """
        # A handheld scanner: a press starts a session, the torch is lit until something is read, and codes with letters in
        # them wait for a second button. Wiring: hardware/README.md.

        name: handheld-1

        capture:
          preset: medium
          idle: slow              # cooler between presses; run answers a frame sooner
          viewport: centre 60% 50%   # what is aimed at, not what lies around it
          exposure:
            maxTime: 4ms          # hands shake
          focus:
            mode: onTrigger
            range: macro
            speed: fast

        torch:
          line: GPIO17
          mode: session           # only while reading
          maxOnTime: 20s
          coolDown: 10s

        indicators:
          good: GPIO22
          error: GPIO23
          ready: GPIO24

        buzzer:
          line: GPIO18

        trigger:
          mode: pulse
          pulseCancels: on        # a second press gives up
          timeout: 5s
          button:
            line: GPIO27          # to ground; the pin's own pull-up holds it high
            debounce: 10ms

        confirmation:
          policy: alphanumeric    # EAN, UPC and ITF go without it
          timeout: 10s
          button:
            line: GPIO5

        outputs:
          - serial:
              device: /dev/serial0
              template: '{text}<CR>'
        """

    private static let inventory =
        """
        # A stock room: many codes one after another, several in one picture, wide field of view.
        # Wiring: hardware/README.md.

        name: inventory-1

        capture:
          preset: high            # 1920x1080: small codes in a wide picture
          frameRate: 20
          idle: run
          focus:
            mode: continuous
            range: full

        torch:
          line: GPIO17
          mode: auto              # follows the light of the shelves

        indicators:
          good: GPIO22
          error: GPIO23
          ready: GPIO24

        buzzer:
          line: GPIO18

        trigger:
          mode: continuous
          repeatInterval: never   # each code once while it is in view
          sameSymbolTimeout: 2s   # and again only after it has been gone for this long

        reading:
          workers: 2
          symbologies:
            code_39: {minLength: 4, agreement: 2}
            itf: {minLength: 8, checkDigit: verify, agreement: 2}

        outputs:
          - serial:
              device: /dev/serial0
              template: '{json}<LF>'
        """
}
