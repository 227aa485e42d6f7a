import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { locationsQuery } from '../../../components/pickers/location-name.ts'

/** Where the goods of an order arrive, with the address as the supplier reads it. */
export function Destination({ order }: { order: PurchaseOrder }) {
  const { data } = useQuery(locationsQuery)
  const { destinationLocationId: id, destinationLocationName } = order
  const location = data?.find(({ locationId, isPrimary }) => (id === null ? isPrimary : locationId === id))
  if (!location) return destinationLocationName ?? 'Primary location'
  const { name, addressLines, address } = location
  const lines = [...addressLines, address.phone].filter(Boolean)
  return (
    <>
      {name}
      {id === null && (
        <Text size="xs" c="dimmed">
          Primary location
        </Text>
      )}
      {lines.map((line) => (
        <Text key={line} size="xs">
          {line}
        </Text>
      ))}
      {addressLines.length === 0 && (
        <Text size="xs" c="dimmed">
          No address. Add it to the location in your shop admin; it arrives here within seconds.
        </Text>
      )}
    </>
  )
}
