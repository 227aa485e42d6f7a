import { type listing, showingRecords, useChange } from '../../../api/queries.ts'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'

type PushListing = ReturnType<typeof listing<'GET /stock-pushes'>>

/** What to do with a change of stock that the platform has not taken. */
export function useDeciding(list: PushListing, onDiscarded: () => void) {
  const retry = useChange('POST /stock-pushes/:id/retry', {
    shows: ({ params: { id } }) =>
      showingRecords(list, (push) =>
        push.id === id ? { ...push, state: 'queued' as const, error: '' } : push,
      ),
    onRefused: notifyRefused,
  })
  const discard = useChange('POST /stock-pushes/:id/discard', {
    onDone: () => {
      onDiscarded()
      notifyDone('Discarded: our level is your shop’s again.')
    },
  })
  return { retry, discard }
}
