import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ImportedReorderRules, ReorderImportFault } from '../../../../../shared/schemas/reorder-rules.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { RowTable } from '../../../components/tables/row-table.tsx'
import classes from './rule-import.module.css'

/** Who has more to mend than this begins with these. */
const maxShown = 200

export const ruleCount = (count: number) => (count === 1 ? '1 rule' : `${count} rules`)

type Props = { found: ImportedReorderRules; isBusy: boolean; onImport: () => void }

/** What rows would do, or what is wrong with them. It stands below the rows, on a phone out of sight. */
export function ImportCheck({ found, isBusy, onImport }: Props) {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: again after every look
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [found])
  return (
    <div ref={place} className={classes.found}>
      {found.faults.length > 0 ? (
        <Faults faults={found.faults} />
      ) : (
        <Outcome found={found} isBusy={isBusy} onImport={onImport} />
      )}
    </div>
  )
}

function Faults({ faults }: { faults: readonly ReorderImportFault[] }) {
  const format = useFormat()
  const hidden = faults.length - maxShown
  return (
    <Card isFlush title={faults.length === 1 ? '1 fault' : `${format.count(faults.length)} faults`}>
      <Text className={classes.summary} role="alert">
        Nothing is imported while something is wrong. Mend this, then check again.
      </Text>
      <RowTable
        label="What is wrong"
        rows={faults.slice(0, maxShown).map((fault, at) => ({ ...fault, at }))}
        keyOf={({ at }) => at}
        columns={[
          { name: 'Row', cell: ({ row }) => `Row ${row}`, width: 110 },
          { name: 'Column', cell: ({ field }) => field || 'The whole row', width: 180 },
          { name: 'What is wrong', cell: ({ message }) => asSentence(message) },
        ]}
      />
      {hidden > 0 && (
        <Text className={classes.summary} pt={12}>
          And {format.count(hidden)} more. Mend these first.
        </Text>
      )}
    </Card>
  )
}

function Outcome({ found: { rows, created, updated }, isBusy, onImport }: Props) {
  const format = useFormat()
  if (rows === 0) {
    return (
      <Card title="No rows">
        <Text role="status">There is nothing below the first row. Add a row for each rule.</Text>
      </Card>
    )
  }
  return (
    <Card title="Nothing is wrong">
      <Stack>
        <Text role="status">
          {rows === 1 ? '1 row' : `${format.count(rows)} rows`}: {ruleCount(created)} to be created,{' '}
          {ruleCount(updated)} to be changed.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onImport} loading={isBusy}>
            Import
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}

const asSentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`
