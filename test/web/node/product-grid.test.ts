import t from 'tap'
import type { SupplierProduct } from '../../../shared/schemas/supplier-products.ts'
import {
  cellText,
  type GridField,
  type GridRow,
  rowsToSave,
  withCell,
  withPaste,
} from '../../../web/src/pages/suppliers/products/grid-columns.ts'

const stored = { id: 7, version: 1, supplierSku: 'N-7', price: 1.25, packSize: 6, currency: 'GBP' }
const row: GridRow = {
  ...{ key: '7', variantId: 'gid://platform/ProductVariant/7', sku: 'JUG', title: 'Jug', currency: 'GBP' },
  product: stored as SupplierProduct,
}
const saved = (field: GridField, text: string, mark: string) =>
  rowsToSave([row], withCell({}, row, field, text, mark), mark)[0]?.body[field]

t.test('a number in the grid reads as in every other field', async (t) => {
  for (const [field, text, mark, expected] of [
    ['price', '1,234', '.', 1234],
    ['price', '1,234.50', '.', 1234.5],
    ['price', '1,234', ',', 1.234],
    ['price', '1.234,50', ',', 1234.5],
    ['price', '£1.2345', '.', 1.2345],
    ['minimumQuantity', '1,000', '.', 1000],
    ['minimumQuantity', '1,000', ',', 1000],
    ['packSize', '1.000', '.', 1000],
  ] as const) {
    t.equal(saved(field, text, mark), expected, `${text} as ${field} with ${mark}`)
  }
})

t.test(
  'a text that is not a number is sent as it is, so that the API names the fault of its cell',
  async (t) => {
    t.equal(saved('packSize', '1.5', '.'), '1.5')
    t.equal(saved('price', '1.23456', '.'), '1.23456')
    t.equal(saved('price', '1e3', '.'), '1e3')
  },
)

t.test('a stored price shows the decimal mark of the locale, and reads back the same', async (t) => {
  t.equal(cellText(row, {}, 'price', ','), '1,25')
  t.equal(cellText(row, {}, 'price', '.'), '1.25')
  t.strictSame(withCell({}, row, 'price', '1,25', ','), {}, 'it is not a change')
})

t.test("a price in another currency than the supplier's is no value of the cell", async (t) => {
  const inEuros = { ...row, currency: 'EUR' }
  t.equal(cellText(inEuros, {}, 'price', '.'), '')
  const draft = withCell({}, inEuros, 'price', '1.25', '.')
  t.match(rowsToSave([inEuros], draft, '.')[0]?.body, { price: 1.25, currency: 'EUR' })
})

t.test('pasted cells are read in the locale, too', async (t) => {
  const draft = withPaste({}, [row], { row: 0, column: 1 }, '1,234\t12\t1,000\n', '.')
  t.match(rowsToSave([row], draft, '.')[0]?.body, { price: 1234, packSize: 12, minimumQuantity: 1000 })
})
