import ObjectStore
import Testing

@Suite struct AttributeValueTests {
    @Test(arguments: [
        (AttributeValue.null, "nil"), (.boolean(true), "true"), (.integer(-474), "-474"),
        (.double(4.5), "4.5"),
        (.decimal("12.50"), "12.50"), (.string("Emma"), "Emma"), (.uri("x:y"), "x:y"),
        (.date(Timestamp(secondsSince1970: 0.5)), "1970-01-01T00:00:00.5Z"),
        (.date(Timestamp(secondsSince1970: 1e300)), "1e+300 s since 1970"),
        (.binary([1]), "1 byte"), (.binary([1, 2, 3]), "3 bytes"),
        (.uuid(UUIDValue(high: 0, low: 1)), "00000000-0000-0000-0000-000000000001"),
    ])
    func descriptionIsReadable(value: AttributeValue, text: String) {
        #expect("\(value)" == text)
    }
}
