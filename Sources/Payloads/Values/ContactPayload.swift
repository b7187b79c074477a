/// A person or a company: vCard 2.1, 3.0, 4.0 or MeCard.
package struct ContactPayload: Hashable, Sendable {
    package enum Format: String, CaseIterable, Hashable, Sendable {
        case vCard = "vcard"
        case meCard = "mecard"
    }

    package struct Name: Hashable, Sendable {
        /// The name to show.
        package var formatted: String
        package var family: String?
        package var given: String?
        package var middle: String?
        package var prefix: String?
        package var suffix: String?

        package init(
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
    package struct Labelled: Hashable, Sendable {
        package var value: String
        package var types: [String]

        package init(_ value: String, types: [String] = []) {
            self.value = value
            self.types = types
        }
    }

    package struct Address: Hashable, Sendable {
        package var types: [String]
        package var postOfficeBox: String?
        package var extended: String?
        package var street: String?
        package var city: String?
        package var region: String?
        package var postalCode: String?
        package var country: String?

        package init(
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

    package var format: Format
    /// The vCard's version as it was written; `nil` for MeCard.
    package var version: String?
    package var name: Name
    package var nickname: String?
    package var organization: String?
    /// Department, outermost first.
    package var units: [String]
    package var title: String?
    package var phones: [Labelled]
    package var emails: [Labelled]
    package var addresses: [Address]
    package var urls: [String]
    package var birthday: String?
    package var note: String?
    package var problems: [String]

    package init(
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
