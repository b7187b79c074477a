/// What the General Specifications say about every application identifier: figures 3.2-1 (formats and titles) and 7.8.5-2 (lengths that are
/// fixed forever).
enum GS1Table {
    /// The row of an AI in full (`3103`, not `310`); `nil` if the table has none.
    static func identifier(for ai: String) -> GS1Identifier? {
        if let whole = byPrefix[ai], whole.maxDecimals == nil { return whole }
        guard ai.utf8.count == 4, let last = ai.utf8.last, let family = byPrefix[String(ai.dropLast())],
            let most = family.maxDecimals, last.isDigit, last.digitValue <= most
        else { return nil }
        return family
    }

    /// The number of digits of an AI that starts with these two digits; `nil` if no AI does. It also separates identifiers that are newer
    /// than the table from their values.
    static func length(ofAIStartingWith prefix: Int) -> Int? {
        switch prefix {
        case 0...4, 10...22, 30, 37, 90...99: 2
        case 23...25, 40...42, 71: 3
        case 31...36, 39, 43, 70, 72, 80...82: 4
        default: nil
        }
    }

    /// AI and value together, for element strings that are never followed by a separator. The list is closed: new AIs with other beginnings
    /// always need a separator.
    static func predefinedLength(ofElementStartingWith prefix: Int) -> Int? {
        switch prefix {
        case 0: 20
        case 1, 2, 3: 16
        case 4: 18
        case 11...19: 8
        case 20: 4
        case 31...36: 10
        case 41: 16
        default: nil
        }
    }

    static let all: [GS1Identifier] =
        identification + details + measures + money + locations + transport + trade + healthcare + special + company

    private static let byPrefix: [String: GS1Identifier] =
        Dictionary(all.map { ($0.prefix, $0) }) { first, _ in first }
}

/// Rows of the table: AI, format, data title. Source: GS1 General Specifications, figure 3.2-1; compared row by row with
/// GS1's syntax dictionary as of July 2026 (titles of 8110 and 8112, which it leaves open, are ours).
extension GS1Table {
    /// Trade items and logistic units.
    private static let identification: [GS1Identifier] = [
        GS1Identifier("00", "N18,csum", "SSCC"),
        GS1Identifier("01", "N14,csum", "GTIN"),
        GS1Identifier("02", "N14,csum", "CONTENT"),
        GS1Identifier("03", "N14,csum", "MTO GTIN"),
    ]

    /// Batches, dates, serial numbers, counts.
    private static let details: [GS1Identifier] = [
        GS1Identifier("10", "X..20", "BATCH/LOT"),
        GS1Identifier("11", "N6,yymmd0", "PROD DATE"),
        GS1Identifier("12", "N6,yymmd0", "DUE DATE"),
        GS1Identifier("13", "N6,yymmd0", "PACK DATE"),
        GS1Identifier("15", "N6,yymmd0", "BEST BEFORE or BEST BY"),
        GS1Identifier("16", "N6,yymmd0", "SELL BY"),
        GS1Identifier("17", "N6,yymmd0", "USE BY or EXPIRY"),
        GS1Identifier("20", "N2", "VARIANT"),
        GS1Identifier("21", "X..20", "SERIAL"),
        GS1Identifier("22", "X..20", "CPV"),
        GS1Identifier("235", "X..28", "TPX"),
        GS1Identifier("240", "X..30", "ADDITIONAL ID"),
        GS1Identifier("241", "X..30", "CUST. PART No."),
        GS1Identifier("242", "N..6", "MTO VARIANT"),
        GS1Identifier("243", "X..20", "PCN"),
        GS1Identifier("250", "X..30", "SECONDARY SERIAL"),
        GS1Identifier("251", "X..30", "REF. TO SOURCE"),
        GS1Identifier("253", "N13,csum X..17?", "GDTI"),
        GS1Identifier("254", "X..20", "GLN EXTENSION COMPONENT"),
        GS1Identifier("255", "N13,csum N..12?", "GCN"),
        GS1Identifier("30", "N..8", "VAR. COUNT"),
        GS1Identifier("37", "N..8", "COUNT"),
    ]

