import t from 'tap'
import { nextBurst, withoutBarcode } from '../../../web/src/components/forms/scanned-digits.ts'
import { type GoodsScan, nothing } from '../../../web/src/components/scan/goods/state.ts'
import { adviceOf, fullHintOf, hintOf } from '../../../web/src/components/scan/goods/words.ts'
import { adviceOf as countAdviceOf } from '../../../web/src/pages/counts/counting/advice.ts'
import { isScan, readCounted } from '../../../web/src/pages/counts/counting/counted-number.ts'
import type { Scan } from '../../../web/src/pages/counts/offline/state.ts'

const format = {
  count: String,
  many: (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`,
}
const mug = { lineId: 'Mug', variantId: 'Mug', sku: 'MUG', barcode: '', title: 'Mug' }

/** The row of 10 outstanding mugs, some of them accepted. */
const rowWith = (accepted: number) => ({ ...mug, ...nothing, outstanding: 10, allowed: 11, accepted })

t.test('the number of a row says what is left', (t) => {
  for (const [accepted, hint] of [
    [3, '7 left'],
    [10, 'Complete'],
    [11, '1 more than expected'],
  ] as const) {
    t.equal(hintOf(rowWith(accepted), format), hint)
  }
  t.equal(fullHintOf(rowWith(9)), 'More than is left: not counted')
  t.equal(fullHintOf(rowWith(10)), 'Complete: not counted')
  t.end()
})

t.test('a scan that is not counted says why, and what to do', (t) => {
  const scan = (fields: Partial<GoodsScan>): GoodsScan => ({
    code: 'x',
    times: 1,
    fault: 'complete',
    found: [],
    ...fields,
  })
  const scanned = (pieces: number, times = 1) => scan({ times, found: [{ ...mug, pieces }] })
  for (const [row, one, canExceed, advice] of [
    [3, scan({ fault: 'several' }), true, 'Several products have this code. Choose one.'],
    [3, scan({ fault: 'unknown' }), true, 'No product has this code. Put it aside.'],
    [3, scan({ fault: 'other', message: 'It is on PO-2.' }), true, 'It is on PO-2.'],
    [3, scan({}), true, 'This line is complete.'],
    [10, scanned(1), false, 'All pieces of Mug are scanned. Put it aside.'],
    [8, scanned(5), false, 'This pack has 5 pieces, but only 2 of Mug are left. Scan single pieces.'],
    [
      9,
      scanned(1, 3),
      false,
      '3 pieces were scanned, but only 1 of Mug is left. Remove this scan, then scan what is left.',
    ],
    [11, scanned(6), true, '7 more than expected, with 6 pieces of Mug. Put it aside, or count it.'],
  ] as const) {
    t.equal(adviceOf(one, [rowWith(row)], canExceed, format), advice)
  }
  t.end()
})

t.test('a scan that a count does not take says why, and what to do', (t) => {
  const found = [{ ...mug, isTracked: false }]
  for (const [fields, advice] of [
    [{ fault: 'unknown' }, /^No product has this barcode or SKU\. .*Then retry\.$/],
    [{ fault: 'several' }, /Choose one\.$/],
    [
      { fault: 'untracked', times: 2 },
      /quantity of Mug\. Turn on tracking in your shop admin, then retry\.$/,
    ],
    [{ fault: 'untracked', times: 0 }, /then add it again\.$/],
    [{ fault: 'refused', message: 'is wrong' }, /it is wrong\. Count the product again\.$/],
    [
      { fault: 'same_person', message: 'was counted by you before' },
      /before\. Another user must count it\.$/,
    ],
    [{ fault: 'not_in_recount', message: 'is not on the recount list' }, /list\. Put it in another count\.$/],
  ] as const) {
    t.match(countAdviceOf({ code: 'x', times: 1, found, ...fields } as Scan), advice)
  }
  t.end()
})

t.test('a counted number has thousands, and is never the beginning of another text', (t) => {
  for (const [text, number] of [
    ['7', 7],
    [' ', null],
    ['1,000', 1000],
    ['2.000', 2000],
    ['3 000', 3000],
    ['1.5', undefined],
    ['12x', undefined],
    ['-4', undefined],
    ['ABC12', undefined],
    ['1000000000', undefined],
  ] as const) {
    t.equal(readCounted(text), number, text)
  }
  for (const text of ['K-MUG', '12345670']) t.ok(isScan(text), text)
  for (const text of ['', '1234567']) t.notOk(isScan(text), text)
  t.end()
})

t.test('a barcode does not become a quantity: only the digits of the scan are taken back', (t) => {
  /** Types each text without a pause inside, 500 ms after the one before; the field had 3 when it got the focus. */
  const typed = (...texts: string[]) => {
    let burst = { before: 3 as number | '', at: 0 }
    let [text, now] = ['', 1_000]
    for (const part of texts) {
      for (const character of part) {
        burst = nextBurst(burst, text === '' ? 3 : Number(text), now)
        text += character
        now += 1
      }
      now += 500
    }
    return withoutBarcode(text, burst, 3)
  }
  t.equal(typed('97802013'), 3, 'a scan that replaces the quantity')
  t.equal(typed('12', '97802013'), 12, 'a scan behind a typed quantity')
  t.equal(typed('9780', '2013'), 3, 'eight digits in two parts')
  t.end()
})
