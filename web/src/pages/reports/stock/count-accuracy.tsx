import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { CountAccuracy } from '../../../../../shared/schemas/reports.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { readDays } from '../../../components/pickers/days.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { PeriodFilter } from '../period-filter.tsx'
import { useReportAddress } from '../report-address.ts'
import { ReportPage } from '../report-page.tsx'
import { ReportRows } from '../report-rows.tsx'

const route = getRouteApi('/reports/count-accuracy')

const columnsOf = (format: Format): Column<CountAccuracy>[] => {
  const part = (accuracy: number | null) => (accuracy === null ? '—' : format.percent(accuracy))
  return [
    { name: 'Month', cell: ({ month }) => format.month(month) },
    { name: 'Location', cell: ({ locationName }) => locationName },
    { name: 'Counts', cell: ({ countCount }) => format.count(countCount), isNumber: true },
    { name: 'Expected', cell: ({ expectedPieces }) => format.count(expectedPieces), isNumber: true },
    { name: 'Pieces wrong', cell: ({ variancePieces }) => format.count(variancePieces), isNumber: true },
    { name: 'Accuracy', cell: ({ accuracy }) => part(accuracy), isNumber: true },
    { name: 'Accuracy by value', cell: ({ accuracyByValue }) => part(accuracyByValue), isNumber: true },
    {
      name: 'Difference in value',
      cell: ({ varianceValue }) => (varianceValue === null ? '—' : format.money(varianceValue)),
      isNumber: true,
    },
  ]
}

export function CountAccuracyReport() {
  const { filter: days, isFiltered, setFilter, show } = useReportAddress(route, readDays)
  const query = useInfiniteQuery(listQuery('GET /reports/count-accuracy', { query: days }))
  return (
    <ReportPage
      title="Count accuracy"
      meaning={
        <p>
          The share of expected pieces that counts found right: 1 minus the pieces over or short, divided by
          the expected ones. Values leave out products without a known cost.
        </p>
      }
      actions={<CsvButton path="/reports/count-accuracy" query={days} name="count-accuracy" />}
      filters={<PeriodFilter value={days} onChange={setFilter} />}
      isStale={query.isPlaceholderData}
    >
      <ReportRows
        list="count-accuracy"
        label="Count accuracy"
        query={query}
        columns={columnsOf(useFormat())}
        keyOf={({ month, locationId }) => `${month} ${locationId}`}
        filter={days}
        onShow={show}
        empty={
          isFiltered
            ? { title: 'No counts in this period', text: 'Choose other dates.' }
            : {
                title: 'No counts yet',
                text: 'Submit a count, and its accuracy is shown here.',
                action: <LinkButton to="/counts">Go to counts</LinkButton>,
              }
        }
      />
    </ReportPage>
  )
}