    /// 31nn…36nn: trade measures, and logistic ones (`log`).
    private static let measures: [GS1Identifier] = [
        .measure("310", "NET WEIGHT (kg)", "kg"),
        .measure("311", "LENGTH (m)", "m"),
        .measure("312", "WIDTH (m)", "m"),
        .measure("313", "HEIGHT (m)", "m"),
        .measure("314", "AREA (m²)", "m²"),
        .measure("315", "NET VOLUME (l)", "l"),
        .measure("316", "NET VOLUME (m³)", "m³"),
        .measure("320", "NET WEIGHT (lb)", "lb"),
        .measure("321", "LENGTH (in)", "in"),
        .measure("322", "LENGTH (ft)", "ft"),
        .measure("323", "LENGTH (yd)", "yd"),
        .measure("324", "WIDTH (in)", "in"),
        .measure("325", "WIDTH (ft)", "ft"),
        .measure("326", "WIDTH (yd)", "yd"),
        .measure("327", "HEIGHT (in)", "in"),
        .measure("328", "HEIGHT (ft)", "ft"),
        .measure("329", "HEIGHT (yd)", "yd"),
        .measure("330", "GROSS WEIGHT (kg)", "kg"),
        .measure("331", "LENGTH (m), log", "m"),
        .measure("332", "WIDTH (m), log", "m"),
        .measure("333", "HEIGHT (m), log", "m"),
        .measure("334", "AREA (m²), log", "m²"),
        .measure("335", "VOLUME (l), log", "l"),
        .measure("336", "VOLUME (m³), log", "m³"),
        .measure("337", "KG PER m²", "kg/m²"),
        .measure("340", "GROSS WEIGHT (lb)", "lb"),
        .measure("341", "LENGTH (in), log", "in"),
        .measure("342", "LENGTH (ft), log", "ft"),
        .measure("343", "LENGTH (yd), log", "yd"),
        .measure("344", "WIDTH (in), log", "in"),
        .measure("345", "WIDTH (ft), log", "ft"),
        .measure("346", "WIDTH (yd), log", "yd"),
        .measure("347", "HEIGHT (in), log", "in"),
        .measure("348", "HEIGHT (ft), log", "ft"),
        .measure("349", "HEIGHT (yd), log", "yd"),
        .measure("350", "AREA (in²)", "in²"),
        .measure("351", "AREA (ft²)", "ft²"),
        .measure("352", "AREA (yd²)", "yd²"),
        .measure("353", "AREA (in²), log", "in²"),
        .measure("354", "AREA (ft²), log", "ft²"),
        .measure("355", "AREA (yd²), log", "yd²"),
        .measure("356", "NET WEIGHT (tr oz)", "tr oz"),
        .measure("357", "NET VOLUME (oz)", "oz"),
        .measure("360", "NET VOLUME (qt (US))", "qt"),
        .measure("361", "NET VOLUME (gal.)", "gal"),
        .measure("362", "VOLUME (qt (US)), log", "qt"),
        .measure("363", "VOLUME (gal (US)), log", "gal"),
        .measure("364", "NET VOLUME (in³)", "in³"),
        .measure("365", "NET VOLUME (ft³)", "ft³"),
        .measure("366", "NET VOLUME (yd³)", "yd³"),
        .measure("367", "VOLUME (in³), log", "in³"),
        .measure("368", "VOLUME (ft³), log", "ft³"),
        .measure("369", "VOLUME (yd³), log", "yd³"),
    ]

    /// 39nn.
    private static let money: [GS1Identifier] = [
        GS1Identifier("390", "N..15", "AMOUNT", reading: .amount, maxDecimals: 9),
        GS1Identifier("391", "N3,currency N..15", "AMOUNT", reading: .amount, maxDecimals: 9),
        GS1Identifier("392", "N..15", "PRICE", reading: .amount, maxDecimals: 9),
        GS1Identifier("393", "N3,currency N..15", "PRICE", reading: .amount, maxDecimals: 9),
        GS1Identifier("394", "N4", "PRCNT OFF", reading: .decimals(unit: "%"), maxDecimals: 3),
        GS1Identifier("395", "N6", "PRICE/UoM", reading: .amount, maxDecimals: 5),
    ]

