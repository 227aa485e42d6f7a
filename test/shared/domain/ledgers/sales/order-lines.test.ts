import fc from 'fast-check'
import t from 'tap'
import {
  compareStates,
  type Order,
  type OrderLine,
  soldOrder,
} from '../../../../../shared/domain/ledgers/sales/order-lines.ts'
import { rounds } from '../../../../support/faults/faults.ts'

const at = '2026-11-01T10:00:00Z'

const orderOf = (line: Partial<OrderLine>, fields: Partial<Order> = {}): Order => ({
  orderGid: 'o',
  orderedAt: at,
  updatedAt: at,
  isTest: false,
  isCancelled: false,
  refunds: [],
  shipments: [],
  lines: [
    {
      lineGid: 'l',
      variantGid: 'v',
      quantity: 10,
      currentQuantity: null,
      unshippedQuantity: null,
      price: 2,
      discount: 0,
      tax: 0,
      ...line,
    },
  ],
  ...fields,
})
const refund = (restockType: string, quantity: number, lineGid = 'l') => ({ lineGid, quantity, restockType })
const shipped = (quantity: number) => [{ lineGid: 'l', quantity }]

/** Cancelled, returned and revenue of a line with 10 units at 2.00. */
const table: [name: string, order: Order, cancelled: number, returned: number, revenue: number | null][] = [
  ['nothing has happened', orderOf({ currentQuantity: 10, unshippedQuantity: 10 }), 0, 0, 20],
  ['a body without current quantities', orderOf({}), 0, 0, 20],
  ['discounted', orderOf({ discount: 5 }), 0, 0, 15],
  ['with tax in the price', orderOf({ discount: 1, tax: 3 }), 0, 0, 16],
  ['half of it is left', orderOf({ tax: 3, currentQuantity: 5, unshippedQuantity: 5 }), 5, 0, 8.5],
  ['removed by an edit without a refund', orderOf({ currentQuantity: 6, unshippedQuantity: 6 }), 4, 0, 12],
  [
    'removed by an edit that is stored as a refund',
    orderOf({ currentQuantity: 6, unshippedQuantity: 6 }, { refunds: [refund('cancel', 4)] }),
    4,
    0,
    12,
  ],
  [
    'cancelled, by a body without current quantities',
    orderOf({}, { refunds: [refund('cancel', 3)] }),
    3,
    0,
    14,
  ],
  [
    'refunded without restock before it was shipped',
    orderOf({ currentQuantity: 7, unshippedQuantity: 7 }, { refunds: [refund('no_restock', 3)] }),
    3,
    0,
    14,
  ],
  [
    'refunded without restock after it was shipped: the customer has it',
    orderOf(
      { currentQuantity: 7, unshippedQuantity: 0 },
      { refunds: [refund('no_restock', 3)], shipments: shipped(10) },
    ),
    0,
    0,
    20,
  ],
  [
    'returned',
    orderOf(
      { currentQuantity: 8, unshippedQuantity: 0 },
      { refunds: [refund('return', 2)], shipments: shipped(10) },
    ),
    0,
    2,
    20,
  ],
  [
    'the example of the docstring',
    orderOf(
      { currentQuantity: 5, unshippedQuantity: 1 },
      { refunds: [refund('cancel', 2), refund('return', 1), refund('no_restock', 2)], shipments: shipped(6) },
    ),
    3,
    1,
    14,
  ],
  [
    'a discount is shared by the units',
    orderOf({ discount: 1, currentQuantity: 7 }, { refunds: [refund('cancel', 3)] }),
    3,
    0,
    13.3,
  ],
  [
    'cancelled as a whole, without a refund',
    orderOf({ currentQuantity: 10 }, { isCancelled: true }),
    10,
    0,
    0,
  ],
  ['cancelled after a part was shipped', orderOf({}, { isCancelled: true, shipments: shipped(4) }), 6, 0, 8],
  ['without a price', orderOf({ price: null }), 0, 0, null],
  ['a discount above the price', orderOf({ discount: 50 }), 0, 0, 0],
  ['refunds of another line', orderOf({}, { refunds: [refund('cancel', 3, 'other')] }), 0, 0, 20],
  ['more returned than was reported as shipped', orderOf({}, { refunds: [refund('return', 4)] }), 0, 4, 20],
  [
    'numbers that contradict each other',
    orderOf({ currentQuantity: 99 }, { shipments: shipped(99) }),
    0,
    0,
    20,
  ],
]

