import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Sync } from '../../../../shared/schemas/sync.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyRefused } from '../../components/feedback/notify.ts'

/** Has the whole shop read: at once for the first time, afterwards when that is meant. */
export function StartSync({ state }: Pick<Sync, 'state'>) {
  const [isAsked, setAsked] = useState(false)
  const start = useChange('POST /sync', { onDone: () => setAsked(false), onRefused: notifyRefused })
  if (state === 'none') {
    return (
      <Button loading={start.isPending} onClick={() => start.mutate({})}>
        Read the shop
      </Button>
    )
  }
  return (
    <>
      <Button variant="default" disabled={state === 'running'} onClick={() => setAsked(true)}>
        Read the shop again
      </Button>
      <Confirm
        isOpen={isAsked}
        title="Read the whole shop again?"
        confirm="Read it again"
        isBusy={start.isPending}
        onConfirm={() => start.mutate({})}
        onCancel={() => setAsked(false)}
      >
        Locations, products, stock and orders are read from your shop once more; a large shop takes some
        minutes. You can go on working meanwhile, and nothing that you entered here is lost.
      </Confirm>
    </>
  )
}
