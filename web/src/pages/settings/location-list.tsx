import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Location } from '../../../../shared/schemas/locations.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { locationsQuery } from '../../components/pickers/location-name.ts'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'

/** The locations with their addresses, which the platform's admin edits. */
export function LocationList() {
  const { data, error, isPending, refetch } = useQuery(locationsQuery)
  return (
    <Card title="Locations" isFlush>
      <Text size="sm" c="dimmed" px="md" pb="sm">
        {data?.length === 0
          ? 'No locations yet. They appear here after the first sync.'
          : 'Purchase orders show the address of the location that they are delivered to. Change addresses in your shop admin; they arrive here within seconds.'}
      </Text>
      {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
      {(isPending || (data && data.length > 0)) && (
        <RowTable
          label="Locations"
          columns={columns}
          rows={data ?? []}
          keyOf={({ locationId }) => locationId}
          isPending={isPending}
        />
      )}
    </Card>
  )
}

const columns: Column<Location>[] = [
  {
    name: 'Location',
    cell: ({ name, isPrimary, isActive }) => (
      <div>
        {name}
        {(isPrimary || !isActive) && (
          <Text size="xs" c="dimmed">
            {isPrimary ? 'Orders without a destination arrive here' : 'Not in use'}
          </Text>
        )}
      </div>
    ),
  },
  { name: 'Address', cell: ({ addressLines }) => addressLines.join(', ') || 'No address' },
  { name: 'Phone', cell: ({ address: { phone } }) => phone || '—' },
]
