import { Box, Skeleton, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { Dashboard } from '../../../../shared/schemas/dashboard.ts'
import type { ReorderSuggestion } from '../../../../shared/schemas/reorder-suggestions.ts'
import type { Page } from '../../api/request.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { useSettings } from '../../components/shop/settings.tsx'
import { dayOf } from '../../components/shop/shop-days.ts'
import classes from './home.module.css'
import { countSuggestions } from './late-suggestions.ts'

type Props = Pick<Dashboard, 'attention'> & {
  /** While they are not loaded, their rows are missing, and nothing says that all is done. */
  suggestions: UseQueryResult<Page<ReorderSuggestion>>
}

/** Of these, each has a row; the others are counted. */
const maxDrafts = 5

/** What the merchant has to act on today, most urgent first. */
export function Attention({ attention, suggestions: { data, error, refetch } }: Props) {
  const { timeZone } = useSettings()
  const { count } = useFormat()
  const today = dayOf(new Date().toISOString(), timeZone)
  const due = data && countSuggestions(data, today)
  const { overdueOrders, dueOrders, stockGaps, failedMails, failedPushes, failedDeliveries } = attention
  const counted = (number: number, one: string, many: string) =>
    `${count(number)} ${number === 1 ? one : many}`
  // the suggestions after the first page may belong to each of their rows
  const atLeast = due?.isMore ? 'at least ' : ''
  const AtLeast = due?.isMore ? 'At least ' : ''
  const isAny = [
    dueOrders,
    stockGaps,
    failedMails,
    failedPushes,
    failedDeliveries,
    due?.drafts.length,
    due?.toOrder,
    due?.low,
    due?.waiting,
  ].some(Boolean)
  return (
    <Card title="Needs attention today">
      {!isAny && data && !error && <Text c="dimmed">You’re all caught up.</Text>}
      {error && (
        <Box mb={isAny ? 'md' : 0}>
          <ErrorNotice title="The reorder suggestions could not be loaded" error={error} onRetry={refetch} />
        </Box>
      )}
      {!data && !error && <Skeleton height={40} mb={isAny ? 'md' : 0} />}
      <ul className={classes.rows}>
        {due?.drafts.slice(0, maxDrafts).map(({ id, poNumber, products }) => (
          <Row key={id} to="/purchase-orders/$id" params={{ id }}>
            {poNumber} must be sent today: {atLeast}
            {counted(products, 'product', 'products')} to order
          </Row>
        ))}
        {due && due.drafts.length > maxDrafts && (
          <Row to="/purchase-orders" search={{ status: 'draft' }}>
            {AtLeast}
            {counted(due.drafts.length - maxDrafts, 'more draft', 'more drafts')} to send today
          </Row>
        )}
        {overdueOrders > 0 && (
          <Row to="/purchase-orders" search={{ stage: 'overdue' }}>
            {counted(overdueOrders, 'order is', 'orders are')} overdue
          </Row>
        )}
        {dueOrders > overdueOrders && (
          <Row to="/purchase-orders" search={{ stage: 'due' }}>
            {counted(dueOrders, 'order is', 'orders are')} expected today or earlier
          </Row>
        )}
        {stockGaps > 0 && (
          <Row to="/reports/stock-gaps">
            {counted(stockGaps, 'product runs', 'products run')} out before goods arrive
          </Row>
        )}
        {due && due.toOrder > 0 && (
          <Row to="/reorder">
            Order {atLeast}
            {counted(due.toOrder, 'product', 'products')} today
          </Row>
        )}
        {due && due.low > 0 && (
          <Row to="/reorder">
            {AtLeast}
            {counted(due.low, 'product is', 'products are')} at or below the reorder point, but not due today
          </Row>
        )}
        {due && due.waiting > 0 && (
          <Row to="/reorder">
            {AtLeast}
            {counted(due.waiting, 'product is', 'products are')} at or below the reorder point, in drafts or
            on order
          </Row>
        )}
        {failedMails > 0 && (
          <Row to="/alerts" search={{ type: 'mail_failed' }}>
            {counted(failedMails, 'order e-mail', 'order e-mails')} failed or not confirmed
          </Row>
        )}
        {failedPushes > 0 && (
          <Row to="/stock/on-its-way">
            {counted(failedPushes, 'stock change', 'stock changes')} didn’t sync
          </Row>
        )}
        {failedDeliveries > 0 && (
          <Row to="/sync">{counted(failedDeliveries, 'update', 'updates')} from your shop failed</Row>
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
