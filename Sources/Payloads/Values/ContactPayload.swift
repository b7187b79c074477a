/// A person or a company: vCard 2.1, 3.0, 4.0 or MeCard.
public struct ContactPayload: Hashable, Sendable {
    public enum Format: String, CaseIterable, Hashable, Sendable {
        case vCard = "vcard"
        case meCard = "mecard"
    }

    public struct Name: Hashable, Sendable {
        /// The name as it is to be shown.
        public var formatted: String
        public var family: String?
        public var given: String?
        public var middle: String?
        public var prefix: String?
        public var suffix: String?

        public init(
            formatted: String = "", family: String? = nil, given: String? = nil, middle: String? = nil,
            prefix: String? = nil, suffix: String? = nil
        ) {
            self.formatted = formatted
            self.family = family
            self.given = given
            self.middle = middle
            self.prefix = prefix
            self.suffix = suffix
        }
    }

    /// A phone number or an address with what it is for (`work`, `cell`…, lower case).
    public struct Labelled: Hashable, Sendable {
        public var value: String
        public var types: [String]

        public init(_ value: String, types: [String] = []) {
            self.value = value
            self.types = types
        }
    }

    public struct Address: Hashable, Sendable {
        public var types: [String]
        public var postOfficeBox: String?
        public var extended: String?
        public var street: String?
        public var city: String?
        public var region: String?
        public var postalCode: String?
        public var country: String?

        public init(
            types: [String] = [], postOfficeBox: String? = nil, extended: String? = nil, street: String? = nil,
            city: String? = nil, region: String? = nil, postalCode: String? = nil, country: String? = nil
        ) {
            self.types = types
            self.postOfficeBox = postOfficeBox
            self.extended = extended
            self.street = street
            self.city = city
            self.region = region
            self.postalCode = postalCode
            self.country = country
        }
    }

    public var format: Format
    /// The vCard's version as it was written; `nil` for MeCard.
    public var version: String?
    public var name: Name
    public var nickname: String?
    public var organization: String?
    /// Department, outermost first.
    public var units: [String]
    public var title: String?
    public var phones: [Labelled]
    public var emails: [Labelled]
    public var addresses: [Address]
    public var urls: [String]
    public var birthday: String?
    public var note: String?
    public var problems: [String]

    public init(
        format: Format, version: String? = nil, name: Name = Name(), nickname: String? = nil,
        organization: String? = nil, units: [String] = [], title: String? = nil, phones: [Labelled] = [],
        emails: [Labelled] = [], addresses: [Address] = [], urls: [String] = [], birthday: String? = nil,
        note: String? = nil, problems: [String] = []
    ) {
        self.format = format
        self.version = version
        self.name = name
        self.nickname = nickname
        self.organization = organization
        self.units = units
        self.title = title
        self.phones = phones
        self.emails = emails
        self.addresses = addresses
        self.urls = urls
        self.birthday = birthday
        self.note = note
        self.problems = problems
    }
}
