import t from 'tap'
import { isReversed, readDays, requestDays } from '../../../web/src/components/pickers/days.ts'
import { dayOf, endOfDay } from '../../../web/src/components/shop/shop-days.ts'
import { readPasted } from '../../../web/src/pages/purchase-orders/form/pasted-lines.ts'
import { periodsAt, withDays, withPeriod } from '../../../web/src/pages/reports/periods.ts'

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

t.test('the periods of reports end today, or with the month, quarter or year before', async (t) => {
  const daysOf = (today: string) =>
    Object.fromEntries(
      periodsAt(today).map(({ name, days: { startDate, endDate } }) => [name, [startDate, endDate]]),
    )
  t.strictSame(daysOf('2026-03-31'), {
    'All time': [undefined, undefined],
    Today: ['2026-03-31', '2026-03-31'],
    'Last 7 days': ['2026-03-25', '2026-03-31'],
    'Last 30 days': ['2026-03-02', '2026-03-31'],
    'This month': ['2026-03-01', '2026-03-31'],
    'Last month': ['2026-02-01', '2026-02-28'],
    'Last quarter': ['2025-10-01', '2025-12-31'],
    'This year': ['2026-01-01', '2026-03-31'],
    'Last year': ['2025-01-01', '2025-12-31'],
  })
  t.match(daysOf('2026-01-01'), { 'Last month': ['2025-12-01', '2025-12-31'] })
  t.match(daysOf('2024-12-31'), {
    'Last month': ['2024-11-01', '2024-11-30'],
    'Last quarter': ['2024-07-01', '2024-09-30'],
  })
})

t.test('a saved view keeps a period, and other days as they are', async (t) => {
  const [march, april] = ['2026-03-20', '2026-04-05']
  for (const { key, days } of periodsAt(march)) {
    const stored = withPeriod({ ...days, search: 'mug' }, march)
    if (!key) {
      t.strictSame(stored, { ...days, search: 'mug' }, 'all time has no days')
      continue
    }
    t.strictSame(stored, { search: 'mug', period: key })
    const later = periodsAt(april).find((period) => period.key === key)?.days
    t.strictSame(withDays({ search: 'mug', period: key }, april), { search: 'mug', ...later })
  }
  const typed = { startDate: '2026-03-02', endDate: '2026-03-09' }
  t.strictSame(withPeriod(typed, march), typed)
  t.strictSame(withDays(typed, april), typed)
  const first = { startDate: '2026-03-01', endDate: '2026-03-01' }
  t.strictSame(withPeriod(first, '2026-03-01'), first, 'today and this month')
  t.strictSame(withDays({ period: '90d' }, april), { period: '90d' }, 'a report has periods of its own')
})

t.test('a day that is typed in part, and two days in reverse, filter nothing', async (t) => {
  const days = { startDate: '2026-06-01', endDate: '2025-06-06' }
  t.strictSame(readDays({ startDate: '0002-06-01', endDate: '2026-13-01' }), {})
  t.strictSame(readDays({ ...days, other: 1 }), days)
  t.ok(isReversed(days))
  t.strictSame(requestDays({ ...days, search: 'mug' }), { search: 'mug' })
  t.strictSame(requestDays({ startDate: '2026-06-01' }), { startDate: '2026-06-01' })
})

t.test('pasted rows are parsed with the number formats of any country', async (t) => {
  const lines = (text: string, mark = '.') =>
    readPasted(text, mark).lines.map(({ sku, quantity, costPrice }) => [sku, quantity, costPrice])
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
  t.strictSame(
    lines('A-1;2;3\nB-2\t4\t5\nC-3,6,7'),
    [
      ['A-1', 2, 3],
      ['B-2', 4, 5],
      ['C-3', 6, 7],
    ],
    'each row has its own separator',
  )
})

t.test('a row that is read again, as after an unknown SKU, keeps its numbers', async (t) => {
  for (const row of ['ABC\t5\t1,2345', 'ABC\t5\t2,125', 'ABC;5;1.234,5 €', 'ABC;1.200;0,125']) {
    const { lines } = readPasted(row, ',')
    t.strictSame(readPasted(lines.map(({ text }) => text).join('\n'), ',').lines, lines, row)
  }
})

t.test('a comma that may be a decimal mark is not guessed to separate cells', async (t) => {
  t.strictSame(readPasted('A-1,5,1,25\nB-2,5,1', ','), {
    lines: [{ sku: 'B-2', quantity: 5, costPrice: 1, text: 'B-2,5,1' }],
    unread: ['A-1,5,1,25'],
  })
  t.match(readPasted('A-1,5,1.25,Mug\nB-2,5,1.25,3', '.').lines, [{ costPrice: 1.25 }, { costPrice: 1.25 }])
})

t.test('an unreadable row is listed unchanged, and column headers are skipped', async (t) => {
  t.strictSame(readPasted('SKU\tQty\nA\tmany\nB\t-3\nC\t1.5\n\t4\nD\t2\tfree', '.'), {
    lines: [],
    unread: ['A\tmany', 'B\t-3', 'C\t1.5', '\t4', 'D\t2\tfree'],
  })
  t.strictSame(
    readPasted('JUG-10\tmany\t3.5\nA\t2', '.'),
    { lines: [{ sku: 'A', quantity: 2, costPrice: '', text: 'A\t2' }], unread: ['JUG-10\tmany\t3.5'] },
    'a first row with a cost is not a header',
  )
  t.strictSame(
    readPasted('JUG-10\tmany', '.'),
    { lines: [], unread: ['JUG-10\tmany'] },
    'a single row is not a header',
  )
  t.strictSame(readPasted('', '.'), { lines: [], unread: [] })
})
