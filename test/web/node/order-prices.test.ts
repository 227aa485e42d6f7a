import t from 'tap'
import {
  type DraftLine,
  emptyDraft,
  withSupplier,
} from '../../../web/src/pages/purchase-orders/form/draft.ts'
import {
  acceptedQuantity,
  costOf,
  figuresOf,
  isWithoutCost,
  type LineTerms,
  repriced,
  termsOf,
  withPricesOf,
  withQuantity,
} from '../../../web/src/pages/purchase-orders/form/line-prices.ts'
import { sumsOf } from '../../../web/src/pages/purchase-orders/form/sums.ts'

const line: DraftLine = {
  ...{ key: 1, id: undefined, productId: 'p', variantId: 'mug', sku: 'MUG', title: 'Mug' },
  quantity: 24,
}
const terms: LineTerms = {
  ...{ supplierSku: 'CUP-6', packSize: 6, minimumQuantity: 24, quantityMultiple: 1 },
  ...{ price: 2, fullPrice: null, priceSource: 'catalogue' },
  breaks: [
    { minQuantity: 1, price: 2 },
    { minQuantity: 48, price: 1.8 },
  ],
}
const cases: LineTerms = {
  ...terms,
  supplierSku: 'V-CS',
  packSize: 12,
  minimumQuantity: 48,
  quantityMultiple: 24,
}
const unlisted: LineTerms = {
  ...{ supplierSku: '', packSize: 1, minimumQuantity: null, quantityMultiple: 1 },
  ...{ price: null, fullPrice: null, priceSource: 'none', breaks: [] },
}
const ofMug = new Map([['mug', { variantId: 'mug', ...terms, others: [cases], unlisted }]])
/** 10.00 less 10% was paid. */
const ofLastOrder: LineTerms = { ...unlisted, price: 9, fullPrice: 10, priceSource: 'last_order' }

t.test('a quantity becomes the smallest one that the supplier accepts', async (t) => {
  for (const [quantity, packSize, of, expected] of [
    [10, undefined, terms, 24],
    [25, undefined, terms, 30],
    [24, undefined, terms, 24],
    [55, undefined, cases, 72],
    [55, 10, cases, 120],
    ['', undefined, unlisted, 1],
  ] as const) {
    t.equal(acceptedQuantity({ ...line, quantity, packSize }, of), expected, `${quantity} of ${packSize}`)
  }
})

t.test('an agreed price follows the typed quantity, and a typed price stays', async (t) => {
  for (const [before, typed, of, expected] of [
    [{ costPrice: undefined }, 48, terms, { quantity: 48, pricedAt: undefined }],
    [{ costPrice: 2 }, 48, terms, { quantity: 48, pricedAt: undefined, costPrice: 1.8 }],
    [{ costPrice: 9 }, 48, terms, { quantity: 48, pricedAt: undefined }],
    [{ costPrice: 2 }, 48, undefined, { quantity: 48, pricedAt: 24 }],
    [
      { costPrice: 2, quantity: 48, pricedAt: 24 },
      48,
      terms,
      { quantity: 48, pricedAt: undefined, costPrice: 1.8 },
    ],
  ] as const) {
    t.strictSame(withQuantity({ ...line, ...before }, typed, of), expected)
  }
})

t.test('a line without a typed cost has the price of today', async (t) => {
  for (const [what, of, expected] of [
    [{}, terms, 2],
    [{ quantity: 48 }, terms, 1.8],
    [{ costPrice: 9 }, terms, 9],
    [{ costPrice: '' }, terms, ''],
    [{ expectedCost: 3 }, undefined, 3],
    [{}, ofLastOrder, 9],
    [{ discountPercent: 5 }, ofLastOrder, 10],
    [{}, unlisted, undefined],
  ] as const) {
    t.equal(costOf({ ...line, ...what }, of), expected)
  }
  t.ok(isWithoutCost(line, unlisted))
  t.ok(isWithoutCost({ ...line, costPrice: '' }, terms))
  t.notOk(isWithoutCost(line, terms))
})

t.test('a line has the terms of the packaging with its supplier SKU', async (t) => {
  for (const [supplierSku, expected] of [
    [undefined, 'CUP-6'],
    ['CUP-6', 'CUP-6'],
    [' V-CS ', 'V-CS'],
    ['another', ''],
  ] as const) {
    t.equal(termsOf(ofMug, { ...line, supplierSku })?.supplierSku, expected)
  }
  t.equal(termsOf(ofMug, { ...line, variantId: 'bowl' }), undefined, 'they are not read yet')
})