    /// 40n…42n.
    private static let locations: [GS1Identifier] = [
        GS1Identifier("400", "X..30", "ORDER NUMBER"),
        GS1Identifier("401", "X..30", "GINC"),
        GS1Identifier("402", "N17,csum", "GSIN"),
        GS1Identifier("403", "X..30", "ROUTE"),
        GS1Identifier("410", "N13,csum", "SHIP TO LOC"),
        GS1Identifier("411", "N13,csum", "BILL TO"),
        GS1Identifier("412", "N13,csum", "PURCHASE FROM"),
        GS1Identifier("413", "N13,csum", "SHIP FOR LOC"),
        GS1Identifier("414", "N13,csum", "LOC No."),
        GS1Identifier("415", "N13,csum", "PAY TO"),
        GS1Identifier("416", "N13,csum", "PROD/SERV LOC"),
        GS1Identifier("417", "N13,csum", "PARTY"),
        GS1Identifier("420", "X..20", "SHIP TO POST"),
        GS1Identifier("421", "N3 X..9", "SHIP TO POST"),
        GS1Identifier("422", "N3", "ORIGIN"),
        GS1Identifier("423", "N3 N3? N3? N3? N3?", "COUNTRY - INITIAL PROCESS"),
        GS1Identifier("424", "N3", "COUNTRY - PROCESS"),
        GS1Identifier("425", "N3 N3? N3? N3? N3?", "COUNTRY - DISASSEMBLY"),
        GS1Identifier("426", "N3", "COUNTRY - FULL PROCESS"),
        GS1Identifier("427", "X..3", "ORIGIN SUBDIVISION"),
    ]

    /// 43nn.
    private static let transport: [GS1Identifier] = [
        GS1Identifier("4300", "X..35", "SHIP TO COMP"),
        GS1Identifier("4301", "X..35", "SHIP TO NAME"),
        GS1Identifier("4302", "X..70", "SHIP TO ADD1"),
        GS1Identifier("4303", "X..70", "SHIP TO ADD2"),
        GS1Identifier("4304", "X..70", "SHIP TO SUB"),
        GS1Identifier("4305", "X..70", "SHIP TO LOC"),
        GS1Identifier("4306", "X..70", "SHIP TO REG"),
        GS1Identifier("4307", "X2", "SHIP TO COUNTRY"),
        GS1Identifier("4308", "X..30", "SHIP TO PHONE"),
        GS1Identifier("4309", "N10,lat N10,lon", "SHIP TO GEO"),
        GS1Identifier("4310", "X..35", "RTN TO COMP"),
        GS1Identifier("4311", "X..35", "RTN TO NAME"),
        GS1Identifier("4312", "X..70", "RTN TO ADD1"),
        GS1Identifier("4313", "X..70", "RTN TO ADD2"),
        GS1Identifier("4314", "X..70", "RTN TO SUB"),
        GS1Identifier("4315", "X..70", "RTN TO LOC"),
        GS1Identifier("4316", "X..70", "RTN TO REG"),
        GS1Identifier("4317", "X2", "RTN TO COUNTRY"),
        GS1Identifier("4318", "X..20", "RTN TO POST"),
        GS1Identifier("4319", "X..30", "RTN TO PHONE"),
        GS1Identifier("4320", "X..35", "SRV DESCRIPTION"),
        GS1Identifier("4321", "N1,yesno", "DANGEROUS GOODS"),
        GS1Identifier("4322", "N1,yesno", "AUTH TO LEAVE"),
        GS1Identifier("4323", "N1,yesno", "SIG REQUIRED"),
        GS1Identifier("4324", "N6,yymmd0 N4,hhmm", "NOT BEF DEL DT"),
        GS1Identifier("4325", "N6,yymmd0 N4,hhmm", "NOT AFT DEL DT"),
        GS1Identifier("4326", "N6,yymmdd", "REL DATE"),
        GS1Identifier("4330", "N6 X1,minus?", "MAX TEMP F.", reading: .temperature(unit: "°F")),
        GS1Identifier("4331", "N6 X1,minus?", "MAX TEMP C.", reading: .temperature(unit: "°C")),
        GS1Identifier("4332", "N6 X1,minus?", "MIN TEMP F.", reading: .temperature(unit: "°F")),
        GS1Identifier("4333", "N6 X1,minus?", "MIN TEMP C.", reading: .temperature(unit: "°C")),
    ]

