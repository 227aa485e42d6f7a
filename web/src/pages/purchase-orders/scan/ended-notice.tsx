import { Button, Text } from '@mantine/core'
import { Notice } from '../../../components/feedback/notice.tsx'
import type { OrderGoods } from './receipt-goods.ts'

type Props = { ended: NonNullable<OrderGoods['ended']>; onRead: () => void }

/** Says what another page has done with the draft that the scans went into. */
export const EndedNotice = ({ ended, onRead }: Props) => (
  <Notice tone="waiting" title={ended === 'posted' ? 'Your draft was posted' : 'Your draft was deleted'}>
    <Text c="#1c2024">
      {ended === 'posted'
        ? 'Its pieces are in stock. What you scan now goes into a new draft.'
        : 'Its pieces are in a new draft, with your last scans. Check the numbers before you receive them.'}
    </Text>
    <Button size="xs" mt="sm" variant="default" onClick={onRead}>
      OK
    </Button>
  </Notice>
)