t.test('the prices of today replace those of the lines, except unknown ones', async (t) => {
  const reprice = (change: Partial<DraftLine>, of = ofMug) => {
    const { lines, changed, unknown } = repriced([{ ...line, ...change }], of)
    const { costPrice, discountPercent } = lines[0] ?? {}
    return [costPrice, discountPercent, changed.length, unknown.length]
  }
  const lastOrder = new Map([
    ['mug', { variantId: 'mug', ...ofLastOrder, others: [], unlisted: ofLastOrder }],
  ])
  t.strictSame(reprice({ costPrice: 9, discountPercent: 5 }), [2, 5, 1, 0], 'the discount of the line stays')
  t.strictSame(reprice({ costPrice: 9, quantity: 48 }), [1.8, undefined, 1, 0])
  t.strictSame(reprice({ costPrice: 2 }), [2, undefined, 0, 0])
  t.strictSame(reprice({}), [undefined, undefined, 0, 0], 'it follows the catalogue already')
  t.strictSame(reprice({ costPrice: 9, supplierSku: 'another' }), [9, undefined, 0, 1])
  t.strictSame(
    reprice({ costPrice: 10, discountPercent: 10 }, lastOrder),
    [10, 10, 0, 0],
    '10.00 less 10% is 9.00',
  )
  t.strictSame(reprice({ costPrice: 12, discountPercent: 10 }, lastOrder), [9, 0, 1, 0])
})

t.test('a change of prices is taken back without what was typed since', async (t) => {
  const before = { ...line, costPrice: 12, discountPercent: 10 }
  const now = [
    { ...line, quantity: 48, costPrice: 9, discountPercent: 0 },
    { ...line, key: 2, costPrice: 3 },
  ]
  t.match(withPricesOf([before], now), [
    { quantity: 48, costPrice: 12, discountPercent: 10 },
    { key: 2, costPrice: 3 },
  ])
})

t.test('another supplier brings its own terms, and keeps only a typed tax rate', async (t) => {
  const stored = { ...line, supplierSku: 'CUP-6', packSize: 6, taxRate: 20, costPrice: 2 } as const
  const draft = { ...emptyDraft(1), taxRate: 20, lines: [stored] } as const
  const { supplierSku, packSize, taxRate, costPrice } = withSupplier(draft, 2, 20).lines[0] ?? {}
  t.strictSame([supplierSku, packSize, taxRate, costPrice], [undefined, undefined, undefined, 2])
  t.equal(withSupplier(draft, 2, 20).taxRate, '', 'the rate was that of the old supplier')
  t.equal(withSupplier(draft, 2, 19).taxRate, 20, 'the rate was typed')
  t.equal(withSupplier(draft, 2, 20).supplierId, 2)
})

t.test('the sums have the discount and the tax of each line, and the tax follows the discount', async (t) => {
  const figures = (change: Partial<DraftLine>, taxRate = 0) =>
    figuresOf({ ...line, ...change }, terms, taxRate)
  const sums = (of: ReturnType<typeof figures>[], discount = 0) => sumsOf(of, { decimals: 2, discount })
  t.strictSame(sums([figures({}, 20)]), { subtotal: 48, tax: 9.6 }, '24 x 2.00, and the rate of the supplier')
  t.strictSame(sums([figures({ discountPercent: 5, taxRate: 10 }, 20)]), { subtotal: 45.6, tax: 4.56 })
  const two = figures({ quantity: 2, costPrice: 2 }, 20)
  t.strictSame(sums([two]), { subtotal: 4, tax: 0.8 })
  t.strictSame(sums([two], 1), { subtotal: 4, tax: 0.6 }, 'the discount is not taxed')
  t.strictSame(sums([two, figures({ quantity: '', costPrice: '' }, 20)]), { subtotal: 4, tax: 0.8 })
  const bowls = figuresOf({ ...line, quantity: 55, supplierSku: 'V-CS', costPrice: 1.8 }, cases, 20)
  t.strictSame(sums([bowls]), { subtotal: 99, tax: 19.8 })
})
