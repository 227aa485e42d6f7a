import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { CountDraft } from '../offline/draft.ts'
import { rowsOf } from '../offline/state.ts'
import { readStocked } from './read-stocked.ts'

/** Adds every product stocked at the location as not counted. */
export function AddStocked({ draft }: { draft: CountDraft }) {
  const { many } = useFormat()
  const [read, setRead] = useState(0)
  const unmounted = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    unmounted.current = controller
    return () => controller.abort()
  }, [])
  const add = useMutation({
    mutationFn: async () => {
      setRead(0)
      const without = new Set(rowsOf(draft.state()).map(({ variantId }) => variantId))
      const { signal } = unmounted.current
      const stocked = await readStocked(draft.state().count.locationId, { without, onRead: setRead, signal })
      if (stocked.variantIds.length > 0) await draft.addMany(stocked.variantIds)
      return stocked
    },
    onSuccess: ({ variantIds, isAll }) => {
      const added = `${many(variantIds.length, 'product')} added.`
      if (variantIds.length === 0) notifyDone('Every product at this location is already in the count.')
      else notifyDone(isAll ? added : `${added} There are more products: choose “Add all products” again.`)
    },
    onError: (error) => !unmounted.current.signal.aborted && notifyRefused(error),
  })
  return (
    <Button variant="default" disabled={add.isPending} onClick={() => add.mutate()}>
      {add.isPending ? `${many(read, 'product')} loaded …` : 'Add all products at this location'}
    </Button>
  )
}
