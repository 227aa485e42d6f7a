import fc from 'fast-check'
import t from 'tap'
import { roundUpToPacks, stepOf } from '../../../../../shared/domain/records/supplier-prices/quantity.ts'
import { rounds } from '../../../../support/faults/faults.ts'

t.test('10 wanted in packs of 6 with a minimum of 24 are 24', async (t) => {
  t.equal(roundUpToPacks(10, { packSize: 6, minimumQuantity: 24, quantityMultiple: 1 }), 24)
})

t.test('the quantity is in whole packs and in whole multiples', async (t) => {
  t.equal(stepOf({ packSize: 6, minimumQuantity: null, quantityMultiple: 4 }), 12)
  t.equal(roundUpToPacks(10, { packSize: 6, minimumQuantity: 20, quantityMultiple: 4 }), 24)
  t.equal(roundUpToPacks(12, { packSize: 6, minimumQuantity: null, quantityMultiple: 4 }), 12)
  t.equal(roundUpToPacks(1, { packSize: 1, minimumQuantity: null, quantityMultiple: 1 }), 1)
})

t.test('the quantity is the smallest that the supplier accepts', async (t) => {
  const size = fc.integer({ min: 1, max: 60 })
  const packaging = fc.record({
    packSize: size,
    quantityMultiple: size,
    minimumQuantity: fc.option(fc.integer({ min: 1, max: 5_000 })),
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), packaging, (wanted, terms) => {
      const accepts = (quantity: number) =>
        quantity >= wanted &&
        quantity >= (terms.minimumQuantity ?? 0) &&
        quantity % terms.packSize === 0 &&
        quantity % terms.quantityMultiple === 0
      let smallest = wanted
      while (!accepts(smallest)) smallest++
      return roundUpToPacks(wanted, terms) === smallest
    }),
    { numRuns: rounds(500, 50) },
  )
  t.pass('for random packagings')
})