    /// 70nn.
    private static let trade: [GS1Identifier] = [
        GS1Identifier("7001", "N13", "NSN"),
        GS1Identifier("7002", "X..30", "MEAT CUT"),
        GS1Identifier("7003", "N6,yymmdd N4,hhmm", "EXPIRY TIME"),
        GS1Identifier("7004", "N..4", "ACTIVE POTENCY"),
        GS1Identifier("7005", "X..12", "CATCH AREA"),
        GS1Identifier("7006", "N6,yymmdd", "FIRST FREEZE DATE"),
        GS1Identifier("7007", "N6,yymmdd N6,yymmdd?", "HARVEST DATE"),
        GS1Identifier("7008", "X..3", "AQUATIC SPECIES"),
        GS1Identifier("7009", "X..10", "FISHING GEAR TYPE"),
        GS1Identifier("7010", "X..2", "PROD METHOD"),
        GS1Identifier("7011", "N6,yymmdd N4,hhmm?", "TEST BY DATE"),
        GS1Identifier("7020", "X..20", "REFURB LOT"),
        GS1Identifier("7021", "X..20", "FUNC STAT"),
        GS1Identifier("7022", "X..20", "REV STAT"),
        GS1Identifier("7023", "X..30", "GIAI - ASSEMBLY"),
        GS1Identifier("7030", "N3 X..27", "PROCESSOR # 0"),
        GS1Identifier("7031", "N3 X..27", "PROCESSOR # 1"),
        GS1Identifier("7032", "N3 X..27", "PROCESSOR # 2"),
        GS1Identifier("7033", "N3 X..27", "PROCESSOR # 3"),
        GS1Identifier("7034", "N3 X..27", "PROCESSOR # 4"),
        GS1Identifier("7035", "N3 X..27", "PROCESSOR # 5"),
        GS1Identifier("7036", "N3 X..27", "PROCESSOR # 6"),
        GS1Identifier("7037", "N3 X..27", "PROCESSOR # 7"),
        GS1Identifier("7038", "N3 X..27", "PROCESSOR # 8"),
        GS1Identifier("7039", "N3 X..27", "PROCESSOR # 9"),
        GS1Identifier("7040", "N1 X3", "UIC+EXT"),
        GS1Identifier("7041", "X..4", "UFRGT UNIT TYPE"),
    ]

    /// 71n and 72nn.
    private static let healthcare: [GS1Identifier] = [
        GS1Identifier("710", "X..20", "NHRN PZN"),
        GS1Identifier("711", "X..20", "NHRN CIP"),
        GS1Identifier("712", "X..20", "NHRN CN"),
        GS1Identifier("713", "X..20", "NHRN DRN"),
        GS1Identifier("714", "X..20", "NHRN AIM"),
        GS1Identifier("715", "X..20", "NHRN NDC"),
        GS1Identifier("716", "X..20", "NHRN AIC"),
        GS1Identifier("717", "X..20", "NHRN SRN"),
        GS1Identifier("7230", "X2 X..28", "CERT # 1"),
        GS1Identifier("7231", "X2 X..28", "CERT # 2"),
        GS1Identifier("7232", "X2 X..28", "CERT # 3"),
        GS1Identifier("7233", "X2 X..28", "CERT # 4"),
        GS1Identifier("7234", "X2 X..28", "CERT # 5"),
        GS1Identifier("7235", "X2 X..28", "CERT # 6"),
        GS1Identifier("7236", "X2 X..28", "CERT # 7"),
        GS1Identifier("7237", "X2 X..28", "CERT # 8"),
        GS1Identifier("7238", "X2 X..28", "CERT # 9"),
        GS1Identifier("7239", "X2 X..28", "CERT # 10"),
        GS1Identifier("7240", "X..20", "PROTOCOL"),
        GS1Identifier("7241", "N2", "AIDC MEDIA TYPE"),
        GS1Identifier("7242", "X..25", "VCN"),
        GS1Identifier("7250", "N8,yyyymmdd", "DOB"),
        GS1Identifier("7251", "N8,yyyymmdd N4,hhmm", "DOB TIME"),
        GS1Identifier("7252", "N1", "BIO SEX"),
        GS1Identifier("7253", "X..40", "FAMILY NAME"),
        GS1Identifier("7254", "X..40", "GIVEN NAME"),
        GS1Identifier("7255", "X..10", "SUFFIX"),
        GS1Identifier("7256", "X..90", "FULL NAME"),
        GS1Identifier("7257", "X..70", "PERSON ADDR"),
        GS1Identifier("7258", "X3", "BIRTH SEQUENCE"),
        GS1Identifier("7259", "X..40", "BABY"),
    ]

