import t, { type Test } from 'tap'
import { callerOf, type Json, small, smallShop, startShop } from '../caller.ts'
import { documents } from '../documents.ts'

/** A small shop, and the item of its first variant at the first location, with 10 available. */
async function start(t: Test) {
  const { shop, call, platform } = await startShop(t, smallShop, small)
  const variant = shop.gid('ProductVariant', shop.catalogue.variantId(0, 0))
  const item = shop.gid('InventoryItem', shop.catalogue.itemId(0, 0))
  const other = shop.gid('InventoryItem', shop.catalogue.itemId(1, 0))
  const [location = '', second = ''] = shop.locations.map(({ id }) => shop.gid('Location', id))
  shop.setStock(variant, location, 10)
  const line = { inventoryItemId: item, locationId: location }
  const set = async (changes: Json = {}, key = 'key-1', input: Json = {}) => {
    const quantities = [{ ...line, quantity: 4, changeFromQuantity: 10, ...changes }]
    const fullInput = { name: 'available', reason: 'correction', quantities, ...input }
    return call(documents.setQuantities, { key, input: fullInput })
  }
  const adjust = async (changes: Json[], key = 'key-1', input: Json = {}) =>
    call(documents.adjustQuantities, {
      key,
      input: { name: 'available', reason: 'received', changes, ...input },
    })
  const stock = () => shop.stockOf(variant, location)
  return { shop, platform, call, variant, item, other, location, second, line, set, adjust, stock }
}

const payloadOf = ({ data }: Json) => data.inventorySetQuantities ?? data.inventoryAdjustQuantities
const codesOf = (body: Json) => payloadOf(body).userErrors.map(({ code }: Json) => code)

t.test('inventorySetQuantities sets a quantity and returns the change', async (t) => {
  const { set, stock, item, location } = await start(t)
  t.match(payloadOf(await set()), {
    inventoryAdjustmentGroup: {
      id: /InventoryAdjustmentGroup/,
      reason: 'correction',
      changes: [
        {
          name: 'available',
          delta: -6,
          quantityAfterChange: 4,
          item: { id: item },
          location: { id: location },
        },
      ],
    },
    userErrors: [],
  })
  t.equal(stock(), 4)
})

t.test('one call can move quantities between locations', async (t) => {
  const { adjust, line, second, stock, shop, variant } = await start(t)
  shop.setStock(variant, second, 1)
  const changes = [
    { ...line, delta: -3, changeFromQuantity: null },
    { ...line, locationId: second, delta: 3, changeFromQuantity: 1 },
  ]
  t.match(payloadOf(await adjust(changes)).inventoryAdjustmentGroup.changes, [
    { delta: -3, quantityAfterChange: 7 },
    { delta: 3, quantityAfterChange: 4 },
  ])
  t.strictSame([stock(), shop.stockOf(variant, second)], [7, 4])
})

t.test('without an idempotency key a call fails and changes nothing', async (t) => {
  const { call, stock, line } = await start(t)
  const quantities = [{ ...line, quantity: 4, changeFromQuantity: null }]
  const input = { name: 'available', reason: 'correction', quantities }
  const { errors } = await call(
    documents.setQuantities.replace('@idempotent(key: $key)', '').replace(', $key: String!', ''),
    {
      input,
    },
  )
  t.match(errors, [{ message: /@idempotent directive is required/, extensions: { code: 'BAD_REQUEST' } }])
  t.match((await call(documents.setQuantities, { input, key: ' ' })).errors, [
    { extensions: { code: 'BAD_REQUEST' } },
  ])
  t.equal(stock(), 10)
})

t.test('a repeated request gets the same response and runs once', async (t) => {
  const { adjust, line, stock } = await start(t)
  const changes = [{ ...line, delta: 5, changeFromQuantity: null }]
  const first = payloadOf(await adjust(changes))
  const second = payloadOf(await adjust(changes))
  t.strictSame(second, first)
  t.equal(stock(), 15)
  const both = await Promise.all([adjust(changes, 'key-2'), adjust(changes, 'key-2')])
  t.strictSame(payloadOf(both[0]), payloadOf(both[1]))
  t.equal(stock(), 20)
})

