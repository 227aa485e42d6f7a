import { Alert, Button, Text } from '@mantine/core'

type Props = { isBusy: boolean; onAllow: () => void }

/** More was taken off than there is: a slip of the finger, or a shelf that knows better than the list. */
export const BelowZero = ({ isBusy, onAllow }: Props) => (
  <Alert color="yellow" variant="light" role="alert">
    <Text size="sm" c="#1c2024">
      There is not that much. When it is taken off all the same, the stock there is less than nothing until it
      is counted.
    </Text>
    <Button mt="sm" size="xs" color="red.9" loading={isBusy} onClick={onAllow}>
      Allow below zero
    </Button>
  </Alert>
)
