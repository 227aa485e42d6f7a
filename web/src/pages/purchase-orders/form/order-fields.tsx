import { SimpleGrid, TextInput } from '@mantine/core'
import { AddressField } from '../../../components/forms/address-field.tsx'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { byLeadTime, useLeadTime } from '../expected-day.ts'
import { type Draft, withSupplier } from './draft.ts'
import { useOrderTerms } from './line-terms.ts'
import type { OrderFormProps } from './order-form.tsx'

/** Limit of the recipients of an e-mail. */
const maxCopies = 10

/** The fields of the order itself, as far as its status allows to change them. */
export function OrderFields({ draft, onChange, errors, stored }: OrderFormProps) {
  const set = <Name extends keyof Draft>(name: Name, value: Draft[Name]) =>
    onChange((now) => ({ ...now, [name]: value }))
  const format = useFormat()
  const { data: ofSupplier, isLoading } = useOrderTerms(draft.supplierId, draft.currency)
  const leadTime = useLeadTime(draft.supplierId, stored?.sentAt ?? null)
  const isDraft = stored === undefined || stored.status === 'draft'
  const isReceived = stored?.status === 'received'
  return (
    <Card title="Order">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {isDraft && (
          <>
            <SupplierPicker
              label="Supplier"
              isRequired
              placeholder="Choose one"
              value={draft.supplierId}
              onChange={(id) => onChange((now) => withSupplier(now, id, ofSupplier?.taxRate))}
              known={stored && { id: stored.supplierId, name: stored.supplierName }}
              error={errors.supplierId}
              // whether the tax rate of the order is that of its supplier is not known yet
              isDisabled={isLoading && draft.taxRate !== ''}
            />
            <LocationPicker
              label="Deliver to"
              placeholder="Primary location"
              isClearable
              value={draft.destinationLocationId}
              onChange={(id) => set('destinationLocationId', id)}
              error={errors.destinationLocationId}
            />
          </>
        )}
        {!isReceived && (
          <TextInput
            type="date"
            label="Expected on"
            description={
              draft.expectedDay === '' && leadTime && `Blank is ${byLeadTime(leadTime, format.day)}`
            }
            value={draft.expectedDay}
            onChange={(event) => set('expectedDay', event.currentTarget.value)}
            error={errors.expectedAt}
          />
        )}
        {isDraft && <CurrencyField draft={draft} onChange={onChange} errors={errors} />}
        <RateField draft={draft} onChange={onChange} errors={errors} stored={stored} />
        {!isReceived && (
          <>
            <TextInput
              label="Reference"
              placeholder="Your own number or project"
              maxLength={200}
              value={draft.reference}
              onChange={(event) => set('reference', event.currentTarget.value)}
              error={errors.reference}
            />
            <TextInput
              label="Supplier’s reference"
              placeholder="Number of their quote"
              maxLength={200}
              value={draft.supplierReference}
              onChange={(event) => set('supplierReference', event.currentTarget.value)}
              error={errors.supplierReference}
            />
            <AddressField
              label="Copies by e-mail to"
              maxCount={maxCopies}
              name="cc"
              value={draft.cc}
              onChange={(cc) => set('cc', cc)}
              errors={errors}
            />
          </>
        )}
      </SimpleGrid>
    </Card>
  )
}

function CurrencyField({ draft, onChange, errors }: Omit<OrderFormProps, 'stored'>) {
  const ofSupplier = useOrderTerms(draft.supplierId, '').data?.currency
  const isOther = ofSupplier !== undefined && draft.currency !== '' && draft.currency !== ofSupplier
  return (
    <TextInput
      label="Currency"
      description={isOther ? `The supplier’s is ${ofSupplier}` : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={ofSupplier ?? 'The supplier’s'}
      maxLength={3}
      value={draft.currency}
      onChange={(event) => {
        const currency = event.currentTarget.value.toUpperCase()
        // a rate belongs to its currency
        onChange((now) => ({ ...now, currency, rate: '' }))
      }}
      error={errors.currency}
    />
  )
}

/** What 1 of a foreign currency costs. A new order and a changed currency take the last rate unless one is typed. */
function RateField({ draft, onChange, errors, stored }: OrderFormProps) {
  const settings = useSettings()
  const { data: terms } = useOrderTerms(draft.supplierId, draft.currency)
  const currency = terms?.currency ?? stored?.currency
  if (currency === undefined || currency === settings.currency) return null
  const takesLast = stored?.currency !== currency
  const last = takesLast ? (terms?.rate ?? null) : null
  return (
    <NumberField
      label={`1 ${currency} in ${settings.currency}`}
      description={
        last === null
          ? draft.rate === '' && 'Needed for costs and reports'
          : draft.rate === '' && 'The last rate you entered'
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={last === null ? '' : String(last)}
      value={draft.rate}
      onChange={(rate) => onChange((now) => ({ ...now, rate }))}
      decimals={8}
      error={errors.rate}
    />
  )
}
