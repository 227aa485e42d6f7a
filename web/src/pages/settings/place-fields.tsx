import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { NumberField } from '../../components/forms/number-field.tsx'
import { LocationPicker } from '../../components/pickers/location-picker.tsx'
import { localeOptions, sampleOf } from './locales.ts'
import type { SettingsForm } from './settings-form.ts'
import { timeIn, timeZoneOptions } from './time-zones.ts'

type Props = { form: UseFormReturnType<SettingsForm>; currency: string }

export function PlaceFields({ form, currency }: Props) {
  const { timeZone, locale, defaultLocationId } = form.values
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <LocationPicker
        label="Default delivery location"
        description="Used when an order has no delivery location. Blank uses your admin’s default."
        placeholder="Your admin’s default"
        value={defaultLocationId}
        onChange={(id) => form.setFieldValue('defaultLocationId', id)}
        error={errorOf(form, 'defaultLocationId')}
        isClearable
      />
      <Select
        label="Time zone"
        description={`Used for dates and daily totals. It is now ${timeIn(timeZone)}.`}
        data={timeZoneOptions(timeZone)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No matching time zones"
        {...form.getInputProps('timeZone')}
      />
      <Select
        label="Language and formats of documents"
        description={`Example: ${sampleOf(locale, currency, timeZone)}`}
        data={localeOptions(locale)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No matching languages"
        {...form.getInputProps('locale')}
      />
      <TextInput
        label="Currency"
        description="Set in your shop admin."
        value={currency}
        readOnly
        variant="filled"
      />
      <Select
        label="Costs in your shop"
        description="Writes the cost of a product to your shop when it changes here."
        data={[
          { value: 'off', label: 'Do not write' },
          { value: 'last', label: 'Write the last cost' },
          { value: 'average', label: 'Write the average cost' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('costWriteBack')}
      />
      <NumberField
        label="Over-receipt tolerance (%)"
        description="How much more than ordered of a line you accept without a question. With 10, up to 110 of 100."
        max={100}
        {...form.getInputProps('overReceiptPercent')}
      />
    </SimpleGrid>
  )
}

function errorOf(form: UseFormReturnType<SettingsForm>, name: keyof SettingsForm): string | undefined {
  const error = form.errors[name]
  return typeof error === 'string' ? error : undefined
}