t.test('the same key with other input is an error', async (t) => {
  const { adjust, set, line, stock } = await start(t)
  await adjust([{ ...line, delta: 5, changeFromQuantity: null }])
  const mismatch = await adjust([{ ...line, delta: 6, changeFromQuantity: null }])
  t.strictSame(codesOf(mismatch), ['IDEMPOTENCY_KEY_PARAMETER_MISMATCH'])
  t.equal(payloadOf(mismatch).inventoryAdjustmentGroup, null)
  t.strictSame(
    codesOf(await set()),
    ['IDEMPOTENCY_KEY_PARAMETER_MISMATCH'],
    'another mutation counts as other input',
  )
  t.equal(stock(), 15)
})

t.test('a retry with the same key gets the lost response', async (t) => {
  const { adjust, line, stock, platform } = await start(t)
  const changes = [{ ...line, delta: 5, changeFromQuantity: null }]
  platform.faults.set({ graphql: [{ fault: 'accept-drop', operation: 'inventoryAdjustQuantities' }] })
  await t.rejects(adjust(changes), /fetch failed/)
  t.equal(stock(), 15)
  t.strictSame(codesOf(await adjust(changes)), [])
  t.equal(stock(), 15)
})

t.test('changeFromQuantity is required and must match', async (t) => {
  const { set, stock, line, adjust, call } = await start(t)
  const { changeFromQuantity: _, ...without } = { ...line, quantity: 4, changeFromQuantity: 0 }
  const missing = await call(documents.setQuantities, {
    key: 'key-1',
    input: { name: 'available', reason: 'correction', quantities: [without] },
  })
  t.match(missing.errors, [
    {
      message: 'InventoryQuantityInput must include the following argument: changeFromQuantity',
      extensions: { code: 'INVALID_FIELD_ARGUMENTS' },
    },
  ])
  t.match((await adjust([{ ...line, delta: 1 }])).errors, [
    { extensions: { code: 'INVALID_FIELD_ARGUMENTS' } },
  ])

  const stale = await set({ changeFromQuantity: 9 }, 'key-2')
  t.match(payloadOf(stale), {
    inventoryAdjustmentGroup: null,
    userErrors: [
      {
        code: 'CHANGE_FROM_QUANTITY_STALE',
        field: ['input', 'quantities', '0', 'changeFromQuantity'],
        message: String,
      },
    ],
  })
  t.strictSame(codesOf(await adjust([{ ...line, delta: 1, changeFromQuantity: 9 }], 'key-3')), [
    'CHANGE_FROM_QUANTITY_STALE',
  ])
  t.equal(stock(), 10)
  t.strictSame(codesOf(await set({ changeFromQuantity: null }, 'key-4')), [])
  t.equal(stock(), 4)
})

t.test('one invalid line fails the whole call', async (t) => {
  const { adjust, line, other, stock } = await start(t)
  const invalid = { inventoryItemId: other, locationId: line.locationId, delta: 1, changeFromQuantity: -999 }
  t.strictSame(codesOf(await adjust([{ ...line, delta: 1, changeFromQuantity: null }, invalid])), [
    'CHANGE_FROM_QUANTITY_STALE',
  ])
  t.equal(stock(), 10)
})

