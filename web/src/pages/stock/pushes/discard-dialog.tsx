import { Text } from '@mantine/core'
import type { RefObject } from 'react'
import type { StockPush } from '../../../../../shared/schemas/stock-pushes.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { PushLines } from './push-lines.tsx'
import type { usePushActions } from './use-push-actions.ts'

type Props = {
  push: StockPush | null
  discard: ReturnType<typeof usePushActions>['discard']
  onClose: () => void
  returnTo: RefObject<HTMLElement | null>
}

/** Confirms a discard and shows the stock changes that it reverses. */
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
    <Text mb="xs">Your shop keeps its number. Quartermaster reverses this change:</Text>
    {push && <PushLines push={push} isReversed />}
  </Confirm>
)
