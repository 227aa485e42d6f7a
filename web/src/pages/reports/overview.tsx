import { Text, Title } from '@mantine/core'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import classes from './reports.module.css'
import { reports } from './reports.ts'

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
