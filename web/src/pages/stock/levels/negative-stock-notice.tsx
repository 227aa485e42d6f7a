import { Alert, Button, Text } from '@mantine/core'
import { useFormat } from '../../../components/shop/format.ts'

/** `stock` is on record, and `result` what remains. */
type Props = { stock: number; result: number; isBusy: boolean; onAllow: () => void }

/** Offers to remove more than the stock on record, for when the shelf has more than the record. */
export function NegativeStockNotice({ stock, result, isBusy, onAllow }: Props) {
  const { count } = useFormat()
  return (
    <Alert color="yellow" variant="light" role="alert">
      <Text size="sm" c="#1c2024">
        Only {count(stock)} in stock. Removing {count(stock - result)} leaves {count(result)} until you
        recount.
      </Text>
      <Button mt="sm" size="xs" color="red.9" loading={isBusy} onClick={onAllow}>
        Remove anyway
      </Button>
    </Alert>
  )
}
