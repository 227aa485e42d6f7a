import { Select } from '@mantine/core'
import { DayField } from '../../../components/pickers/day-field.tsx'
import { useLocationName } from '../../../components/pickers/location-name.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useSupplierName } from '../../../components/pickers/supplier-names.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { DocumentFilters } from '../../../components/tables/document-filters.tsx'
import { FilterChips } from '../../../components/tables/list/filter-chips.tsx'
import { MoreFilters } from '../../../components/tables/list/more-filters.tsx'
import { orderStatusName } from '../../../components/tables/looks.ts'
import { StatusLink, StatusLinks } from '../../../components/tables/status-links.tsx'
import { isReversed, type OrderFilter, paymentNames, readPayment, stageNames } from './filter.ts'

type Props = {
  filter: OrderFilter
  /** Replaces the given filters; an undefined one is removed. */
  onChange: (
    change: { [name in keyof OrderFilter]: OrderFilter[name] | undefined },
    options?: { replace: boolean },
  ) => void
}

const tabs = [
  { name: 'All' },
  { name: orderStatusName('draft'), status: 'draft' },
  { name: orderStatusName('sent'), status: 'sent' },
  { name: orderStatusName('partial'), status: 'partial' },
  { name: stageNames.incoming, stage: 'incoming' },
  { name: stageNames.overdue, stage: 'overdue' },
  { name: orderStatusName('received'), status: 'received' },
  { name: orderStatusName('cancelled'), status: 'cancelled' },
] as const satisfies readonly ({ name: string } & Pick<OrderFilter, 'status' | 'stage'>)[]

/** The filters of the orders: tabs of states, search, supplier, and the rest behind a button; with a chip for each. */
export function OrderFilters({ filter, onChange }: Props) {
  const { status, stage, payment, search, supplierId, locationId, expectedFrom, expectedTo } = filter
  const { calendarDay } = useFormat()
  const supplier = useSupplierName(supplierId)
  const place = useLocationName(locationId)
  const isTab = tabs.some((tab) => 'stage' in tab && tab.stage === stage)
  return (
    <>
      <DocumentFilters
        filter={{ search, supplierId }}
        onChange={onChange}
        searchLabel="Search orders"
        placeholder="Number, supplier or SKU"
        more={
          <MoreFilters>
            <LocationPicker
              label="Deliver to"
              value={locationId ?? null}
              onChange={(chosen) => onChange({ locationId: chosen ?? undefined })}
              placeholder="All locations"
              isClearable
            />
            <Select
              label="Payment"
              placeholder="Any"
              data={Object.entries(paymentNames).map(([value, label]) => ({ value, label }))}
              value={payment ?? null}
              onChange={(chosen) => onChange({ payment: readPayment(chosen) })}
              clearable
              allowDeselect={false}
              checkIconPosition="right"
            />
            <DayField
              label="Expected from"
              value={expectedFrom}
              max={expectedTo}
              onChange={(day) => onChange({ expectedFrom: day }, { replace: true })}
            />
            <DayField
              label="Expected until"
              value={expectedTo}
              min={expectedFrom}
              error={isReversed(filter) ? 'Choose a day that is not before the first.' : undefined}
              onChange={(day) => onChange({ expectedTo: day }, { replace: true })}
            />
          </MoreFilters>
        }
      >
        <StatusLinks>
          {tabs.map(({ name, ...tab }) => (
            <StatusLink
              key={name}
              to="/purchase-orders"
              search={{ ...filter, status: undefined, stage: undefined, ...tab }}
              isChosen={
                ('status' in tab ? tab.status : undefined) === status &&
                ('stage' in tab ? tab.stage : undefined) === stage
              }
            >
              {name}
            </StatusLink>
          ))}
          <StatusLink
            to="/purchase-orders"
            search={{ ...filter, status: undefined, stage: 'undelivered' }}
            isChosen={stage === 'undelivered'}
          >
            {stageNames.undelivered}
          </StatusLink>
          {stage && !isTab && stage !== 'undelivered' && (
            <StatusLink to="/purchase-orders" search={filter} isChosen>
              {stageNames[stage]}
            </StatusLink>
          )}
        </StatusLinks>
      </DocumentFilters>
      <FilterChips<OrderFilter>
        filters={[
          ['status', 'Status', status && orderStatusName(status)],
          ['stage', 'Status', stage && stageNames[stage]],
          ['payment', 'Payment', payment && paymentNames[payment]],
          ['search', 'Search', search],
          ['supplierId', 'Supplier', supplier],
          ['locationId', 'Deliver to', place],
          ['expectedFrom', 'Expected from', expectedFrom && calendarDay(expectedFrom)],
          ['expectedTo', 'Expected until', expectedTo && calendarDay(expectedTo)],
        ]}
        onChange={onChange}
      />
    </>
  )
}
