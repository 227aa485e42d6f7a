import { Text, Title } from '@mantine/core'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import classes from './reports.module.css'

const reports = [
  {
    to: '/reports/sales-velocity',
    name: 'Sales velocity',
    question: 'What sells fastest, and how many days will stock last?',
  },
  {
    to: '/reports/abc',
    name: 'ABC classes',
    question: 'Which products bring in most of your revenue?',
  },
  {
    to: '/reports/dead-stock',
    name: 'Dead stock',
    question: 'Which products don’t sell, and what are they worth?',
  },
  {
    to: '/reports/inventory-value',
    name: 'Inventory value',
    question: 'What is stock worth at each location, and how has that changed?',
  },
  {
    to: '/reports/margin',
    name: 'Margin',
    question: 'What did your products earn after what they cost?',
  },
  {
    to: '/reports/price-history',
    name: 'Price history',
    question: 'What did you pay for your products, and how did that change?',
  },
  {
    to: '/reports/commitments',
    name: 'Open commitments',
    question: 'What will orders still cost, and when?',
  },
  {
    to: '/reports/procurement-spend',
    name: 'Procurement spend',
    question: 'How much did you spend, by supplier and by month?',
  },
  {
    to: '/reports/supplier-performance',
    name: 'Supplier performance',
    question: 'Which suppliers deliver on time, in full and at a steady price?',
  },
  {
    to: '/reports/adjustments',
    name: 'Adjustments',
    question: 'Which stock did people set, adjust or count, and why?',
  },
  {
    to: '/reports/adjustment-reasons',
    name: 'Reasons of changes',
    question: 'How many pieces were damaged, lost or found?',
  },
  {
    to: '/reports/count-accuracy',
    name: 'Count accuracy',
    question: 'How often is the recorded stock right, by location?',
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
