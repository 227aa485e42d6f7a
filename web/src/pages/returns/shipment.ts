import type { SupplierReturn } from '../../../../shared/schemas/supplier-returns.ts'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/queries.ts'
import { notifyDone } from '../../components/feedback/notify.ts'
import { fieldErrors } from '../../components/forms/form-errors.ts'

/** The request that ships a return, and the lines of which the location has too few pieces. */
export function useShipment({ id, locationName }: SupplierReturn) {
  const ship = useChange('POST /supplier-returns/:id/ship', {
    onDone: () => notifyDone(`Shipped: stock left ${locationName}`),
  })
  const isShort = ship.error instanceof ApiError && ship.error.code === 'insufficient_stock'
  const errors = isShort ? fieldErrors(ship.error) : {}
  return {
    isBusy: ship.isPending,
    isDone: ship.isSuccess,
    error: ship.error,
    isShort,
    reset: ship.reset,
    /** The error of the line at an index, if there is too little of it. */
    shortageOf: (at: number) => errors[`lines.${at}.quantity`],
    /** After a refusal for missing stock, it lets the stock go negative. */
    start: (onDone: () => void) =>
      ship.mutate({ params: { id }, body: isShort ? { allowNegative: true } : {} }, { onSuccess: onDone }),
  }
}

export type Shipment = ReturnType<typeof useShipment>
