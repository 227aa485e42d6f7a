import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { Tally } from '../offline/draft.ts'
import { rowsOf } from '../offline/state.ts'
import { readStocked } from './read-stocked.ts'

/** Puts everything that the location stocks into the count, to see what is still missing. */
export function AddStocked({ tally }: { tally: Tally }) {
  const { many } = useFormat()
  const [read, setRead] = useState(0)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])
  const add = useMutation({
    mutationFn: async () => {
      setRead(0)
      const without = new Set(rowsOf(tally.state()).map(({ variantId }) => variantId))
      const { signal } = leaving.current
      const stocked = await readStocked(tally.state().count.locationId, { without, onRead: setRead, signal })
      if (stocked.variantIds.length > 0) await tally.addMany(stocked.variantIds)
      return stocked
    },
    onSuccess: ({ variantIds, isAll }) => {
      const added = `${many(variantIds.length, 'product')} added.`
      if (variantIds.length === 0) notifyDone('Everything that this location stocks is in the count.')
      else notifyDone(isAll ? added : `${added} There are more: add them in the same way.`)
    },
    onError: (error) => !leaving.current.signal.aborted && notifyRefused(error),
  })
  return (
    <Button variant="default" disabled={add.isPending} onClick={() => add.mutate()}>
      {add.isPending ? `${many(read, 'product')} read …` : 'Add all products of this location'}
    </Button>
  )
}
