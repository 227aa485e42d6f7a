import { Text } from '@mantine/core'
import type { RefObject } from 'react'
import type { StockPush } from '../../../../../shared/schemas/stock-pushes.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { PushLines } from './push-lines.tsx'
import type { useDeciding } from './use-deciding.ts'

type Props = {
  push: StockPush | null
  discard: ReturnType<typeof useDeciding>['discard']
  onClose: () => void
  returnTo: RefObject<HTMLElement | null>
}

/** Says how far our level goes back before a change is given up. */
export const DiscardDialog = ({ push, discard, onClose, returnTo }: Props) => (
  <Confirm
    isOpen={push !== null}
    title="Discard this change?"
    confirm="Discard"
    isDestructive
    isBusy={discard.isPending}
    error={discard.error}
    onConfirm={() => push && discard.mutate({ params: { id: push.id } })}
    onCancel={onClose}
    returnTo={returnTo}
  >
    <Text mb="xs">Your shop keeps its number, and our level goes back:</Text>
    {push && <PushLines push={push} isTakenBack />}
  </Confirm>
)
