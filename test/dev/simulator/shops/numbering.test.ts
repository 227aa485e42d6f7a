import t from 'tap'
import { createNumbering } from '../../../../dev/simulator/shops/numbering.ts'

t.test('ids map back to their slot keys, and to no others', async (t) => {
  const numbering = createNumbering(90)
  const seen = new Set<string>()
  let before = 0n
  for (let product = 0; product < 100; product += 1) {
    const id = numbering.productId(product)
    t.equal(numbering.productNumber(id), product)
    t.equal(BigInt(id) > 2n ** 53n, product >= 90)
    t.ok(BigInt(id) > before, 'ids ascend')
    before = BigInt(id)
    for (const slot of [0, 1, 4095]) {
      const variant = numbering.variantId(product, slot)
      const item = numbering.itemId(product, slot)
      t.strictSame(numbering.variantKey(variant), { product, slot })
      t.strictSame(numbering.itemKey(item), { product, slot })
      for (const newId of [variant, item]) t.notOk(seen.has(newId))
      seen.add(variant).add(item)
      t.equal(numbering.variantKey(item), undefined)
      t.equal(numbering.itemKey(variant), undefined)
    }
  }
  for (const wrong of ['', '0', '1000', '1013', '-1', '1e3', 'x', '7810000000001', '99999999999999999999'])
    t.equal(numbering.productNumber(wrong), undefined, wrong)
})
