import { Button, Group, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Notes } from '../../../components/layout/detail.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { CancelDialog } from '../list/cancel-dialog.tsx'
import { CountStatusBadge } from '../list/count-status.tsx'
import { isSettled } from '../offline/state.ts'
import { useTally } from '../offline/use-draft.ts'
import { CountRows } from './count-rows.tsx'
import { RefusedNotice } from './refused-notice.tsx'
import { ScanBar } from './scan-bar.tsx'
import { isBlind, setBlind } from './stored-count.ts'
import { UnplacedScans } from './unplaced-scans.tsx'

/** A count under way: scanned or typed, saved as it goes. */
export function Counting({ stored }: { stored: StockCount }) {
  const { id, locationName, notes } = stored
  const navigate = useNavigate()
  const { tally, state } = useTally(stored)
  const scanField = useRef<HTMLInputElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const [isHidden, setHidden] = useState(() => isBlind(id))
  const [isAsked, setAsked] = useState(false)
  const [isSettling, setSettling] = useState(false)
  const [isTooEarly, setTooEarly] = useState(false)
  const isSafe = isSettled(state)

  const review = async () => {
    setSettling(true)
    const isSaved = await tally.settle()
    setSettling(false)
    setTooEarly(!isSaved)
    if (isSaved) await navigate({ to: '/counts/$id/review', params: { id } })
  }
  const hide = (hidden: boolean) => {
    setBlind(id, hidden)
    setHidden(hidden)
  }
  return (
    <PageBody>
      <PageHeader
        title={`Count #${id}: ${locationName}`}
        mark={<CountStatusBadge status="draft" />}
        back={{ to: '/counts', name: 'Counts' }}
        actions={
          <>
            <Menu position="bottom-end">
              <Menu.Target>
                <Button ref={more} variant="default" aria-label="More" px="xs">
                  <IconDots size={16} />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => hide(!isHidden)}>
                  {isHidden ? 'Show how many there should be' : 'Count blind on this device'}
                </Menu.Item>
                <Menu.Item color="red.9" onClick={() => setAsked(true)}>
                  Cancel the count
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button onClick={review} loading={isSettling}>
              Review
            </Button>
          </>
        }
      />
      {state.trouble === 'refused' && <RefusedNotice tally={tally} state={state} />}
      {isTooEarly && !isSafe && state.trouble !== 'refused' && (
        <Notice tone="waiting" title="Not everything is saved yet">
          <Text c="#1c2024">
            Keep this page open: it goes on trying. Look at the differences when it says that all is saved.
          </Text>
        </Notice>
      )}
      <ScanBar tally={tally} state={state} field={scanField} />
      <UnplacedScans tally={tally} state={state} />
      <CountRows tally={tally} state={state} isHidden={isHidden} scanField={scanField} />
      {notes && (
        <Card title="Notes">
          <Notes text={notes} />
        </Card>
      )}
      <Group justify="flex-end" hiddenFrom="sm">
        <Button onClick={review} loading={isSettling}>
          Review
        </Button>
      </Group>
      <CancelDialog id={id} isOpen={isAsked} onClose={() => setAsked(false)} returnTo={more} />
      <UnsavedGuard when={!isSafe}>
        What you counted last is not saved yet. It stays on this device, and is saved when you open this count
        here again.
      </UnsavedGuard>
    </PageBody>
  )
}
