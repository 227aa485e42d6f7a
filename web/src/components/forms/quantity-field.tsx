import { NumberInput } from '@mantine/core'

type Props = {
  /** Names the row: a table cell has no visible label. */
  label: string
  value: number | ''
  onChange: (quantity: number | '') => void
  placeholder?: string
  error?: string | undefined
}

export const QuantityField = ({ label, value, onChange, placeholder, error }: Props) => (
  <NumberInput
    aria-label={label}
    value={value}
    onChange={(typed) => onChange(typed === '' ? '' : Number(typed))}
    allowDecimal={false}
    allowNegative={false}
    hideControls
    placeholder={placeholder}
    error={error}
    w={110}
    ml="auto"
    styles={{ input: { textAlign: 'right' } }}
  />
)
