import { useRef, useState } from 'react'
import { play } from '../scan/signals.ts'
import { NumberField } from './number-field.tsx'

type Props = {
  /** Names the row: a table cell has no visible label. */
  label: string
  value: number | ''
  onChange: (quantity: number | '') => void
  placeholder?: string
  error?: string | undefined
}

/** Barcodes have at least 8 digits, and a quantity never has. */
const barcode = /^\d{8,}$/

/** A quantity in a row. A scanner types into the focused field: a barcode does not become a quantity, and sounds as wrong. */
export function QuantityField({ label, value, onChange, placeholder, error }: Props) {
  const atFocus = useRef(value)
  const [isRefused, setRefused] = useState(false)
  const refuseBarcode = (text: string) => {
    if (!barcode.test(text.trim())) return
    onChange(atFocus.current)
    setRefused(true)
    play('wrong')
  }
  return (
    <NumberField
      aria-label={label}
      value={value}
      onChange={(quantity) => {
        setRefused(false)
        onChange(quantity)
      }}
      onFocus={() => {
        if (!Number.isNaN(value)) atFocus.current = value
      }}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && refuseBarcode(currentTarget.value)}
      onBlur={({ currentTarget }) => refuseBarcode(currentTarget.value)}
      placeholder={placeholder}
      error={isRefused ? 'This looks like a barcode. The quantity is as before.' : error}
      w={110}
      ml="auto"
      styles={{ input: { textAlign: 'right' } }}
    />
  )
}
