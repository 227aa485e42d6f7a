import t from 'tap'
import { ApiError } from '../../../web/src/api/api-error.ts'
import { fieldErrors } from '../../../web/src/components/forms/form-errors.ts'

const textOf = (path: string, message: string) =>
  Object.values(fieldErrors(new ApiError(400, { details: [{ path, message }] })))[0]

t.test('an error of an empty field says what to enter', async (t) => {
  for (const [path, expected] of [
    ['/name', 'Enter a name.'],
    ['/contacts/0/name', 'Enter a name.'],
    ['/lineItems/1/costPrice', 'Enter a unit cost.'],
    ['/reorderPoint', 'Enter a reorder point.'],
    ['/supplierId', 'Choose a supplier.'],
    ['/variantId', 'Choose a product.'],
    ['/email', 'Enter an e-mail address.'],
    ['/address', 'Enter an address.'],
    ['/reviewDays', 'Enter review days.'],
  ] as const) {
    t.equal(textOf(path, 'is required'), expected)
    t.equal(textOf(path, 'must be filled in'), expected)
  }
  t.equal(textOf('/recipients/0', 'is required'), 'Is required.')
  t.equal(textOf('', 'is required'), 'Is required.')
})

t.test('other errors are the sentence of the API', async (t) => {
  t.equal(
    textOf('/lineItems/0/quantity', 'is 6 more than the 24 still expected'),
    'Is 6 more than the 24 still expected.',
  )
})