for (const [name, order, cancelled, returned, revenue] of table) {
  t.test(`a line that is ${name}`, async (t) => {
    t.strictSame(soldOrder(order).lines, [
      { lineGid: 'l', variantGid: 'v', quantity: 10, cancelled, returned, revenue },
    ])
  })
}

t.test('a test order sells nothing, and lines without a variant are no sales', async (t) => {
  t.match(soldOrder(orderOf({}, { isTest: true })), { lines: [], lineGids: [], changes: 0 })
  t.match(soldOrder(orderOf({ variantGid: null })), { lines: [], lineGids: ['l'] })
  t.strictSame(soldOrder(orderOf({ quantity: 0 })).lineGids, [], 'a line without units is none')
})

/** What happens to an order, with the number of units. An act that is not possible is left out. */
const acts = ['ship', 'cancel', 'drop', 'edit', 'return', 'refund'] as const
type Act = { act: (typeof acts)[number]; units: number }

/** The states of an order of `quantity` units, and how many units were truly cancelled and returned in each. */
function statesOf(quantity: number, life: readonly Act[]) {
  const now = { unshipped: quantity, withCustomer: 0, shipped: 0, cancelled: 0, returned: 0 }
  const refunds: ReturnType<typeof refund>[] = []
  const states = [
    { order: orderOf({ quantity, currentQuantity: quantity, unshippedQuantity: quantity }), ...now },
  ]
  for (const { act, units } of life) {
    const isOnShelf = act !== 'return' && act !== 'refund'
    if (units > (isOnShelf ? now.unshipped : now.withCustomer)) continue
    if (isOnShelf) now.unshipped -= units
    else now.withCustomer -= units
    if (act === 'ship') {
      now.withCustomer += units
      now.shipped += units
    }
    if (act === 'cancel' || act === 'drop' || act === 'edit') now.cancelled += units
    if (act === 'return') now.returned += units
    const restockType = { cancel: 'cancel', drop: 'no_restock', return: 'return', refund: 'no_restock' }
    if (act in restockType) refunds.push(refund(restockType[act as keyof typeof restockType], units))
    const line = {
      quantity,
      currentQuantity: now.unshipped + now.withCustomer,
      unshippedQuantity: now.unshipped,
    }
    states.push({ order: orderOf(line, { refunds: [...refunds], shipments: shipped(now.shipped) }), ...now })
  }
  return states
}

const lives = fc.record({
  quantity: fc.integer({ min: 1, max: 20 }),
  life: fc.array(fc.record({ act: fc.constantFrom(...acts), units: fc.integer({ min: 1, max: 6 }) })),
})

t.test('cancelled and returned units are exact in every state of an order', async () => {
  fc.assert(
    fc.property(lives, ({ quantity, life }) => {
      for (const { order, cancelled, returned } of statesOf(quantity, life)) {
        const [line] = soldOrder(order).lines
        if (line?.cancelled !== cancelled || line.returned !== returned) return false
        if (line.revenue !== 2 * (quantity - cancelled)) return false
      }
      return true
    }),
    { numRuns: rounds(2_000, 200) },
  )
})

t.test('a later state of the same second is never older, and equal states are equally new', async () => {
  fc.assert(
    fc.property(lives, ({ quantity, life }) => {
      const sold = statesOf(quantity, life).map(({ order }) => soldOrder(order))
      return sold.every((later, place) =>
        sold
          .slice(0, place + 1)
          .every((earlier) => compareStates(later, earlier) >= 0 && compareStates(earlier, later) <= 0),
      )
    }),
    { numRuns: rounds(1_000, 100) },
  )
})

t.test('contradictory numbers never sell less than nothing or more than was ordered', async () => {
  const units = fc.nat({ max: 30 })
  fc.assert(
    fc.property(
      units,
      fc.option(units),
      fc.option(units),
      fc.array(fc.tuple(fc.constantFrom('cancel', 'return', 'no_restock', 'legacy_restock', ''), units)),
      fc.array(units),
      fc.boolean(),
      (quantity, currentQuantity, unshippedQuantity, refunds, shipments, isCancelled) => {
        const order = orderOf(
          { quantity, currentQuantity, unshippedQuantity },
          {
            isCancelled,
            refunds: refunds.map(([type, number]) => refund(type, number)),
            shipments: shipments.flatMap(shipped),
          },
        )
        return soldOrder(order).lines.every(
          (line) =>
            line.cancelled >= 0 &&
            line.returned >= 0 &&
            line.cancelled + line.returned <= quantity &&
            (line.revenue ?? 0) >= 0,
        )
      },
    ),
    { numRuns: rounds(2_000, 200) },
  )
})
