import { Text, Title } from '@mantine/core'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import classes from './reports.module.css'

/** Each report by the question that it answers. */
const reports = [
  {
    to: '/reports/sales-velocity',
    name: 'Sales velocity',
    question: 'What sells fastest, and for how many days does the stock last?',
  },
  {
    to: '/reports/abc',
    name: 'ABC classes',
    question: 'Which few products earn most of the money?',
  },
  {
    to: '/reports/dead-stock',
    name: 'Dead stock',
    question: 'What lies on the shelves and does not sell, and what is it worth?',
  },
  {
    to: '/reports/inventory-value',
    name: 'Inventory value',
    question: 'What is the stock worth at each location, and how has that changed?',
  },
  {
    to: '/reports/procurement-spend',
    name: 'Procurement spend',
    question: 'What was ordered, from whom, and in which month?',
  },
  {
    to: '/reports/supplier-performance',
    name: 'Supplier performance',
    question: 'Who delivers on time, in full and at a steady price?',
  },
  {
    to: '/reports/adjustments',
    name: 'Adjustments',
    question: 'Which levels did people set, change or count, and why?',
  },
] as const

export const Overview = () => (
  <PageBody>
    <PageHeader title="Reports" />
    <ul className={classes.overview}>
      {reports.map(({ to, name, question }) => (
        <li key={to}>
          <Title order={2}>
            <RowLink to={to}>{name}</RowLink>
          </Title>
          <Text size="sm" c="dimmed">
            {question}
          </Text>
        </li>
      ))}
    </ul>
  </PageBody>
)
