import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../shop/format.ts'
import { Card } from './card.tsx'
import classes from './detail.module.css'

type ColumnsProps = { children: ReactNode; side: ReactNode }

/** The layout of a page about one record: its content, and a side column with summary and timeline. */
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

export type TimelineEvent = { at: string | null; text: string }

type TimelineProps = { events: readonly TimelineEvent[]; next?: string | false | null }

/** The history of a record, oldest first, and the next expected event. */
export function Timeline({ events, next }: TimelineProps) {
  const { dateTime } = useFormat()
  return (
    <Card title="Timeline">
      <ol className={classes.timeline}>
        {events
          .toSorted((a, b) => String(a.at).localeCompare(String(b.at)))
          .map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              {text}
              <Text size="xs" c="dimmed">
                {dateTime(at)}
              </Text>
            </li>
          ))}
        {next && <li>{next}</li>}
      </ol>
    </Card>
  )
}
