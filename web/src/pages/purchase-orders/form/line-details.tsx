import { NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { DraftLine } from './draft.ts'
import classes from './line-table.module.css'
import type { LineTerms } from './line-terms.ts'

type Props = {
  line: DraftLine
  terms: LineTerms | undefined
  taxRate: number
  errors: FieldErrors
  onChange: (key: number, change: Partial<DraftLine>) => void
}

/** The row below a line with the fields that few lines need. */
export function LineDetails({ line, terms, taxRate, errors, onChange }: Props) {
  const { decimalSeparator } = useFormat()
  const { key, title } = line
  const set = (name: 'packSize' | 'discountPercent' | 'taxRate') => (value: number | string) =>
    onChange(key, { [name]: value === '' ? '' : Number(value) })
  const percent = {
    min: 0,
    max: 100,
    decimalScale: 3,
    decimalSeparator,
    suffix: '%',
    clampBehavior: 'none',
  } as const
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
          <NumberInput
            label="Pack size"
            size="xs"
            aria-label={`Pack size of ${title}`}
            value={line.packSize ?? terms?.packSize ?? 1}
            onChange={set('packSize')}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            error={errors.packSize}
          />
          <NumberInput
            label="Discount"
            size="xs"
            aria-label={`Discount of ${title} in percent`}
            value={line.discountPercent || ''}
            onChange={set('discountPercent')}
            placeholder="0%"
            allowNegative={false}
            hideControls
            error={errors.discountPercent}
            {...percent}
          />
          <NumberInput
            label="Tax"
            size="xs"
            aria-label={`Tax of ${title} in percent`}
            value={line.taxRate === undefined ? taxRate || '' : line.taxRate || ''}
            onChange={set('taxRate')}
            placeholder="0%"
            allowNegative={false}
            hideControls
            error={errors.taxRate}
            {...percent}
          />
        </SimpleGrid>
      </td>
    </tr>
  )
}
