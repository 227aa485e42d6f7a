import { Select, SimpleGrid, Switch } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { LabelFormat } from '../../../../shared/schemas/labels.ts'
import { formatOptions } from '../../components/labels/label-choices.ts'
import type { SettingsForm } from './settings-form.ts'

/** The usual label size, what is printed, and the printer. */
export function LabelFields({ form }: { form: UseFormReturnType<SettingsForm> }) {
  const { labelFormat } = form.values
  const change = (part: Partial<LabelFormat>) =>
    form.setFieldValue('labelFormat', { ...labelFormat, ...part })
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <Select
        label="Label size"
        description="Preselected where labels are printed."
        data={formatOptions}
        value={labelFormat.format}
        onChange={(format) => format && change({ format })}
        allowDeselect={false}
      />
      <Select
        label="Label printer"
        description="Bars are whole dots wide, so that scanners read them."
        data={[
          { value: '203', label: '203 dpi (8 dots per mm)' },
          { value: '300', label: '300 dpi (12 dots per mm)' },
        ]}
        value={String(labelFormat.dpi)}
        onChange={(dpi) => change({ dpi: dpi === '300' ? 300 : 203 })}
        allowDeselect={false}
      />
      <Switch
        label="Print the price on labels"
        checked={labelFormat.price}
        onChange={(event) => change({ price: event.currentTarget.checked })}
      />
    </SimpleGrid>
  )
}
