// Written by deploy/check-keyboard-layouts from xkeyboard-config and X11's Compose file: not by hand.

/// What Linux makes of a keyboard: per key its usage, then the character by itself, with Shift and with AltGr.
enum XKBLayouts {
    static let us = """
        04 0061 0041 .
        05 0062 0042 .
        06 0063 0043 .
        07 0064 0044 .
        08 0065 0045 .
        09 0066 0046 .
        0A 0067 0047 .
        0B 0068 0048 .
        0C 0069 0049 .
        0D 006A 004A .
        0E 006B 004B .
        0F 006C 004C .
        10 006D 004D .
        11 006E 004E .
        12 006F 004F .
        13 0070 0050 .
        14 0071 0051 .
        15 0072 0052 .
        16 0073 0053 .
        17 0074 0054 .
        18 0075 0055 .
        19 0076 0056 .
        1A 0077 0057 .
        1B 0078 0058 .
        1C 0079 0059 .
        1D 007A 005A .
        1E 0031 0021 .
        1F 0032 0040 .
        20 0033 0023 .
        21 0034 0024 .
        22 0035 0025 .
        23 0036 005E .
        24 0037 0026 .
        25 0038 002A .
        26 0039 0028 .
        27 0030 0029 .
        2C 0020 . .
        2D 002D 005F .
        2E 003D 002B .
        2F 005B 007B .
        30 005D 007D .
        31 005C 007C .
        32 005C 007C .
        33 003B 003A .
        34 0027 0022 .
        35 0060 007E .
        36 002C 003C .
        37 002E 003E .
        38 002F 003F .
        64 003C 003E 007C
        """

    static let gb = """
        04 0061 0041 00E6
        05 0062 0042 201C
        06 0063 0043 00A2
        07 0064 0044 00F0
        08 0065 0045 0065
        09 0066 0046 0111
        0A 0067 0047 014B
        0B 0068 0048 0127
        0C 0069 0049 2192
        0D 006A 004A dead_hook
        0E 006B 004B 0138
        0F 006C 004C 0142
        10 006D 004D 00B5
        11 006E 004E 201D
        12 006F 004F 00F8
        13 0070 0050 00FE
        14 0071 0051 0040
        15 0072 0052 00B6
        16 0073 0053 00DF
        17 0074 0054 0167
        18 0075 0055 2193
        19 0076 0056 201E
        1A 0077 0057 017F
        1B 0078 0058 00BB
        1C 0079 0059 2190
        1D 007A 005A 00AB
        1E 0031 0021 00B9
        1F 0032 0022 00B2
        20 0033 00A3 00B3
        21 0034 0024 20AC
        22 0035 0025 00BD
        23 0036 005E 00BE
        24 0037 0026 007B
        25 0038 002A 005B
        26 0039 0028 005D
        27 0030 0029 007D
        2C 0020 . .
        2D 002D 005F 005C
        2E 003D 002B dead_cedilla
        2F 005B 007B dead_diaeresis
        30 005D 007D dead_tilde
        31 0023 007E dead_grave
        32 0023 007E dead_grave
        33 003B 003A dead_acute
        34 0027 0040 dead_circumflex
        35 0060 00AC 007C
        36 002C 003C 2022
        37 002E 003E 00B7
        38 002F 003F dead_belowdot
        64 005C 007C 007C
        """

    static let de = """
        04 0061 0041 00E6
        05 0062 0042 201C
        06 0063 0043 00A2
        07 0064 0044 00F0
        08 0065 0045 20AC
        09 0066 0046 0111
        0A 0067 0047 014B
        0B 0068 0048 0127
        0C 0069 0049 2192
        0D 006A 004A dead_belowdot
        0E 006B 004B 0138
        0F 006C 004C 0142
        10 006D 004D 00B5
        11 006E 004E 201D
        12 006F 004F 00F8
        13 0070 0050 00FE
        14 0071 0051 0040
        15 0072 0052 00B6
        16 0073 0053 017F
        17 0074 0054 0167
        18 0075 0055 2193
        19 0076 0056 201E
        1A 0077 0057 017F
        1B 0078 0058 00AB
        1C 007A 005A 2190
        1D 0079 0059 00BB
        1E 0031 0021 00B9
        1F 0032 0022 00B2
        20 0033 00A7 00B3
        21 0034 0024 00BC
        22 0035 0025 00BD
        23 0036 0026 00AC
        24 0037 002F 007B
        25 0038 0028 005B
        26 0039 0029 005D
        27 0030 003D 007D
        2C 0020 . .
        2D 00DF 003F 005C
        2E dead_acute dead_grave dead_cedilla
        2F 00FC 00DC dead_diaeresis
        30 002B 002A 007E
        31 0023 0027 2019
        32 0023 0027 2019
        33 00F6 00D6 dead_doubleacute
        34 00E4 00C4 dead_circumflex
        35 dead_circumflex 00B0 2032
        36 002C 003B 00B7
        37 002E 003A 2026
        38 002D 005F 2013
        64 003C 003E 007C
        """

