import { unprocessable } from '../../../errors.ts'

/** The error unknown_supplier of a request that names a supplier in `supplierId`. */
export const unknownSupplier = () =>
  unprocessable('unknown_supplier', 'This supplier does not exist.', [
    { path: '/supplierId', message: 'is not a supplier of this shop' },
  ])
