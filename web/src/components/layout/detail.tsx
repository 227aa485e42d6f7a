import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../shop/format.ts'
import { Card } from './card.tsx'
import classes from './detail.module.css'

type ColumnsProps = { children: ReactNode; side: ReactNode }

/** A page about one record: what it holds, and at its side what there is to know about it. */
export const DetailColumns = ({ children, side }: ColumnsProps) => (
  <div className={classes.columns}>
    <div className={classes.column}>{children}</div>
    <div className={classes.column}>{side}</div>
  </div>
)

type FactsProps = { facts: readonly (readonly [name: string, value: ReactNode])[] }

export const Facts = ({ facts }: FactsProps) => (
  <dl className={classes.facts}>
    {facts.map(([name, value]) => (
      <div key={name} className={classes.fact}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

export const Notes = ({ label, text }: { label?: string; text: string }) => (
  <div className={classes.notes}>
    {label && (
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    )}
    <Text size="sm" className={classes.text}>
      {text}
    </Text>
  </div>
)

export type Step = { at: string | null; what: string }

type TimelineProps = { steps: readonly Step[]; next?: string | false | null }

/** What happened to a record, the newest last, and what is to come. */
export function Timeline({ steps, next }: TimelineProps) {
  const { moment } = useFormat()
  return (
    <Card title="Timeline">
      <ol className={classes.timeline}>
        {steps
          .toSorted((a, b) => String(a.at).localeCompare(String(b.at)))
          .map(({ at, what }) => (
            <li key={`${at} ${what}`}>
              {what}
              <Text size="xs" c="dimmed">
                {moment(at)}
              </Text>
            </li>
          ))}
        {next && <li>{next}</li>}
      </ol>
    </Card>
  )
}
