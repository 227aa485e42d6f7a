import '@mantine/core/styles/Progress.css'
import { Button, Progress, Stack, Text } from '@mantine/core'
import { useIsFetching, useIsMutating, useQuery } from '@tanstack/react-query'
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
import { whyNothing } from './summary.ts'

const route = getRouteApi('/imports/$id')

export function ImportDetail() {
  const { id } = route.useParams()
  const query = useQuery({
    ...readQuery('GET /imports/:id', { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? pollMs : false),
  })
  return (
    <Loaded query={query}>
      {/* during a deploy, a web process of the previous release answers without questions */}
      {(found) => <Detail found={{ ...found, questions: found.questions ?? [] }} />}
    </Loaded>
  )
}

const working: Partial<Record<Import['state'], string>> = {
  uploading: 'The file is being sent. If the upload was interrupted, add the file again.',
  reading: 'The file is being read.',
  checking: 'The file is being checked. Nothing is stored.',
  running: 'The file is being imported. You can leave this page.',
  reverting: 'The import is being reverted. You can leave this page.',
}

/** The title of a failure. A summary that is not of a dry run shows that the import has run, so the revert failed. */
function failureOf({ sheets, state, summary }: Import): string {
  if (sheets.length === 0) return 'The file could not be read'
  if (state === 'ready') return 'The check did not finish'
  return summary && !summary.isRehearsal ? 'The revert did not finish' : 'The import did not finish'
}

function Detail({ found }: { found: Import }) {
  const { id, state, error, progress, summary, questions } = found
  const params = { id }
  const [isAsking, setIsAsking] = useState(false)
  // the rows have a request of their own; the cards below wait for it, so that nothing moves while the page opens
  const [isOpening, setIsOpening] = useState(summary !== null && !isBusy(found))
  const run = useChange('POST /imports/:id/run')
  const revert = useChange('POST /imports/:id/revert', { onDone: () => setIsAsking(false) })
  const isReady = state === 'ready'
  const isChecked = isReady && summary !== null
  const isUseful = isChecked && whyNothing(summary) === undefined
  const isStarting = (dryRun: boolean) => run.isPending && run.variables.body.dryRun === dryRun
  const start = (dryRun: boolean) => run.mutate({ params, body: { dryRun } })
  // a click on Import that also leaves a changed field must not start a run that the preview does not show
  const { queryKey } = readQuery('GET /imports/:id', { params })
  const isChanging = [useIsMutating(), useIsFetching({ queryKey })].some((count) => count > 0)
  const text = working[state]
  return (
    <PageBody>
      <PageHeader
        title={found.fileName}
        mark={<ImportStateBadge found={found} />}
        back={{ to: '/imports', name: 'Move in' }}
        actions={
          <>
            {isReady && questions.length === 0 && (
              <Button
                variant={isUseful ? 'default' : 'filled'}
                loading={isStarting(true)}
                disabled={isChanging}
                onClick={() => start(true)}
              >
                {isChecked ? 'Check again' : 'Check file'}
              </Button>
            )}
            {isChecked && (
              <Button
                variant={isUseful ? 'filled' : 'default'}
                loading={isStarting(false)}
                disabled={isChanging || !isUseful}
                onClick={() => start(false)}
              >
                Import
              </Button>
            )}
            {(state === 'done' || (state === 'failed' && found.sheets.length > 0)) && (
              <Button variant="default" color="red.9" onClick={() => setIsAsking(true)}>
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
        <InProgress text={text} progress={state === 'reading' || state === 'uploading' ? null : progress} />
      )}
      {run.error && <ErrorNotice error={run.error} />}
      {summary && !isBusy(found) && (
        <ImportResult found={found} summary={summary} onDrawn={() => setIsOpening(false)} />
      )}
      {!isOpening && (
        <>
          {(isReady || state === 'checking') && <ImportDefaultsForm found={found} />}
          <ImportMapping found={found} />
        </>
      )}
      <Confirm
        isOpen={isAsking}
        title="Revert this import?"
        confirm="Revert"
        dismiss="Keep it"
        isDestructive
        isBusy={revert.isPending}
        error={revert.error}
        onConfirm={() => revert.mutate({ params })}
        onCancel={() => setIsAsking(false)}
      >
        <Text size="sm">
          The records of the import are deleted, and the fields that it filled in are emptied, except those
          used or changed since. This page then lists the remaining records and why.
        </Text>
      </Confirm>
    </PageBody>
  )
}

/** `progress` is null while it is not known. */
const InProgress = ({ text, progress }: { text: string; progress: number | null }) => (
  <Card title="In progress">
    <Stack>
      <Text role="status">{text}</Text>
      {progress === null ? (
        // how much is left is not known, so the bar has no value for screen readers
        <Progress.Root>
          <Progress.Section value={100} striped animated withAria={false} />
        </Progress.Root>
      ) : (
        <Progress value={progress * 100} aria-label="Progress" animated />
      )}
    </Stack>
  </Card>
)
