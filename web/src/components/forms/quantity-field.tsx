import { useRef, useState } from 'react'
import { play } from '../scan/signals.ts'
import { useFormat } from '../shop/format.ts'
import { NumberField } from './number-field.tsx'
import { type Burst, isBarcode, nextBurst, withoutBarcode } from './scanned-digits.ts'

type Props = {
  /** Names the row: a table cell has no visible label. */
  label: string
  value: number | ''
  onChange: (quantity: number | '') => void
  placeholder?: string
  error?: string | undefined
}

/** A quantity in a row. A scanner types into the focused field: a barcode does not become a quantity, and sounds as wrong. */
export function QuantityField({ label, value, onChange, placeholder, error }: Props) {
  const atFocus = useRef(value)
  const burst = useRef<Burst>({ before: value, at: 0 })
  const [isRefused, setRefused] = useState(false)
  const { count } = useFormat()
  const refuseBarcode = (text: string) => {
    if (!isBarcode(text)) return
    onChange(withoutBarcode(text.trim(), burst.current, atFocus.current))
    setRefused(true)
    play('wrong')
  }
  return (
    <NumberField
      aria-label={label}
      value={value}
      onChange={(quantity) => {
        setRefused(false)
        burst.current = nextBurst(burst.current, value, performance.now())
        onChange(quantity)
      }}
      onFocus={() => {
        setRefused(false)
        if (!Number.isNaN(value)) atFocus.current = value
      }}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && refuseBarcode(currentTarget.value)}
      onBlur={({ currentTarget }) => refuseBarcode(currentTarget.value)}
      placeholder={placeholder}
      error={
        isRefused
          ? `This looks like a barcode. The quantity is still ${value === '' ? 'empty' : count(value)}.`
          : error
      }
      w={110}
      ml="auto"
      styles={{ input: { textAlign: 'right' } }}
    />
  )
}
