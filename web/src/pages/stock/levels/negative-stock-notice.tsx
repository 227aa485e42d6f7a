import { Alert, Button, Text } from '@mantine/core'
import { useFormat } from '../../../components/shop/format.ts'

type Props = { quantity: number; isBusy: boolean; onAllow: () => void }

/** Offers to remove more than the stock on record, for when the shelf has more than the record. */
export function NegativeStockNotice({ quantity, isBusy, onAllow }: Props) {
  const { count } = useFormat()
  return (
    <Alert color="yellow" variant="light" role="alert">
      <Text size="sm" c="#1c2024">
        Not enough stock. Removing {count(quantity)} leaves negative stock until you recount.
      </Text>
      <Button mt="sm" size="xs" color="red.9" loading={isBusy} onClick={onAllow}>
        Remove anyway
      </Button>
    </Alert>
  )
}
