import { Box, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { VariantForecast } from '../../../../shared/schemas/forecasts.ts'
import { readQuery } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { useFormat } from '../../components/shop/format.ts'
import type { Format } from '../../components/shop/formats.ts'
import { useSettings } from '../../components/shop/settings.tsx'
import { dayOf } from '../../components/shop/shop-days.ts'
import { OrderLink } from '../../components/tables/row-link.tsx'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'
import { Badge } from '../../components/tables/status-badge.tsx'
import { computingPollMs } from '../reorder/rules/computing.ts'
import { ChartCard } from '../reports/charts/chart-card.tsx'
import type { ForecastWeek } from '../reports/charts/forecast-weeks.tsx'
import { ForecastWeeks, legendHeight } from '../reports/charts/lazy.ts'
import { CureText, cureName } from '../reports/planning/cure-text.tsx'
import { ForecastEntryForm } from './forecast-entry.tsx'
import { modelWordsOf } from './model-words.ts'

const chartHeight = 260
const shownHistory = 26

/** What a variant sold by week, what is expected, and when its stock runs out. */
export function VariantForecastCard({ id, isDeleted }: { id: string; isDeleted: boolean }) {
  const { data, error, refetch } = useQuery({
    ...readQuery('GET /variants/:id/forecast', { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.isStale ? computingPollMs : false),
  })
  if (error && !data) {
    return (
      <Card title="Forecast">
        <ErrorNotice error={error} onRetry={refetch} />
      </Card>
    )
  }
  if (!data) return null
  return <Forecast id={id} forecast={data} isDeleted={isDeleted} />
}

function Forecast({
  id,
  forecast,
  isDeleted,
}: {
  id: string
  forecast: VariantForecast
  isDeleted: boolean
}) {
  const format = useFormat()
  const { model, arrivals } = forecast
  const weeks = weeksOf(forecast, useSettings().timeZone)
  return (
    <>
      <Card title="Forecast">
        <Stack gap="xs">
          {model === null ? (
            <Text c="dimmed">
              No forecast yet. The forecast needs four weeks of sales; it is made at night. You can enter the
              weekly sales you expect.
            </Text>
          ) : (
            <Sentences id={id} forecast={forecast} />
          )}
          {!isDeleted && <ForecastEntryForm id={id} forecast={forecast} />}
        </Stack>
      </Card>
      {model !== null && (
        <>
          <ChartCard
            title="Sales and forecast by week"
            label="Chart of the units sold and expected by week, with arrivals and the week in which stock runs out."
            height={chartHeight + legendHeight}
            isPending={false}
          >
            <ForecastWeeks weeks={weeks} height={chartHeight} />
          </ChartCard>
          <Card title="Weeks ahead" isFlush>
            <RowTable
              label="Forecast by week"
              columns={weekColumns(format)}
              rows={weeks.filter(({ expected }) => expected !== null)}
              keyOf={({ week }) => week}
            />
            {arrivals.length > 0 && <Arrivals arrivals={arrivals} />}
          </Card>
        </>
      )}
    </>
  )
}

function Sentences({ id, forecast }: { id: string; forecast: VariantForecast }) {
  const format = useFormat()
  const { model, bias, history, weeks, wape, isOfType, isStale, unitsPerWeek, enteredBy, enteredAt } =
    forecast
  const { gapOn, nextArrivalOn, missingUnits, gaps } = forecast
  const next = weeks.slice(0, 4).reduce((sum, { units }) => sum + units, 0)
  const method = modelWordsOf(model ?? '')
  const past = history.slice(-shownHistory)
  const soldOutWeeks = past.filter(({ inStock }) => !inStock).length
  return (
    <>
      <Text>
        About <b>{format.many(Math.round(next), 'piece')}</b> in four weeks from this Monday on
        {unitsPerWeek !== null
          ? ', entered by hand.'
          : isOfType
            ? ', as new products of its type sell.'
            : wape === null
              ? '. How wrong this may be is known after more sales.'
              : `. Such forecasts were off by ${format.percent(wape)} lately.`}{' '}
        {unitsPerWeek !== null && <Badge look={['Entered by hand', 'quiet']} />}
      </Text>
      {unitsPerWeek !== null && enteredBy && (
        <Text size="sm" c="dimmed">
          {format.count(unitsPerWeek)} a week, by user {enteredBy}, {format.dateTime(enteredAt)}
        </Text>
      )}
      {unitsPerWeek === null && !isOfType && method && (
        <Text size="sm" c="dimmed">
          {method}
          {biasText(bias, format)}
        </Text>
      )}
      {soldOutWeeks > 0 && (
        <Text size="sm" c="dimmed">
          In {format.many(soldOutWeeks, 'week')} of the last {past.length} the product was sold out for a day
          or more. The forecast does not count these days as days without demand.
        </Text>
      )}
      <Text fw={600} c={gapOn ? 'var(--mantine-color-error)' : undefined}>
        {gapOn === null
          ? 'Stock and orders last for all weeks of the forecast.'
          : nextArrivalOn === null
            ? `Stock runs out on ${format.calendarDay(gapOn)}, and no order arrives after that.`
            : `Stock runs out on ${format.calendarDay(gapOn)}. The next order arrives on ${format.calendarDay(nextArrivalOn)}: ${format.many(Math.round(missingUnits), 'piece')} missing until then.`}
      </Text>
      {gaps.map((gap) => (
        <div key={gap.locationId}>
          {gap.locationName !== null && (
            <Text size="sm" fw={600}>
              At {gap.locationName}, stock runs out on {format.calendarDay(gap.gapOn)}.
            </Text>
          )}
          <CureText gap={gap} variantId={id} />
        </div>
      ))}
      {isStale && (
        <Text size="sm" c="dimmed">
          Sales or events have changed. The forecast is being computed again.
        </Text>
      )}
    </>
  )
}

function biasText(bias: number | null, format: Format): string {
  const error = Math.abs(bias ?? 0)
  if (bias === null || error < 0.05) return '.'
  return `; lately forecasts were ${format.percent(error)} too ${bias > 0 ? 'high' : 'low'}.`
}

const weekColumns = (format: Format): Column<ForecastWeek>[] => [
  {
    name: 'Week of',
    cell: ({ week, isGap, cure }) => (
      <>
        {format.calendarDay(week)} {isGap && <Badge look={['Stock runs out', 'bad']} />}
        {cure && (
          <Text size="xs" c="dimmed">
            {cure}
          </Text>
        )}
      </>
    ),
  },
  { name: 'Expected', cell: ({ expected }) => format.count(expected ?? 0), isNumber: true },
  {
    name: 'Likely',
    cell: ({ band }) => (band ? `${format.count(band[0])} to ${format.count(band[1])}` : '—'),
    isNumber: true,
  },
  { name: 'Arrives', cell: ({ arriving }) => (arriving > 0 ? format.count(arriving) : '—'), isNumber: true },
]

function Arrivals({ arrivals }: Pick<VariantForecast, 'arrivals'>) {
  const format = useFormat()
  return (
    <Box p="md">
      {arrivals.map(
        ({ purchaseOrderId, poNumber, quantity, promisedAt, expectedAt, lateDays, ...arrival }) => (
          <Text key={purchaseOrderId} size="sm">
            <OrderLink id={purchaseOrderId} poNumber={poNumber} /> brings {format.many(quantity, 'piece')}
            {expectedAt === null
              ? ', but has no expected date, so the forecast leaves it out.'
              : ` on ${format.day(expectedAt)}.`}
            {expectedAt !== null &&
              lateDays !== 0 &&
              ` Promised for ${format.day(promisedAt)}, but ${arrival.supplierName} delivered ${format.days(Math.abs(lateDays))} ${lateDays > 0 ? 'late' : 'early'} in the mean of the last ${format.count(arrival.lateOrders)} orders.`}
          </Text>
        ),
      )}
    </Box>
  )
}

/** The weeks of the chart: the last of the history, then those ahead. */
function weeksOf(
  { history, weeks, arrivals, gapOn, gaps }: VariantForecast,
  timeZone: string,
): ForecastWeek[] {
  const cure = gaps.find(({ locationId }) => locationId === null)?.cure ?? null
  const isIn = (day: string | null, week: string) =>
    day !== null &&
    day >= week &&
    day < new Date(Date.parse(week) + 7 * 86_400_000).toISOString().slice(0, 10)
  return [
    ...history.slice(-shownHistory).map(({ week, units, daysInStock }) => ({
      ...{ week, sold: units, expected: null, band: null, arriving: 0, isGap: false, cure: null },
      daysWithoutStock: 7 - daysInStock,
    })),
    ...weeks.map(({ week, units, low, high }) => ({
      week,
      sold: null,
      expected: units,
      band: [low, high] as [number, number],
      daysWithoutStock: 0,
      arriving: arrivals
        .filter(({ expectedAt }) => isIn(expectedAt === null ? null : dayOf(expectedAt, timeZone), week))
        .reduce((sum, { quantity }) => sum + quantity, 0),
      isGap: isIn(gapOn, week),
      cure: cure && isIn(gapOn, week) ? cureName(cure) : null,
    })),
  ]
}
