import { Button, Loader, Skeleton, Stack, Text } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Dashboard } from '../../../../shared/schemas/dashboard.ts'
import type { Settings } from '../../../../shared/schemas/settings.ts'
import type { Sync } from '../../../../shared/schemas/sync.ts'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { useSettings } from '../../components/shop/settings.tsx'
import { watchedSync } from '../sync/watched-sync.ts'
import classes from './home.module.css'

type Props = { setup: Dashboard['setup']; onEnd: () => void }

/** What a new shop does first. Each step checks itself; with the last one, or when it is hidden, the list is gone. */
export function Checklist({ setup, onEnd }: Props) {
  const { data: sync } = useQuery(watchedSync)
  const settings = useSettings()
  const { count } = useFormat()
  const steps = sync && stepsOf(setup, settings, sync, count)
  // whoever has done all of this sees no list that goes at once
  const isHeldBack = !steps && Object.values(setup).every(Boolean)
  const isDone = steps?.every((step) => step.isDone) ?? false
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when the last step is done
  useEffect(() => {
    if (isDone) onEnd()
  }, [isDone])
  if (isDone || isHeldBack) return null
  return (
    <Card
      title="First steps"
      action={
        <Button variant="subtle" color="dark.6" size="compact-sm" onClick={onEnd}>
          Hide
        </Button>
      }
    >
      {steps ? (
        <Stack component="ol" gap="sm" className={classes.steps}>
          {steps.map((step) => (
            <StepRow key={step.name} step={step} />
          ))}
        </Stack>
      ) : (
        <Skeleton height={218} />
      )}
    </Card>
  )
}

type Step = { name: string; text: ReactNode; isDone: boolean; isRunning?: boolean }

const StepRow = ({ step: { name, text, isDone, isRunning } }: { step: Step }) => (
  <li className={classes.step}>
    {isDone ? (
      <IconCircleCheck size={22} color="#1a7f37" aria-label="Done:" role="img" />
    ) : isRunning ? (
      <Loader size={20} m={1} aria-label="Under way:" role="img" />
    ) : (
      <IconCircle size={22} color="#8c939b" aria-label="To do:" role="img" />
    )}
    <div>
      <Text fw={550} td={isDone ? 'line-through' : undefined} c={isDone ? 'dimmed' : undefined}>
        {name}
      </Text>
      {!isDone && <Text size="sm">{text}</Text>}
    </div>
  </li>
)

function stepsOf(
  { hasSupplier, hasSentOrder, hasReorderRule }: Dashboard['setup'],
  { companyName, address }: Settings,
  sync: Sync,
  count: (number: number) => string,
): Step[] {
  return [
    {
      name: 'Your products are read',
      text: importOf(sync, count),
      isDone: sync.state === 'done',
      isRunning: sync.state === 'running',
    },
    {
      name: 'Say who orders',
      text: (
        <>
          Your address stands on every order. <TextLink to="/settings">Fill in your company</TextLink>
        </>
      ),
      isDone: companyName !== '' && address !== '',
    },
    {
      name: 'Add your first supplier',
      text: (
        <>
          Whom you buy from, and how to reach them. <TextLink to="/suppliers/new">Add a supplier</TextLink>
        </>
      ),
      isDone: hasSupplier,
    },
    {
      name: 'Send your first order',
      text: (
        <>
          It goes to the supplier by e-mail, as a PDF.{' '}
          <TextLink to="/purchase-orders/new">Create an order</TextLink>
        </>
      ),
      isDone: hasSentOrder,
    },
    {
      name: 'Set your first reorder rule',
      text: (
        <>
          From then on you are told what to order, and when.{' '}
          <TextLink to="/reorder">Go to reordering</TextLink>
        </>
      ),
      isDone: hasReorderRule,
    },
  ]
}

function importOf({ state, counts }: Sync, count: (number: number) => string): ReactNode {
  if (state === 'running') {
    return (
      <>
        {count(counts.products)} products and {count(counts.levels)} stock levels so far.{' '}
        <TextLink to="/sync">See the progress</TextLink>
      </>
    )
  }
  return (
    <>
      {state === 'failed' ? 'It could not be read to its end. ' : 'It has not been read yet. '}
      <TextLink to="/sync">Read the shop</TextLink>
    </>
  )
}
