import { Button, Group, Loader, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Dashboard } from '../../../../shared/schemas/dashboard.ts'
import type { Settings } from '../../../../shared/schemas/settings.ts'
import type { Sync } from '../../../../shared/schemas/sync.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import type { Format } from '../../components/shop/formats.ts'
import { useSettings } from '../../components/shop/settings.tsx'
import { syncQuery } from '../sync/watched-sync.ts'
import classes from './home.module.css'

type Props = { setup: Dashboard['setup']; onHide: () => void }

/** The first steps of a new shop. */
export function Checklist({ setup, onHide }: Props) {
  const { data: sync, error, refetch } = useQuery(syncQuery)
  const settings = useSettings()
  const { count, many } = useFormat()
  const steps = sync && stepsOf(setup, settings, sync, { count, many })
  // undefined: the step that is to be done next, until the merchant opens or closes one
  const [opened, setOpened] = useState<string | null>()
  const next = steps?.find((step) => !step.isDone && !step.isRunning)
  return (
    <Card
      title="First steps"
      action={
        <Group gap="xs">
          {steps && (
            <Text size="sm" c="dimmed">
              {steps.filter((step) => step.isDone).length} of {steps.length} done
            </Text>
          )}
          <Button variant="subtle" color="dark.6" size="compact-sm" onClick={onHide}>
            Hide
          </Button>
        </Group>
      }
    >
      {steps ? (
        <Stack component="ol" gap="sm" className={classes.steps}>
          {steps.map((step) => (
            <StepRow
              key={step.name}
              step={step}
              isOpen={opened === undefined ? step.isRunning || step === next : step.name === opened}
              onToggle={(isOpen) => setOpened(isOpen ? step.name : null)}
            />
          ))}
        </Stack>
      ) : error ? (
        <ErrorNotice error={error} onRetry={refetch} />
      ) : (
        <Skeleton height={194} />
      )}
    </Card>
  )
}

type Step = { name: string; text: ReactNode; isDone: boolean; isRunning?: boolean }

type RowProps = { step: Step; isOpen: boolean | undefined; onToggle: (isOpen: boolean) => void }

const StepRow = ({ step: { name, text, isDone, isRunning }, isOpen = false, onToggle }: RowProps) => (
  <li className={classes.step}>
    {isDone ? (
      <IconCircleCheck size={22} color="#1a7f37" aria-label="Done:" role="img" />
    ) : isRunning ? (
      <Loader size={20} m={1} aria-label="In progress:" role="img" />
    ) : (
      <IconCircle size={22} color="#8c939b" aria-label="To do:" role="img" />
    )}
    <div>
      {isDone ? (
        <Text fw={550} td="line-through" c="dimmed">
          {name}
        </Text>
      ) : (
        <UnstyledButton fw={550} aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
          {name}
        </UnstyledButton>
      )}
      {!isDone && isOpen && <Text size="sm">{text}</Text>}
    </div>
  </li>
)

function stepsOf(
  { hasSupplier, hasSentOrder, hasReorderRule, vendorCount }: Dashboard['setup'],
  { companyName, address }: Settings,
  sync: Sync,
  { count, many }: Pick<Format, 'count' | 'many'>,
): Step[] {
  return [
    {
      name: importNames[sync.state] ?? 'Import your products',
      text: importOf(sync, count),
      isDone: sync.state === 'done',
      isRunning: sync.state === 'running',
    },
    {
      name: 'Create your first supplier',
      text: (
        <>
          {vendorCount === 0
            ? 'Suppliers are the companies you buy from.'
            : `Your products have ${many(vendorCount, 'vendor')}.`}{' '}
          <TextLink to="/suppliers/from-vendors">Create suppliers from your vendors</TextLink>,{' '}
          <TextLink to="/suppliers/new">create a supplier</TextLink>, or{' '}
          <TextLink to="/imports">import the files of your previous app</TextLink>
        </>
      ),
      isDone: hasSupplier,
    },
    {
      name: 'Add your company details',
      text: (
        <>
          Shown on every purchase order. <TextLink to="/settings">Go to settings</TextLink>
        </>
      ),
      isDone: companyName !== '' && address !== '',
    },
    {
      name: 'Send your first order',
      text: (
        <>
          The supplier gets it by e-mail as a PDF.{' '}
          <TextLink to="/purchase-orders/new">Create an order</TextLink>
        </>
      ),
      isDone: hasSentOrder,
    },
    {
      name: 'Set your first reorder rule',
      text: (
        <>
          Get suggestions for what to reorder and when. <TextLink to="/reorder">Go to reordering</TextLink>
        </>
      ),
      isDone: hasReorderRule,
    },
  ]
}

const importNames: Partial<Record<Sync['state'], string>> = {
  running: 'Importing your products',
  done: 'Products imported',
}

function importOf({ state, counts }: Sync, count: (number: number) => string): ReactNode {
  if (state === 'running') {
    return (
      <>
        {count(counts.products)} products and {count(counts.levels)} stock levels so far.{' '}
        <TextLink to="/sync">View progress</TextLink>
      </>
    )
  }
  return (
    <>
      {state === 'failed' ? 'The import failed. ' : 'The import has not started yet. '}
      <TextLink to="/sync">Start the import</TextLink>
    </>
  )
}
