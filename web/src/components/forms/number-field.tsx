import { TextInput, type TextInputProps } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useFormat } from '../shop/format.ts'
import { readNumber } from './read-number.ts'

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'inputMode'> & {
  /** NaN: the text in the field is no number, and `request` refuses to send it. */
  value?: number | string
  onChange: (value: number | '') => void
  /** Max decimals; 0, the default, for whole numbers. */
  decimals?: number | undefined
  /** The number is an amount in this currency: it is shown with at least the decimals of the currency, such as 3.60. */
  currency?: string | undefined
  /** Default 0. */
  min?: number
  max?: number
  /** Shown after the number, such as ` %`. */
  suffix?: string
  /** Takes a text that is no number, such as `20%`, when the field is left: null, or its error; undefined: not taken. */
  onOther?: (text: string) => string | null | undefined
}

/** What is typed. `number` is what the form got for it, and `answer` the value that the form then gave back. */
type Typed = { text: string; number: number | ''; answer?: number | '' }

/**
 * A number, typed as the merchant writes it and read by the parser of pasted numbers. Leaving the field rewrites what was
 * read; a text that is no number stays, with an error.
 */
export function NumberField(props: Props) {
  const {
    value = '',
    onChange,
    decimals = 0,
    currency,
    min = 0,
    max,
    suffix = '',
    onOther,
    error,
    ...input
  } = props
  const { decimalSeparator: decimalMark, decimals: decimalsOfCurrency } = useFormat(currency)
  const [typed, setTyped] = useState<Typed | null>(null)
  const [fault, setFault] = useState<string>()
  const current = value === '' ? '' : Number(value)
  const atFocus = useRef<number | ''>('')
  // a form that was reset or filled shows its own number again
  useEffect(() => {
    if (!typed || Object.is(typed.answer, current)) return
    const isReset = typed.answer !== undefined && !Object.is(typed.number, current)
    setTyped(isReset ? null : { ...typed, answer: current })
    if (isReset) setFault(undefined)
  }, [typed, current])

  const read = (text: string) => {
    const unit = suffix.trim()
    const amount = unit !== '' && text.trim().endsWith(unit) ? text.trim().slice(0, -unit.length) : text
    return readNumber(amount, { decimalMark, decimals, min, ...(max !== undefined && { max }) })
  }
  const minDecimals = currency === undefined ? 0 : Math.min(decimals, decimalsOfCurrency)
  const written = (number: number | '') => {
    if (number === '' || Number.isNaN(number)) return ''
    const text = String(number)
    const isShort = (text.split('.')[1] ?? '').length < minDecimals
    return (isShort ? number.toFixed(minDecimals) : text).replace('.', decimalMark)
  }
  const change = (text: string) => {
    const result = text.trim() === '' ? { number: '' as const } : read(text)
    const number = 'fault' in result ? Number.NaN : result.number
    if (!Number.isNaN(number)) setFault(undefined)
    setTyped({ text, number })
    if (!Object.is(number, current)) onChange(number)
  }
  const settle = () => {
    if (!typed) return
    const result = read(typed.text)
    if (typed.text.trim() === '' || !('fault' in result)) return setTyped(null)
    const other = onOther?.(typed.text.trim())
    if (other === null) setTyped(null)
    setFault(other === null ? undefined : (other ?? result.fault))
  }
  const step = (event: KeyboardEvent, by: number) => {
    event.preventDefault()
    // without the binary fraction: 2.3 - 1 is 1.2999999999999998
    const next = Number(((Number(current) || 0) + by).toFixed(decimals))
    if (next >= min && next <= (max ?? next)) change(written(next))
  }
  const takeBack = () => {
    setTyped(null)
    setFault(undefined)
    if (!Object.is(atFocus.current, current)) onChange(atFocus.current)
  }
  return (
    <TextInput
      autoComplete="off"
      {...input}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      value={typed?.text ?? (current === '' || Number.isNaN(current) ? '' : `${written(current)}${suffix}`)}
      onChange={(event) => change(event.currentTarget.value)}
      onFocus={(event) => {
        // a field that was left with an error goes back to its last number
        if (!Number.isNaN(current)) atFocus.current = current
        input.onFocus?.(event)
      }}
      onBlur={(event) => {
        settle()
        input.onBlur?.(event)
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp') step(event, 1)
        if (event.key === 'ArrowDown') step(event, -1)
        // Enter may submit the form while the field has the focus
        if (event.key === 'Enter') settle()
        if (event.key === 'Escape') takeBack()
        input.onKeyDown?.(event)
      }}
      error={fault ?? error}
    />
  )
}
