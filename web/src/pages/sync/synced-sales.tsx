import { Loader, Stack, Text } from '@mantine/core'
import type { Sync } from '../../../../shared/schemas/sync.ts'
import { Card } from '../../components/layout/card.tsx'
import { useFormat } from '../../components/shop/format.ts'
import classes from './sync.module.css'

/** The longest period of the reports, in days. */
const maxDays = 90

/** Since when sales are known, and the progress of the reading of changed orders. */
export function SyncedSales({ sync: { sales } }: { sync: Sync }) {
  const { count, day, dateTime } = useFormat()
  const { knownSince, knownDays, readUntil, readingSince, ordersRead } = sales
  return (
    <Card title="Sales">
      <Stack gap="sm">
        {knownSince === null || knownDays === null ? (
          <Text c="dimmed">
            Your orders have not been read yet. Until then, averages divide by the whole period.
          </Text>
        ) : (
          <Text>
            Known since {day(knownSince)}: {count(knownDays)} of {maxDays} days known.
            {knownDays < maxDays &&
              ' Averages divide by the days known. Your shop shows an app the orders of its last 60 days, and older ones only with an additional permission.'}
          </Text>
        )}
        {readingSince !== null ? (
          <Text role="status" className={classes.reading}>
            <Loader size={18} role="img" aria-label="In progress" />
            Reading orders since {dateTime(readingSince)}: {count(ordersRead)} so far.
          </Text>
        ) : (
          readUntil !== null && (
            <Text c="dimmed">
              Changes of orders arrive within seconds. All of them were last checked on {dateTime(readUntil)}.
            </Text>
          )
        )}
      </Stack>
    </Card>
  )
}
