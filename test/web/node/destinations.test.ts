import t from 'tap'
import { adminPages } from '../../../dev/demo/admin-pages.ts'
import { findDestinations } from '../../../web/src/shell/keys/find-destinations.ts'

t.test('the palette finds a page by the beginnings of its words', async (t) => {
  for (const [text, name] of [
    ['stocktake', 'Start a count'],
    ['stock gaps', 'Stock gaps'],
    ['lost sales', 'Lost sales'],
    ['overst', 'Overstock'],
    ['arrivals', 'Arrivals'],
    ['open-to-buy', 'Open to buy'],
    ['forecast acc', 'Forecast accuracy'],
    ['margin', 'Margin'],
    ['commitments', 'Open commitments'],
    ['abc', 'ABC classes'],
    ['price history', 'Price history'],
    ['count acc', 'Count accuracy'],
    ['budgets', 'Budgets'],
    ['', 'Create an order'],
  ] as const) {
    t.equal(findDestinations(text)[0]?.name, name, text)
  }
  t.strictSame(findDestinations('zzzz-nothing'), [])
})

t.test('each destination is a page', async (t) => {
  const pages: readonly string[] = adminPages
  for (const { to, name } of findDestinations('')) t.ok(pages.includes(to), `${name} is at ${to}`)
})
