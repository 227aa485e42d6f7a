import t from 'tap'
import { createFormats } from '../../shared/format.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

t.test('an amount has the decimals of its currency, or two if it is not whole', (t) => {
  const sum = (locale: string, currency: string, value: number) =>
    plain(createFormats(locale, currency, 'UTC').money(value))
  t.equal(sum('en-US', 'USD', 1234.5), '$1,234.50')
  t.equal(sum('en-US', 'USD', 1234), '$1,234.00')
  t.equal(sum('de-DE', 'EUR', 1234567.89), '1.234.567,89 €')
  t.equal(sum('en-US', 'JPY', 1234), '¥1,234')
  t.equal(sum('en-US', 'JPY', 1234.5), '¥1,234.50')
  t.equal(sum('en-US', 'KWD', 1.25), 'KWD 1.250')
  t.equal(sum('en-US', 'IQD', 1.25), 'IQD 1.250', 'by ISO 4217, of which people use none')
  t.equal(sum('en-US', 'USD', 0), '$0.00')
  t.equal(sum('en-US', 'USD', 9999999999999.99), '$9,999,999,999,999.99')
  t.end()
})

t.test('a unit cost shows up to four decimals', (t) => {
  const cost = (currency: string, value: number) => plain(createFormats('en-US', currency, 'UTC').cost(value))
  t.equal(cost('USD', 0.0375), '$0.0375')
  t.equal(cost('USD', 4.5), '$4.50')
  t.equal(cost('USD', 4), '$4.00')
  t.equal(cost('JPY', 4), '¥4')
  t.equal(cost('JPY', 4.125), '¥4.125')
  t.end()
})

t.test('a time is shown as the day in the time zone of the shop, a date as itself', (t) => {
  const day = (timeZone: string, iso: string) => createFormats('en-GB', 'EUR', timeZone).date(iso)
  t.equal(day('America/New_York', '2025-03-10T02:30:00Z'), '9 March 2025')
  t.equal(day('Asia/Tokyo', '2025-03-09T23:30:00Z'), '10 March 2025')
  t.equal(day('America/New_York', '2025-03-10'), '10 March 2025')
  t.equal(createFormats('ja-JP', 'JPY', 'UTC').date('2025-03-10'), '2025年3月10日')
  t.end()
})

t.test('unknown locales, currencies and time zones fall back to defaults', (t) => {
  for (const odd of ['', 'bogus!', 'xx', 'not a code', '\u0000']) {
    const formats = createFormats(odd, odd, odd)
    t.equal(formats.quantity(1234), '1,234')
    t.equal(formats.date('2025-03-10T00:00:00Z'), 'March 10, 2025')
    t.equal(formats.money(1234.5), `1,234.50 ${odd}`.trim())
    t.equal(formats.date(odd), odd)
  }
  t.equal(plain(createFormats('en', 'ZZZ', 'UTC').money(1)), 'ZZZ 1.00')
  t.end()
})
