extension ProfileDocuments {
    static let door =
        """
        # A door: each code shown is accepted or refused; people see and hear which, and an accepted one opens the door.
        # Who decides: a list in a file, a program on this Pi, or both. Wiring: hardware/README.md.

        name: door-1

        capture:
          preset: medium
          idle: run
          viewport:               # the part of the picture where a phone is held
            x: 0.2
            y: 0.1
            width: 0.6
            height: 0.8
            rule: entire          # all of the code
          exposure:
            maxTime: 8ms          # phones' displays are bright, but rooms are dark
            metering: spot
          focus:
            mode: continuous
            range: normal

        indicators:
          good: GPIO22
          error: GPIO23
          ready: GPIO24

        buzzer:
          line: GPIO18

        # GPIO26 is low until the station runs. With an active-high relay the contact stays off through a restart, and the door stays
        # locked. People must be able to leave without the station: a handle, or a push button of its own.
        relay:
          line: GPIO26
          pulse: 3s
          maxPulse: 5s            # the longest pulse, whoever asks

        host:
          expectsAnswer: on       # a code that nobody accepts in time: red light, two low beeps
          timeout: 1s             # later answers open nothing
          relayOnAccept: on
          # One accepted text per line; the list decides when no program has answered in time. Read at the start and on SIGHUP (systemctl
          # reload scanstation). Make it readable for the station only: anyone who has a text from it can draw its code.
          allowList: /etc/scanstation/allowed.txt

        trigger:
          mode: presentation
          sameSymbolTimeout: 3s   # a ticket counts once while it is held up
          gap: 1s

        # Two-dimensional codes only, so that nobody opens a door with a bottle.
        reading:
          symbologies: [qr_code, micro_qr_code, aztec, data_matrix, pdf417]

        # No copy of a ticket anywhere but in the journal. With a program that decides, replace this line by the block below;
        # one to start from: /usr/share/doc/scanstation/examples/answer-door.py (in the sources: deploy/examples).
        outputs: []

        #outputs:
        #  - unix:
        #      path: /run/scanstation/door.sock
        #      receipt: ack       # the program's accept or refuse, with the scan's id
        #    name: door
        #    delivery: live       # nothing old opens a door
        #    required: off

        # Anyone who may use these sockets may open the door.
        control:
          mode: "0660"
          maxClients: 4
        """
}
