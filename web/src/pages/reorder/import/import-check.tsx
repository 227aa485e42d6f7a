import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ImportFault } from '../../../../../shared/schemas/import-fault.ts'
import type { ImportedReorderRules } from '../../../../../shared/schemas/reorder-rules.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { RowTable } from '../../../components/tables/row-table.tsx'
import classes from './rule-import.module.css'

const maxFaultsShown = 200

export const ruleCount = (count: number) => (count === 1 ? '1 rule' : `${count} rules`)

type Props = { result: ImportedReorderRules; isBusy: boolean; onImport: () => void }

/** The result of a check. Scrolls into view, since it appears below the rows. */
export function ImportCheck({ result, isBusy, onImport }: Props) {
  const section = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again after each check
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  return (
    <div ref={section} className={classes.result}>
      {result.faults.length > 0 ? (
        <Faults faults={result.faults} />
      ) : (
        <Outcome result={result} isBusy={isBusy} onImport={onImport} />
      )}
    </div>
  )
}

function Faults({ faults }: { faults: readonly ImportFault[] }) {
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

function Outcome({ result: { rows, created, updated }, isBusy, onImport }: Props) {
  const format = useFormat()
  if (rows === 0) {
    return (
      <Card title="No rows">
        <Text role="status">There are no rows below the header row. Add a row for each rule.</Text>
      </Card>
    )
  }
  return (
    <Card title="Ready to import">
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

const asSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
