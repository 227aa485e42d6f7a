import t from 'tap'
import { dayOf, endOfDay } from '../../web/src/components/shop/shop-days.ts'
import { readPasted } from '../../web/src/pages/purchase-orders/form/pasted-lines.ts'

t.test('a day ends in the time zone of the shop, also at clock changes', async (t) => {
  for (const [day, zone, end] of [
    ['2026-03-01', 'UTC', '2026-03-01T23:59:00.000Z'],
    ['2026-03-28', 'Europe/Berlin', '2026-03-28T22:59:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-29T21:59:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-02T04:59:00.000Z'],
    ['2026-07-01', 'Pacific/Kiritimati', '2026-07-01T09:59:00.000Z'],
    ['2026-07-01', 'Asia/Kathmandu', '2026-07-01T18:14:00.000Z'],
  ] as const) {
    t.equal(endOfDay(day, zone), end, `${day} in ${zone}`)
    t.equal(dayOf(end, zone), day)
  }
})

t.test('pasted rows are parsed with the number formats of any country', async (t) => {
  const lines = (text: string, mark = '.') => readPasted(text, mark).lines.map((line) => Object.values(line))
  t.strictSame(lines('A-1\t24\t2.85\nA-2\t6\t3,60'), [
    ['A-1', 24, 2.85],
    ['A-2', 6, 3.6],
  ])
  t.strictSame(lines('SKU;Quantity;Cost\nA-1;1.000;1.234,50 €\n"B 2";2;'), [
    ['A-1', 1000, 1234.5],
    ['B 2', 2, ''],
  ])
  t.strictSame(lines('A-1,12,$0.125\r\n\r\nB-2,3'), [
    ['A-1', 12, 0.125],
    ['B-2', 3, ''],
  ])
  t.strictSame(lines('A-1\t1,200\t1,234.50\nA-2\t2\t1.234'), [
    ['A-1', 1200, 1234.5],
    ['A-2', 2, 1.234],
  ])
  t.strictSame(
    lines('A-1\t1.200\t1.234', ','),
    [['A-1', 1200, 1234]],
    'the locale decides what one mark means',
  )
})

t.test('an unreadable row is listed unchanged, and column headers are skipped', async (t) => {
  t.strictSame(readPasted('SKU\tQty\nA\tmany\nB\t-3\nC\t1.5\n\t4\nD\t2\tfree', '.'), {
    lines: [],
    unread: ['A\tmany', 'B\t-3', 'C\t1.5', '\t4', 'D\t2\tfree'],
  })
  t.strictSame(
    readPasted('JUG-10\tmany\t3.5\nA\t2', '.'),
    { lines: [{ sku: 'A', quantity: 2, costPrice: '' }], unread: ['JUG-10\tmany\t3.5'] },
    'a first row with a cost is not a header',
  )
  t.strictSame(
    readPasted('JUG-10\tmany', '.'),
    { lines: [], unread: ['JUG-10\tmany'] },
    'a single row is not a header',
  )
  t.strictSame(readPasted('', '.'), { lines: [], unread: [] })
})