    /// 8nnn.
    private static let special: [GS1Identifier] = [
        GS1Identifier("8001", "N14", "DIMENSIONS"),
        GS1Identifier("8002", "X..20", "CMT No."),
        GS1Identifier("8003", "N1,zero N13,csum X..16?", "GRAI"),
        GS1Identifier("8004", "X..30", "GIAI"),
        GS1Identifier("8005", "N6", "PRICE PER UNIT"),
        GS1Identifier("8006", "N14,csum N4,pieces", "ITIP"),
        GS1Identifier("8007", "X..34", "IBAN"),
        GS1Identifier("8008", "N8,yymmddhh N..4,mmss?", "PROD TIME"),
        GS1Identifier("8009", "X..50", "OPTSEN"),
        GS1Identifier("8010", "Y..30", "CPID"),
        GS1Identifier("8011", "N..12", "CPID SERIAL"),
        GS1Identifier("8012", "X..20", "VERSION"),
        GS1Identifier("8013", "X..25,pair", "GMN"),
        GS1Identifier("8014", "X..25,pair", "MUDI"),
        GS1Identifier("8017", "N18,csum", "GSRN - PROVIDER"),
        GS1Identifier("8018", "N18,csum", "GSRN - RECIPIENT"),
        GS1Identifier("8019", "N..10", "SRIN"),
        GS1Identifier("8020", "X..25", "REF No."),
        GS1Identifier("8026", "N14,csum N4,pieces", "ITIP CONTENT"),
        GS1Identifier("8030", "Z..90", "DIGSIG"),
        GS1Identifier("8040", "N15", "IMEI"),
        GS1Identifier("8041", "N15", "IMEI2"),
        GS1Identifier("8042", "N32", "ESIM"),
        GS1Identifier("8043", "N18 N..2?", "PSIM"),
        GS1Identifier("8110", "X..70", "COUPON CODE"),
        GS1Identifier("8111", "N4", "POINTS"),
        GS1Identifier("8112", "X..70", "COUPON CODE, PAPERLESS"),
        GS1Identifier("8200", "X..70", "PRODUCT URL"),
    ]

    /// 90…99: agreed between partners, or a company's own.
    private static let company: [GS1Identifier] = [
        GS1Identifier("90", "X..30", "INTERNAL"),
        GS1Identifier("91", "X..90", "INTERNAL"),
        GS1Identifier("92", "X..90", "INTERNAL"),
        GS1Identifier("93", "X..90", "INTERNAL"),
        GS1Identifier("94", "X..90", "INTERNAL"),
        GS1Identifier("95", "X..90", "INTERNAL"),
        GS1Identifier("96", "X..90", "INTERNAL"),
        GS1Identifier("97", "X..90", "INTERNAL"),
        GS1Identifier("98", "X..90", "INTERNAL"),
        GS1Identifier("99", "X..90", "INTERNAL"),
    ]
}
