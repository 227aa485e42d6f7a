import { NumberInput } from '@mantine/core'

type Props = {
  /** Whose it is: in a table no label stands at it. */
  label: string
  value: number | ''
  onChange: (quantity: number | '') => void
  placeholder?: string
  error?: string | undefined
}

/** A number of pieces in a row, in line with the other numbers of its column. */
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
