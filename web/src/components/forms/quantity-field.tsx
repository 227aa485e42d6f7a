import { useRef, useState } from 'react'
import { play } from '../scan/signals.ts'
import { useFormat } from '../shop/format.ts'
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

/** A scanner types without a pause, and a person pauses before a scan. */
const burstMs = 200

/** A quantity in a row. A scanner types into the focused field: a barcode does not become a quantity, and sounds as wrong. */
export function QuantityField({ label, value, onChange, placeholder, error }: Props) {
  const atFocus = useRef(value)
  /** The value before the characters that came last without a pause, and when the last of them came. */
  const burst = useRef({ before: value, at: 0 })
  const [isRefused, setRefused] = useState(false)
  const { count } = useFormat()
  /** A scan behind a typed quantity takes only its own digits back. */
  const beforeBarcode = (text: string) => {
    const { before } = burst.current
    const isWhole = !Number.isNaN(before) && barcode.test(text.slice(String(before).length))
    return isWhole && text.startsWith(String(before)) ? before : atFocus.current
  }
  const refuseBarcode = (text: string) => {
    if (!barcode.test(text.trim())) return
    onChange(beforeBarcode(text.trim()))
    setRefused(true)
    play('wrong')
  }
  return (
    <NumberField
      aria-label={label}
      value={value}
      onChange={(quantity) => {
        setRefused(false)
        const at = performance.now()
        burst.current = { before: at - burst.current.at > burstMs ? value : burst.current.before, at }
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
