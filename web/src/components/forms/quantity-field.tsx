import { NumberField } from './number-field.tsx'

type Props = {
  /** Names the row: a table cell has no visible label. */
  label: string
  value: number | ''
  onChange: (quantity: number | '') => void
  placeholder?: string
  error?: string | undefined
}

export const QuantityField = ({ label, value, onChange, placeholder, error }: Props) => (
  <NumberField
    aria-label={label}
    value={value}
    onChange={onChange}
    placeholder={placeholder}
    error={error}
    w={110}
    ml="auto"
    styles={{ input: { textAlign: 'right' } }}
  />
)
