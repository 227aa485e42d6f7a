import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
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
        label="Goods arrive at"
        description="When an order does not say where. Empty: as in your shop admin."
        placeholder="As in your shop admin"
        value={defaultLocationId}
        onChange={(id) => form.setFieldValue('defaultLocationId', id)}
        error={errorOf(form, 'defaultLocationId')}
        isClearable
      />
      <Select
        label="Time zone"
        description={`A day begins and ends there. It is ${timeIn(timeZone)} now.`}
        data={timeZoneOptions(timeZone)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No time zone has such a name"
        {...form.getInputProps('timeZone')}
      />
      <Select
        label="Dates and amounts in documents"
        description={`As in ${sampleOf(locale, currency, timeZone)}`}
        data={localeOptions(locale)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No language has such a name"
        {...form.getInputProps('locale')}
      />
      <TextInput
        label="Currency"
        description="Comes from your shop admin, and is changed there."
        value={currency}
        readOnly
        variant="filled"
      />
    </SimpleGrid>
  )
}

function errorOf(form: UseFormReturnType<SettingsForm>, name: keyof SettingsForm): string | undefined {
  const error = form.errors[name]
  return typeof error === 'string' ? error : undefined
}
