import { Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { Dashboard } from '../../../../shared/schemas/dashboard.ts'
import type { ReorderSuggestion } from '../../../../shared/schemas/reorder-suggestions.ts'
import type { Page } from '../../api/request.ts'
import { Card } from '../../components/layout/card.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { useSettings } from '../../components/shop/settings.tsx'
import { dayOf } from '../../components/shop/shop-days.ts'
import classes from './home.module.css'
import { lateOf } from './late-suggestions.ts'

type Props = Pick<Dashboard, 'attention'> & {
  /** Without them the rest is told. */
  suggestions: Page<ReorderSuggestion> | undefined
}

/** What somebody has to look at today, the most urgent first; nothing that is in order is named. */
export function Attention({ attention, suggestions }: Props) {
  const { timeZone } = useSettings()
  const { count } = useFormat()
  const today = dayOf(new Date().toISOString(), timeZone)
  const late = suggestions && lateOf(suggestions, today)
  const { overdueOrders, dueOrders, failedMails, failedPushes, failedDeliveries } = attention
  const of = (number: number, one: string, many: string) => `${count(number)} ${number === 1 ? one : many}`
  const isAny = [dueOrders, failedMails, failedPushes, failedDeliveries, late?.count ?? 0].some(Boolean)
  return (
    <Card title="Needs attention today">
      {!isAny && <Text c="dimmed">Nothing needs you right now.</Text>}
      <ul className={classes.rows}>
        {overdueOrders > 0 && (
          <Row to="/purchase-orders" search={{ stage: 'overdue' }}>
            {of(overdueOrders, 'order is', 'orders are')} overdue
          </Row>
        )}
        {dueOrders > overdueOrders && (
          <Row to="/purchase-orders" search={{ stage: 'due' }}>
            {of(dueOrders, 'order is', 'orders are')} expected today or earlier
          </Row>
        )}
        {late && late.count > 0 && (
          <Row to="/reorder">
            {late.isMore && 'More than '}
            {of(late.count, 'product is', 'products are')} to be ordered by today
          </Row>
        )}
        {failedMails > 0 && (
          <Row to="/alerts" search={{ type: 'mail_failed' }}>
            {of(failedMails, 'order was', 'orders were')} not e-mailed for certain
          </Row>
        )}
        {failedPushes > 0 && (
          <Row to="/stock/on-its-way">
            {of(failedPushes, 'change', 'changes')} of stock your shop did not take over
          </Row>
        )}
        {failedDeliveries > 0 && (
          <Row to="/sync">
            {of(failedDeliveries, 'piece', 'pieces')} of news from your shop could not be applied
          </Row>
        )}
      </ul>
    </Card>
  )
}

const Row = createLink(({ children, ...props }: ComponentProps<'a'>) => (
  <li>
    <a {...props} className={classes.row}>
      <span>{children}</span>
      <IconChevronRight size={18} aria-hidden />
    </a>
  </li>
))
