import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { listQuery } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { LinkButton, TextLink } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { Empty } from '../../components/tables/data-list.tsx'
import { BudgetedPlan } from './budgeted-plan.tsx'
import { Plan, PlanLoading } from './plan.tsx'
import { defaultDays, type PlanFilter, readPlanFilter } from './plan-filter.ts'
import { groupRows } from './plan-groups.ts'
import { PlanHeader } from './plan-header.tsx'

const route = getRouteApi('/replenishment')

/** What to order so that the stock lasts a number of days, by supplier, or with the rest of a budget. */
export function Replenishment() {
  const filter = readPlanFilter(route.useSearch())
  const navigate = route.useNavigate()
  const { budgetId, ...rest } = filter
  const query = { days: defaultDays, ...rest }
  return (
    <PageBody>
      <PageHeader
        title="Replenishment"
        actions={
          <>
            {budgetId === undefined ? (
              <CsvButton path="/replenishment" query={query} name="replenishment" />
            ) : (
              <CsvButton
                path="/buying-budgets/:id/suggestions"
                params={{ id: budgetId }}
                query={query}
                name="budget"
              />
            )}
            <LinkButton to="/demand-events" variant="default">
              Events
            </LinkButton>
            <LinkButton to="/buying-budgets" variant="default">
              Budgets
            </LinkButton>
          </>
        }
      />
      <Text size="sm" c="dimmed">
        What to order so that the stock lasts for the chosen days by the forecast, also of products without a
        rule. Products at the reorder point of their rule are in{' '}
        <TextLink to="/reorder" search={{}} inherit>
          Reorder
        </TextLink>
        .
      </Text>
      <PlanHeader
        filter={filter}
        onChange={(change) =>
          navigate({
            search: (now) => readPlanFilter({ ...now, ...change }),
            replace: true,
            resetScroll: false,
          })
        }
      />
      {budgetId === undefined ? (
        <SupplierPlans key={JSON.stringify(query)} query={query} />
      ) : (
        <BudgetedPlan key={`${budgetId} ${JSON.stringify(query)}`} budgetId={budgetId} query={query} />
      )}
    </PageBody>
  )
}

function SupplierPlans({ query }: { query: Omit<PlanFilter, 'budgetId'> }) {
  const { data, error, isPending, isPlaceholderData, refetch, ...pages } = useInfiniteQuery(
    listQuery('GET /replenishment', { query: { limit: 250, ...query } }),
  )
  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  if (isPending || isPlaceholderData) return <PlanLoading />
  const rows = data.pages.flatMap(({ records }) => records)
  if (rows.length === 0 && !pages.hasNextPage) {
    return <NothingToOrder isFiltered={query.supplierId !== undefined || query.locationId !== undefined} />
  }
  return (
    <Plan
      rows={rows}
      groups={groupRows(rows)}
      {...(query.locationId !== undefined && { locationId: query.locationId })}
      more={{ ...pages, error }}
    />
  )
}

/** Says what a suggestion needs. */
const NothingToOrder = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty
    title="Nothing to order"
    text={
      isFiltered
        ? 'The stock of this supplier or location covers the chosen days. Raise the days, or add products to the supplier: only those that sell are suggested.'
        : 'The stock covers the chosen days. A product needs sales and a supplier. Raise the days to order for longer.'
    }
    action={
      <LinkButton to="/suppliers" variant="default">
        Suppliers
      </LinkButton>
    }
  />
)
