import '@mantine/core/styles/Radio.css'
import { Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReorderMode } from '../../../../../shared/schemas/reorder-rules.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { VariantPicker } from '../../../components/pickers/variant-picker.tsx'
import type { RuleForm } from './rule-form.ts'

type Props = { form: UseFormReturnType<RuleForm> }

export function RuleSubject({ form }: Props) {
  const { variantId: picked, locationId, supplierId } = form.values
  return (
    <Stack>
      <div>
        <VariantPicker
          label="Product"
          onPick={(variant) => {
            form.setFieldValue('variantId', variant)
            form.clearFieldError('variantId')
          }}
          error={messageOf(form.errors.variantId)}
        />
        <Text size="sm" mt={6} role="status">
          {picked && (
            <>
              <strong>{picked.title}</strong> · {picked.sku || 'no SKU'} ·{' '}
              {picked.currentStock === null ? 'stock not tracked' : `${picked.currentStock} in stock`}
            </>
          )}
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <LocationPicker
          label="Location"
          placeholder="All locations combined"
          value={locationId}
          onChange={(id) => form.setFieldValue('locationId', id)}
          isClearable
          error={messageOf(form.errors.locationId)}
        />
        <SupplierPicker
          label="Supplier"
          placeholder="None yet"
          value={supplierId}
          onChange={(id) => form.setFieldValue('supplierId', id)}
          isClearable
          error={messageOf(form.errors.supplierId)}
        />
      </SimpleGrid>
    </Stack>
  )
}

/** A manual rule has its two numbers; an automatic one has the settings that they are computed from. */
export function RuleNumbers({ form }: Props) {
  const { mode } = form.values
  const number = (
    field: 'reorderPoint' | 'reorderQuantity' | 'serviceLevel' | 'reviewDays' | 'maxLevel',
  ) => ({
    ...form.getInputProps(field),
  })
  return (
    <Stack>
      <Radio.Group
        label="Mode"
        value={mode}
        onChange={(value) => form.setFieldValue('mode', value as ReorderMode)}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="manual" label="Manual" description="You set them." />
          <Radio
            value="auto"
            label="Automatic"
            description="Updated nightly from forecast, sales and lead time."
          />
        </Stack>
      </Radio.Group>
      {mode === 'manual' ? (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberField
            label="Reorder point"
            description="Suggested at or below this quantity; you are alerted below it"
            withAsterisk
            {...number('reorderPoint')}
          />
          <NumberField
            label="Quantity"
            description="Orders are a multiple of it"
            withAsterisk
            {...number('reorderQuantity')}
          />
        </SimpleGrid>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberField
            label="Service level"
            description="Chance that stock lasts until the order arrives: 90 to 99 %. Empty: 98, 95 or 90 % by the class A, B or C"
            placeholder="By class"
            suffix=" %"
            {...number('serviceLevel')}
          />
          <NumberField
            label="Order every"
            description="Days between orders: 1 to 90"
            suffix=" days"
            {...number('reviewDays')}
          />
        </SimpleGrid>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          label="Maximum level"
          description="An order fills the stock up to it. Empty: no maximum"
          {...number('maxLevel')}
        />
      </SimpleGrid>
    </Stack>
  )
}

const messageOf = (error: unknown) => (typeof error === 'string' ? error : undefined)
