import { Text } from '@mantine/core'
import type { ImportFault } from '../../../../shared/schemas/import-fault.ts'
import { Card } from '../layout/card.tsx'
import { useFormat } from '../shop/format.ts'
import { RowTable } from '../tables/row-table.tsx'
import classes from './import-faults.module.css'

const maxFaultsShown = 200

/** The invalid rows of a file, with their columns. */
export function ImportFaults({ faults }: { faults: readonly ImportFault[] }) {
  const format = useFormat()
  const hidden = faults.length - maxFaultsShown
  return (
    <Card isFlush title={faults.length === 1 ? '1 error' : `${format.count(faults.length)} errors`}>
      <Text className={classes.summary} role="alert">
        Nothing was imported. Fix these rows and check again.
      </Text>
      <RowTable
        label="Errors"
        rows={faults.slice(0, maxFaultsShown).map((fault, at) => ({ ...fault, at }))}
        keyOf={({ at }) => at}
        columns={[
          { name: 'Row', cell: ({ row }) => `Row ${row}`, width: 110 },
          { name: 'Column', cell: ({ field }) => field || 'Whole row', width: 180 },
          { name: 'Error', cell: ({ message }) => asSentence(message) },
        ]}
      />
      {hidden > 0 && (
        <Text className={classes.summary} pt={12}>
          And {format.count(hidden)} more. Fix these first.
        </Text>
      )}
    </Card>
  )
}

const asSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