t.test('each error of a line has its code', async (t) => {
  const { set, adjust, line, shop, stock, second } = await start(t)
  const { id, variantIds } = shop.addProduct({ variants: [{ sku: 'NEW' }] })
  const number = shop.catalogue.productNumber(id.split('/').at(-1) ?? '') ?? 0
  const unstocked = shop.gid('InventoryItem', shop.catalogue.itemId(number, 0))
  t.equal(variantIds.length, 1)
  const invalid: [Json, string][] = [
    [{ quantity: 1_000_000_001 }, 'INVALID_QUANTITY_TOO_HIGH'],
    [{ quantity: -1_000_000_001 }, 'INVALID_QUANTITY_TOO_LOW'],
    [{ inventoryItemId: 'gid://platform/InventoryItem/1' }, 'INVALID_INVENTORY_ITEM'],
    [{ inventoryItemId: 'nonsense' }, 'INVALID_INVENTORY_ITEM'],
    [{ locationId: 'gid://platform/Location/1' }, 'INVALID_LOCATION'],
    [{ inventoryItemId: unstocked, locationId: second }, 'ITEM_NOT_STOCKED_AT_LOCATION'],
  ]
  for (const [index, [change, code]] of invalid.entries())
    t.strictSame(codesOf(await set({ changeFromQuantity: null, ...change }, `key-${index}`)), [code], code)
  const causes: [Json, string][] = [
    [{ name: 'committed' }, 'INVALID_NAME'],
    [{ reason: 'because' }, 'INVALID_REASON'],
    [{ referenceDocumentUri: 'nonsense' }, 'INVALID_REFERENCE_DOCUMENT'],
    [{ referenceDocumentUri: 'gid://our-app/PurchaseOrder' }, ''],
  ]
  for (const [input, code] of causes)
    t.strictSame(codesOf(await set({}, `cause-${code}`, input)), code ? [code] : [], code)
  const twice = { ...line, quantity: 1, changeFromQuantity: null }
  t.strictSame(codesOf(await set({}, 'twice', { quantities: [twice, twice] })), [
    'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR',
  ])
  const delta = { ...line, delta: 2_000_000_001, changeFromQuantity: null }
  t.ok(codesOf(await adjust([delta], 'delta')).includes('INVALID_QUANTITY_TOO_HIGH'))
  for (const name of ['on_hand', 'committed', 'sold'])
    t.strictSame(codesOf(await adjust([], `name-${name}`, { name })), ['INVALID_QUANTITY_NAME'], name)
  t.equal(stock(), 4)
})

t.test('a call has at most 250 lines', async (t) => {
  const { adjust, line, stock } = await start(t)
  const lines = (count: number) =>
    Array.from({ length: count }, () => ({ ...line, delta: 1, changeFromQuantity: null }))
  t.match((await adjust(lines(251))).errors, [{ extensions: { code: 'MAX_INPUT_SIZE_EXCEEDED' } }])
  t.strictSame(codesOf(await adjust(lines(250))), [])
  t.equal(stock(), 260)
})

t.test('inventoryActivate stocks an item at a location', async (t) => {
  const { call, shop, location } = await start(t)
  const { id, variantIds } = shop.addProduct({ variants: [{ sku: 'NEW' }] })
  const number = shop.catalogue.productNumber(id.split('/').at(-1) ?? '') ?? 0
  const item = shop.gid('InventoryItem', shop.catalogue.itemId(number, 0))
  const activate = async (key: string, available?: number) =>
    (await call(documents.activate, { item, location, available, key })).data.inventoryActivate
  t.match(await activate('a', 7), {
    inventoryLevel: { isActive: true, quantities: [{ quantity: 7 }] },
    userErrors: [],
  })
  t.equal(shop.stockOf(variantIds[0] ?? '', location), 7)
  t.match(await activate('b', 9), {
    inventoryLevel: null,
    userErrors: [{ field: ['available'], message: String }],
  })
  t.match(await activate('c'), { inventoryLevel: { quantities: [{ quantity: 7 }] }, userErrors: [] })
})

t.test('on_hand is available plus committed', async (t) => {
  const { set, shop, variant, location, stock } = await start(t)
  shop.placeOrder([{ variantId: variant, quantity: 3, locationId: location }])
  t.equal(stock(), 7)
  t.strictSame(codesOf(await set({ quantity: 20, changeFromQuantity: 10 }, 'k', { name: 'on_hand' })), [])
  t.equal(stock(), 17)
  t.strictSame(codesOf(await set({ quantity: -1, changeFromQuantity: null }, 'l', { name: 'on_hand' })), [
    'INVALID_QUANTITY_NEGATIVE',
  ])
})

