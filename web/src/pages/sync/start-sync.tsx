import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Sync } from '../../../../shared/schemas/sync.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyRefused } from '../../components/feedback/notify.ts'

/** Starts an import of the whole shop; asks for confirmation unless it is the first. */
export function StartSync({ state }: Pick<Sync, 'state'>) {
  const [isConfirming, setConfirming] = useState(false)
  const start = useChange('POST /sync', { onDone: () => setConfirming(false), onRefused: notifyRefused })
  if (state === 'none') {
    return (
      <Button loading={start.isPending} onClick={() => start.mutate({})}>
        Import the shop
      </Button>
    )
  }
  return (
    <>
      <Button variant="default" disabled={state === 'running'} onClick={() => setConfirming(true)}>
        Re-import everything
      </Button>
      <Confirm
        isOpen={isConfirming}
        title="Re-import everything?"
        confirm="Re-import"
        isBusy={start.isPending}
        onConfirm={() => start.mutate({})}
        onCancel={() => setConfirming(false)}
      >
        Imports locations, products, stock and orders from your shop again. A large shop takes some minutes.
        You can keep working during the import, and everything you entered here is kept.
      </Confirm>
    </>
  )
}
