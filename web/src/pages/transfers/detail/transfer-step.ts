import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { StockTransfer, StockTransferStatus } from '../../../../../shared/schemas/stock-transfers.ts'
import { ApiError } from '../../../api/api-error.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'

export type NextStatus = Exclude<StockTransferStatus, 'pending' | 'partial'>

/**
 * The confirmation dialog of a status change, the request, and the lines that the source has too little stock for. The API refuses
 * the change of a transfer that the page does not show any more; then the dialog shows the current one.
 */
export function useTransferStep({ id, version, sourceLocationName, destinationLocationName }: StockTransfer) {
  const client = useQueryClient()
  const params = { id }
  // kept after the dialog closes, so that its text does not change while it fades out
  const [requested, setRequested] = useState<NextStatus>('in_transit')
  const [isDialogOpen, setDialogOpen] = useState(false)
  const messages: Record<StockTransferStatus, string> = {
    pending: 'Saved',
    in_transit: `Transfer shipped from ${sourceLocationName}`,
    partial: 'Saved',
    completed: `Transfer completed at ${destinationLocationName}`,
    cancelled: 'Transfer cancelled',
  }
  const change = useChange('PUT /stock-transfers/:id', {
    onDone: ({ alreadyApplied: _, ...transfer }) => {
      client.setQueryData(readQuery('GET /stock-transfers/:id', { params }).queryKey, transfer)
      setDialogOpen(false)
      notifyDone(messages[transfer.status])
    },
    onRefused: (error) => {
      // the lines show the shortage, so the dialog must not cover them
      if (isShortage(error)) setDialogOpen(false)
    },
  })
  const isShort = isShortage(change.error)
  const errors = isShort ? fieldErrors(change.error) : {}
  return {
    requested,
    isDialogOpen,
    openDialog: (status: NextStatus) => {
      change.reset()
      setRequested(status)
      setDialogOpen(true)
    },
    closeDialog: () => setDialogOpen(false),
    isBusy: change.isPending,
    error: isShort ? null : change.error,
    isShort,
    /** The error of the item at an index, if the source has too little of it. */
    shortageOf: (at: number) => errors[`items.${at}.quantity`],
    changeStatus: (status: NextStatus) => change.mutate({ params, body: { status, version } }),
    /** Repeats the refused change and allows negative stock. */
    shipAnyway: () => {
      const status = change.variables?.body.status
      if (status) change.mutate({ params, body: { status, version, allowNegative: true } })
    },
  }
}

export type TransferStep = ReturnType<typeof useTransferStep>

const isShortage = (error: unknown) => error instanceof ApiError && error.code === 'insufficient_stock'
