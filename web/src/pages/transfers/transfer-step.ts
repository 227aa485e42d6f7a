import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { StockTransfer, StockTransferStatus } from '../../../../shared/schemas/stock-transfers.ts'
import { ApiError } from '../../api/api-error.ts'
import { reading, useChange } from '../../api/queries.ts'
import { notifyDone } from '../../components/feedback/notify.ts'
import { fieldErrors } from '../../components/forms/form-errors.ts'

/** What a transfer can be taken to. */
export type NextStatus = Exclude<StockTransferStatus, 'pending'>

/** Takes a transfer a step on, each asked for once, and knows when its source had too little. */
export function useTransferStep({ id, sourceLocationName, destinationLocationName }: StockTransfer) {
  const client = useQueryClient()
  const params = { id }
  // which one stays known while its question fades out
  const [asked, setAsked] = useState<NextStatus>('in_transit')
  const [isAsked, setIsAsked] = useState(false)
  const done: Record<StockTransferStatus, string> = {
    pending: 'Saved.',
    in_transit: `The goods have left ${sourceLocationName}.`,
    completed: `The goods are at ${destinationLocationName}.`,
    cancelled: 'The transfer is cancelled.',
  }
  const change = useChange('PUT /stock-transfers/:id', {
    onDone: ({ alreadyApplied: _, ...transfer }) => {
      client.setQueryData(reading('GET /stock-transfers/:id', { params }).queryKey, transfer)
      setIsAsked(false)
      notifyDone(done[transfer.status])
    },
    onRefused: (error) => {
      // told at the lines, so the question gives way to them
      if (isShortage(error)) setIsAsked(false)
    },
  })
  const isShort = isShortage(change.error)
  const faults = isShort ? fieldErrors(change.error) : {}
  return {
    asked,
    isAsked,
    ask: (status: NextStatus) => {
      change.reset()
      setAsked(status)
      setIsAsked(true)
    },
    dismiss: () => setIsAsked(false),
    isBusy: change.isPending,
    error: isShort ? null : change.error,
    isShort,
    /** What is wrong with the item at an index. */
    shortage: (at: number) => faults[`items.${at}.quantity`],
    take: (status: NextStatus) => change.mutate({ params, body: { status } }),
    /** The refused step again, with stock below zero. */
    takeAnyway: () => {
      const status = change.variables?.body.status
      if (status) change.mutate({ params, body: { status, allowNegative: true } })
    },
  }
}

export type TransferStep = ReturnType<typeof useTransferStep>

const isShortage = (error: unknown) => error instanceof ApiError && error.code === 'insufficient_stock'
