import '@mantine/core/styles/Progress.css'
import { Button, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Import } from '../../../../shared/schemas/imports.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { ImportDefaultsForm } from './import-defaults.tsx'
import { ImportMapping } from './import-mapping.tsx'
import { ImportResult } from './import-result.tsx'
import { ImportStateBadge, isBusy, pollMs } from './import-state.tsx'

const route = getRouteApi('/imports/$id')

export function ImportDetail() {
  const { id } = route.useParams()
  const query = useQuery({
    ...readQuery('GET /imports/:id', { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? pollMs : false),
  })
  return <Loaded query={query}>{(found) => <Detail found={found} />}</Loaded>
}

const working: Partial<Record<Import['state'], string>> = {
  uploading: 'The file is being sent. When the upload was interrupted, add the file again.',
  reading: 'The file is being read.',
  checking: 'The file is being checked. Nothing is stored.',
  running: 'The file is being imported. You can leave this page.',
  reverting: 'The import is being reverted. You can leave this page.',
}

/** What failed: only an import that has run has a summary of a run, and a revert keeps it. */
function failureOf({ sheets, summary }: Import): string {
  if (sheets.length === 0) return 'The file could not be read'
  return summary && !summary.isRehearsal ? 'The revert did not finish' : 'The import did not finish'
}

function Detail({ found }: { found: Import }) {
  const { id, state, error, progress, summary } = found
  const params = { id }
  const [asks, setAsks] = useState<'run' | 'revert' | null>(null)
  const close = { onDone: () => setAsks(null) }
  const run = useChange('POST /imports/:id/run', close)
  const revert = useChange('POST /imports/:id/revert', close)
  const isReady = state === 'ready'
  const isChecked = isReady && summary !== null
  const text = working[state]
  return (
    <PageBody>
      <PageHeader
        title={found.fileName}
        mark={<ImportStateBadge state={state} />}
        back={{ to: '/imports', name: 'Move in' }}
        actions={
          <>
            {isReady && (
              <Button
                variant={isChecked ? 'default' : 'filled'}
                loading={run.isPending}
                onClick={() => run.mutate({ params, body: { dryRun: true } })}
              >
                Check file
              </Button>
            )}
            {isChecked && <Button onClick={() => setAsks('run')}>Import</Button>}
            {(state === 'done' || (state === 'failed' && found.sheets.length > 0)) && (
              <Button variant="default" color="red.9" onClick={() => setAsks('revert')}>
                Revert
              </Button>
            )}
          </>
        }
      />
      {error !== '' && (
        <Notice tone="bad" title={failureOf(found)}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{error}</Text>
            <LinkButton to="/imports" variant="default" size="xs">
              Add another file
            </LinkButton>
          </Stack>
        </Notice>
      )}
      {text && (
        <Card title="In progress">
          <Stack>
            <Text role="status">{text}</Text>
            {state === 'reading' || state === 'uploading' ? (
              // how much is left is not known, so the bar has no value for screen readers
              <Progress.Root>
                <Progress.Section value={100} striped animated withAria={false} />
              </Progress.Root>
            ) : (
              <Progress value={progress * 100} aria-label="Progress" animated />
            )}
          </Stack>
        </Card>
      )}
      {run.error && asks === null && <ErrorNotice error={run.error} />}
      {summary && !isBusy(found) && <ImportResult found={found} summary={summary} />}
      {isReady && <ImportDefaultsForm found={found} />}
      <ImportMapping found={found} />
      <Confirm
        isOpen={asks === 'run'}
        title="Import this file?"
        confirm="Import"
        isBusy={run.isPending}
        error={run.error}
        onConfirm={() => run.mutate({ params, body: { dryRun: false } })}
        onCancel={() => setAsks(null)}
      >
        <Text size="sm">No stock moves and no supplier gets an e-mail. You can revert the import later.</Text>
      </Confirm>
      <Confirm
        isOpen={asks === 'revert'}
        title="Revert this import?"
        confirm="Revert"
        dismiss="Keep it"
        isDestructive
        isBusy={revert.isPending}
        error={revert.error}
        onConfirm={() => revert.mutate({ params })}
        onCancel={() => setAsks(null)}
      >
        <Text size="sm">
          The records of the import are deleted, except those used since. This page then lists the remaining
          records and why.
        </Text>
      </Confirm>
    </PageBody>
  )
}