t.test('faults can report a key as in use or failed', async (t) => {
  const { set, platform, stock } = await start(t)
  platform.faults.set({ graphql: [{ fault: 'concurrent' }, { fault: 'previous-failed' }] })
  t.strictSame(codesOf(await set()), ['IDEMPOTENCY_CONCURRENT_REQUEST'])
  t.strictSame(codesOf(await set()), ['IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED'])
  t.equal(stock(), 10)
  t.strictSame(codesOf(await set()), [])
})

t.test('stock changes require the scope', async (t) => {
  const { platform, shop, line } = await start(t)
  const call = callerOf(platform, small, shop.install(['read_inventory']))
  const changes = [{ ...line, delta: 1, changeFromQuantity: null }]
  const input = { name: 'available', reason: 'received', changes }
  t.match((await call(documents.adjustQuantities, { key: 'k', input })).errors, [
    { extensions: { code: 'ACCESS_DENIED' } },
  ])
})

t.test('a change of one state changes on hand by the same number', async (t) => {
  const { adjust, set, shop, line, variant, location } = await start(t)
  shop.placeOrder([{ variantId: variant, quantity: 2, locationId: location }])
  const uri = 'gid://our-app/Inspection/1'
  const damaged = { ...line, delta: 3, changeFromQuantity: 0, ledgerDocumentUri: uri }
  t.match(payloadOf(await adjust([damaged], 'a', { name: 'damaged' })).inventoryAdjustmentGroup.changes, [
    { name: 'damaged', delta: 3, quantityAfterChange: 3 },
    { name: 'on_hand', delta: 3, quantityAfterChange: 13 },
  ])
  const incoming = { ...damaged, delta: 40 }
  t.match(payloadOf(await adjust([incoming], 'b', { name: 'incoming' })).inventoryAdjustmentGroup.changes, [
    { name: 'incoming', delta: 40, quantityAfterChange: 40 },
  ])
  t.strictSame(shop.statesOf(variant, location), {
    ...{ available: 8, committed: 2, on_hand: 13, incoming: 40 },
    ...{ damaged: 3, quality_control: 0, safety_stock: 0, reserved: 0 },
  })
  const counted = await set({ quantity: 12, changeFromQuantity: 13 }, 'c', { name: 'on_hand' })
  t.match(payloadOf(counted).inventoryAdjustmentGroup.changes, [
    { name: 'on_hand', delta: -1, quantityAfterChange: 12 },
    { name: 'available', delta: -1, quantityAfterChange: 7 },
  ])
  t.match(shop.statesOf(variant, location), { available: 7, committed: 2, damaged: 3, on_hand: 12 })
})

t.test('an adjustment of another state than available names one document of the app', async (t) => {
  const { adjust, line, shop, variant, location, second } = await start(t)
  shop.setStock(variant, second, 1)
  const change = { ...line, delta: 1, changeFromQuantity: null }
  const elsewhere = { ...change, locationId: second }
  const uri = 'gid://our-app/Inspection/1'
  const invalid: [Json[], string][] = [
    [[change], 'INVALID_QUANTITY_DOCUMENT'],
    [[{ ...change, ledgerDocumentUri: 'gid://platform/Order/1' }], 'INTERNAL_LEDGER_DOCUMENT'],
    [[{ ...change, ledgerDocumentUri: 'nonsense' }], 'INVALID_LEDGER_DOCUMENT'],
    [
      [
        { ...change, ledgerDocumentUri: uri },
        { ...elsewhere, ledgerDocumentUri: `${uri}0` },
      ],
      'MAX_ONE_LEDGER_DOCUMENT',
    ],
  ]
  for (const [changes, code] of invalid)
    t.strictSame(codesOf(await adjust(changes, code, { name: 'reserved' })), [code])
  const withDocument = await adjust([{ ...change, ledgerDocumentUri: uri }], 'available')
  t.strictSame(codesOf(withDocument), ['INVALID_AVAILABLE_DOCUMENT'])
  t.match(shop.statesOf(variant, location), { available: 10, reserved: 0, on_hand: 10 })
})
