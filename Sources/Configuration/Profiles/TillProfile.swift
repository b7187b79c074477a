extension ProfileDocuments {
    static let till =
        """
        # A till: articles are held in front of the camera, and their numbers are typed into the till's computer, as by a keyboard.
        # The keyboard needs a Pi whose USB port can be a device (docs/outputs/keyboard.md); for a till with a serial port, see below.
        # Wiring: hardware/README.md.

        name: till-1

        capture:
          preset: medium
          idle: run
          exposure:
            maxTime: 4ms          # hands move
          focus:
            mode: continuous
            range: macro          # articles come close

        indicators:
          good: GPIO22
          error: GPIO23
          ready: GPIO24

        buzzer:
          line: GPIO18

        trigger:
          mode: presentation
          sameSymbolTimeout: 1s   # a second one of the same article counts once the first has been away for this long

        # What articles and vouchers carry. Fewer symbologies are faster and safer.
        reading:
          symbologies: [ean_13, ean_8, upc_a, upc_e, code_128, qr_code, data_matrix]

        # Live: what couldn't be typed within 2 s is skipped, on record, because by then another field may have the focus.
        outputs:
          - keyboard:
              device: /dev/hidg0
              layout: us          # of the computer: us, uk, de, fr
              template: '{text}<CR>'

        # Over a serial line instead, with the till's answer to each article: ACK gives the second, high beep, NAK the low ones. A till that
        # sends neither needs acknowledgement: none.
        #outputs:
        #  - serial:
        #      device: /dev/serial0
        #      baud: 115200
        #      template: '{text}<CR><LF>'
        #      acknowledgement: ackNak
        #    name: till
        """
}
