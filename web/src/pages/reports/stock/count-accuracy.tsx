import { LinkButton } from '../../../components/layout/link-button.tsx'
import { readDays } from '../../../components/pickers/days.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { PeriodFilter } from '../period-filter.tsx'
import { report } from '../report.tsx'

const partOf = (accuracy: number | null, format: Format) =>
  accuracy === null ? '—' : format.percent(accuracy)

export const CountAccuracyReport = report({
  path: '/reports/count-accuracy',
  title: 'Count accuracy',
  read: readDays,
  meaning: () => (
    <p>
      The share of expected pieces that counts found right: 1 minus the pieces over or short, divided by the
      expected ones. Values leave out products without a known cost.
    </p>
  ),
  filters: ({ filter, setFilter }) => <PeriodFilter value={filter} onChange={setFilter} />,
  columns: (format) => [
    { name: 'Month', cell: ({ month }) => format.month(month) },
    { name: 'Location', cell: ({ locationName }) => locationName },
    { name: 'Counts', cell: ({ countCount }) => format.count(countCount), isNumber: true },
    { name: 'Expected', cell: ({ expectedPieces }) => format.count(expectedPieces), isNumber: true },
    { name: 'Pieces wrong', cell: ({ variancePieces }) => format.count(variancePieces), isNumber: true },
    { name: 'Accuracy', cell: ({ accuracy }) => partOf(accuracy, format), isNumber: true },
    {
      name: 'Accuracy by value',
      cell: ({ accuracyByValue }) => partOf(accuracyByValue, format),
      isNumber: true,
    },
    {
      name: 'Difference in value',
      cell: ({ varianceValue }) => (varianceValue === null ? '—' : format.money(varianceValue)),
      isNumber: true,
    },
  ],
  keyOf: ({ month, locationId }) => `${month} ${locationId}`,
  empty: ({ isFiltered }) =>
    isFiltered
      ? { title: 'No counts in this period', text: 'Choose other dates.' }
      : {
          title: 'No counts yet',
          text: 'Submit a count, and its accuracy is shown here.',
          action: <LinkButton to="/counts">Go to counts</LinkButton>,
        },
})