    static let fr = """
        04 0071 0051 0040
        05 0062 0042 201C
        06 0063 0043 00A2
        07 0064 0044 00F0
        08 0065 0045 20AC
        09 0066 0046 0111
        0A 0067 0047 014B
        0B 0068 0048 0127
        0C 0069 0049 2192
        0D 006A 004A dead_hook
        0E 006B 004B 0138
        0F 006C 004C 0142
        10 002C 003F dead_acute
        11 006E 004E 201D
        12 006F 004F 00F8
        13 0070 0050 00FE
        14 0061 0041 00E6
        15 0072 0052 00B6
        16 0073 0053 00DF
        17 0074 0054 0167
        18 0075 0055 2193
        19 0076 0056 201E
        1A 007A 005A 00AB
        1B 0078 0058 00BB
        1C 0079 0059 2190
        1D 0077 0057 0142
        1E 0026 0031 00B9
        1F 00E9 0032 007E
        20 0022 0033 0023
        21 0027 0034 007B
        22 0028 0035 005B
        23 002D 0036 007C
        24 00E8 0037 0060
        25 005F 0038 005C
        26 00E7 0039 005E
        27 00E0 0030 0040
        2C 0020 . .
        2D 0029 00B0 005D
        2E 003D 002B 007D
        2F dead_circumflex dead_diaeresis dead_diaeresis
        30 0024 00A3 00A4
        31 002A 00B5 dead_grave
        32 002A 00B5 dead_grave
        33 006D 004D 00B5
        34 00F9 0025 dead_circumflex
        35 00B2 007E 00AC
        36 003B 002E 2022
        37 003A 002F 00B7
        38 0021 00A7 dead_belowdot
        64 003C 003E 007C
        """

    static let compositions = """
        dead_acute 0020 0027
        dead_acute 0041 00C1
        dead_acute 0043 0106
        dead_acute 0045 00C9
        dead_acute 0047 01F4
        dead_acute 0049 00CD
        dead_acute 004B 1E30
        dead_acute 004C 0139
        dead_acute 004D 1E3E
        dead_acute 004E 0143
        dead_acute 004F 00D3
        dead_acute 0050 1E54
        dead_acute 0052 0154
        dead_acute 0053 015A
        dead_acute 0055 00DA
        dead_acute 0056 01D7
        dead_acute 0057 1E82
        dead_acute 0059 00DD
        dead_acute 005A 0179
        dead_acute 0061 00E1
        dead_acute 0063 0107
        dead_acute 0065 00E9
        dead_acute 0067 01F5
        dead_acute 0069 00ED
        dead_acute 006B 1E31
        dead_acute 006C 013A
        dead_acute 006D 1E3F
        dead_acute 006E 0144
        dead_acute 006F 00F3
        dead_acute 0070 1E55
        dead_acute 0072 0155
        dead_acute 0073 015B
        dead_acute 0075 00FA
        dead_acute 0076 01D8
        dead_acute 0077 1E83
        dead_acute 0079 00FD
        dead_acute 007A 017A
        dead_acute dead_acute 00B4
        dead_circumflex 0020 005E
        dead_circumflex 0041 00C2
        dead_circumflex 0043 0108
        dead_circumflex 0045 00CA
        dead_circumflex 0047 011C
        dead_circumflex 0048 0124
        dead_circumflex 0049 00CE
        dead_circumflex 004A 0134
        dead_circumflex 004F 00D4
        dead_circumflex 0053 015C
        dead_circumflex 0055 00DB
        dead_circumflex 0057 0174
        dead_circumflex 0059 0176
        dead_circumflex 005A 1E90
        dead_circumflex 0061 00E2
        dead_circumflex 0063 0109
        dead_circumflex 0065 00EA
        dead_circumflex 0067 011D
        dead_circumflex 0068 0125
        dead_circumflex 0069 00EE
        dead_circumflex 006A 0135
        dead_circumflex 006F 00F4
        dead_circumflex 0073 015D
        dead_circumflex 0075 00FB
        dead_circumflex 0077 0175
        dead_circumflex 0079 0177
        dead_circumflex 007A 1E91
        dead_circumflex dead_circumflex 005E
        dead_diaeresis 0020 0022
        dead_diaeresis 0041 00C4
        dead_diaeresis 0045 00CB
        dead_diaeresis 0048 1E26
        dead_diaeresis 0049 00CF
        dead_diaeresis 004F 00D6
        dead_diaeresis 0055 00DC
        dead_diaeresis 0057 1E84
        dead_diaeresis 0058 1E8C
        dead_diaeresis 0059 0178
        dead_diaeresis 0061 00E4
        dead_diaeresis 0065 00EB
        dead_diaeresis 0068 1E27
        dead_diaeresis 0069 00EF
        dead_diaeresis 006F 00F6
        dead_diaeresis 0074 1E97
        dead_diaeresis 0075 00FC
        dead_diaeresis 0077 1E85
        dead_diaeresis 0078 1E8D
        dead_diaeresis 0079 00FF
        dead_diaeresis dead_diaeresis 00A8
        dead_grave 0020 0060
        dead_grave 0041 00C0
        dead_grave 0045 00C8
        dead_grave 0049 00CC
        dead_grave 004E 01F8
        dead_grave 004F 00D2
        dead_grave 0055 00D9
        dead_grave 0056 01DB
        dead_grave 0057 1E80
        dead_grave 0059 1EF2
        dead_grave 0061 00E0
        dead_grave 0065 00E8
        dead_grave 0069 00EC
        dead_grave 006E 01F9
        dead_grave 006F 00F2
        dead_grave 0075 00F9
        dead_grave 0076 01DC
        dead_grave 0077 1E81
        dead_grave 0079 1EF3
        dead_grave dead_grave 0060
        """
}
