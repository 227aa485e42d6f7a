import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { CountDraft } from '../offline/draft.ts'

/** Adds every product stocked at the location as not counted. */
export function AddStocked({ draft }: { draft: CountDraft }) {
  const { many } = useFormat()
  const add = useMutation({
    mutationFn: draft.addAll,
    onSuccess: (added) =>
      notifyDone(
        added === 0
          ? 'Every product at this location is already in the count.'
          : `${many(added, 'product')} added.`,
      ),
    onError: notifyRefused,
  })
  return (
    <Button variant="default" loading={add.isPending} onClick={() => add.mutate()}>
      Add all products at this location
    </Button>
  )
}
