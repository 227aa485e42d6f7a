import { useState } from 'react'
import { Choices } from '../../components/forms/choices.tsx'
import { useDebounce } from '../../components/forms/debounce.ts'
import { DateRange } from '../../components/pickers/date-range.tsx'
import { type Days, isReversed } from '../../components/pickers/days.ts'
import { useSettings } from '../../components/shop/settings.tsx'
import { dayOf } from '../../components/shop/shop-days.ts'
import { periodsAt } from './periods.ts'
import classes from './reports.module.css'

type Props = {
  value: Days
  onChange: (days: Days) => void
  /** Leaves out a choice: reports by day need a start date. */
  without?: 'All time'
}

/** A preset period, or any dates. A typed date applies when typing pauses. */
export function PeriodFilter({ value, onChange, without }: Props) {
  const [days, setDays] = useState(value)
  const [applied, setApplied] = useState(value)
  // the back button changes `value` from outside
  if (periodKey(value) !== periodKey(applied)) {
    setApplied(value)
    setDays(value)
  }
  const apply = (chosen: Days) => {
    setApplied(chosen)
    onChange(chosen)
  }
  const { debounce, cancel } = useDebounce((typed: Days) => {
    if (!isReversed(typed)) apply(typed)
  }, 500)
  const presets = periodsAt(useToday()).filter(({ name }) => name !== without)
  return (
    <div className={classes.period}>
      <Choices
        label="Period"
        options={presets.map((preset) => ({ name: preset.name, value: periodKey(preset.days) }))}
        value={periodKey(days)}
        onChange={(chosen) => {
          const preset = presets.find((option) => periodKey(option.days) === chosen)
          if (!preset) return
          cancel()
          setDays(preset.days)
          apply(preset.days)
        }}
      />
      <DateRange
        value={days}
        onChange={(typed) => {
          setDays(typed)
          debounce(typed)
        }}
      />
    </div>
  )
}

const periodKey = ({ startDate = '', endDate = '' }: Days) => `${startDate}/${endDate}`

/** Today's date in the shop's time zone. */
export function useToday(): string {
  const { timeZone } = useSettings()
  return dayOf(new Date().toISOString(), timeZone)
}
