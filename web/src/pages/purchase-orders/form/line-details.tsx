import { SimpleGrid, TextInput } from '@mantine/core'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import type { DraftLine } from './draft.ts'
import type { LineTerms } from './line-prices.ts'
import classes from './line-table.module.css'

type Props = {
  line: DraftLine
  terms: LineTerms | undefined
  taxRate: number
  errors: FieldErrors
  onChange: (key: number, change: Partial<DraftLine>) => void
}

/** The row below a line with the fields that few lines need. */
export function LineDetails({ line, terms, taxRate, errors, onChange }: Props) {
  const { key, title } = line
  const set = (name: 'packSize' | 'discountPercent' | 'taxRate') => (value: number | '') =>
    onChange(key, { [name]: value })
  const percent = { max: 100, decimals: 3, suffix: '%' } as const
  return (
    <tr className={classes.details}>
      <td colSpan={5}>
        <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs" verticalSpacing={4}>
          <TextInput
            label="Supplier SKU"
            size="xs"
            maxLength={255}
            aria-label={`Supplier SKU of ${title}`}
            value={line.supplierSku ?? terms?.supplierSku ?? ''}
            onChange={(event) => onChange(key, { supplierSku: event.currentTarget.value })}
            error={errors.supplierSku}
          />
          <NumberField
            label="Pack size"
            size="xs"
            aria-label={`Pack size of ${title}`}
            value={line.packSize ?? terms?.packSize ?? 1}
            onChange={set('packSize')}
            error={errors.packSize}
          />
          <NumberField
            label="Discount"
            size="xs"
            aria-label={`Discount of ${title} in percent`}
            value={line.discountPercent || ''}
            onChange={set('discountPercent')}
            placeholder="0%"
            error={errors.discountPercent}
            {...percent}
          />
          <NumberField
            label="Tax"
            size="xs"
            aria-label={`Tax of ${title} in percent`}
            value={line.taxRate === undefined ? taxRate || '' : line.taxRate || ''}
            onChange={set('taxRate')}
            placeholder="0%"
            error={errors.taxRate}
            {...percent}
          />
        </SimpleGrid>
      </td>
    </tr>
  )
}
