import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ImportedReorderRules } from '../../../../../shared/schemas/reorder-rules.ts'
import { ImportFaults } from '../../../components/import/import-faults.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import classes from './rule-import.module.css'

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
        <ImportFaults faults={result.faults} />
      ) : (
        <Outcome result={result} isBusy={isBusy} onImport={onImport} />
      )}
    </div>
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
