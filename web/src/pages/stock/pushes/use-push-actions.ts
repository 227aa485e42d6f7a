import { type listQuery, optimisticListUpdate, useChange } from '../../../api/queries.ts'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'

type PushListing = ReturnType<typeof listQuery<'GET /stock-pushes'>>

/** Retries or discards a failed push. */
export function usePushActions(list: PushListing, onDiscarded: () => void) {
  const retry = useChange('POST /stock-pushes/:id/retry', {
    optimistic: ({ params: { id } }) =>
      optimisticListUpdate(list, (push) =>
        push.id === id ? { ...push, state: 'queued' as const, error: '' } : push,
      ),
    onRefused: notifyRefused,
  })
  const discard = useChange('POST /stock-pushes/:id/discard', {
    onDone: () => {
      onDiscarded()
      notifyDone('Change discarded. Stock matches your shop again.')
    },
  })
  return { retry, discard }
}
