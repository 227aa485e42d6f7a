import { useState } from 'react'
import { Choices } from '../../components/forms/choices.tsx'
import { useDebounce } from '../../components/forms/debounce.ts'
import { DateRange, type Days } from '../../components/pickers/date-range.tsx'
import { useSettings } from '../../components/shop/settings.tsx'
import { dayAfter, dayOf } from '../../components/shop/shop-days.ts'
import classes from './reports.module.css'

type Props = {
  value: Days
  onChange: (days: Days) => void
  /** What is left out of the choices: a report of days has no start of its own. */
  without?: 'All time'
}

/** The days that a report is about: a usual period, or any days. A date is told when the typing pauses. */
export function PeriodFilter({ value, onChange, without }: Props) {
  const [days, setDays] = useState(value)
  const [told, setTold] = useState(value)
  // the back button changes the days, too
  if (nameOf(value) !== nameOf(told)) {
    setTold(value)
    setDays(value)
  }
  const tell = (chosen: Days) => {
    setTold(chosen)
    onChange(chosen)
  }
  const { debounce, cancel } = useDebounce((typed: Days) => {
    if (!isBackwards(typed)) tell(typed)
  }, 500)
  const presets = usePresets().filter(({ name }) => name !== without)
  return (
    <div className={classes.period}>
      <Choices
        label="Period"
        options={presets.map((preset) => ({ name: preset.name, value: nameOf(preset.days) }))}
        value={nameOf(days)}
        onChange={(chosen) => {
          const preset = presets.find((one) => nameOf(one.days) === chosen)
          if (!preset) return
          cancel()
          setDays(preset.days)
          tell(preset.days)
        }}
      />
      <DateRange
        value={days}
        onChange={(typed) => {
          setDays(typed)
          debounce(typed)
        }}
        error={isBackwards(days) ? 'This is before the first day.' : undefined}
      />
    </div>
  )
}

const nameOf = ({ startDate = '', endDate = '' }: Days) => `${startDate}/${endDate}`

const isBackwards = ({ startDate, endDate }: Days) =>
  startDate !== undefined && endDate !== undefined && startDate > endDate

/** The 30 days that end with today. */
export function useLast30Days(): Days {
  const today = useToday()
  return { startDate: dayAfter(today, -29), endDate: today }
}

function useToday(): string {
  const { timeZone } = useSettings()
  return dayOf(new Date().toISOString(), timeZone)
}

function usePresets(): { name: string; days: Days }[] {
  const today = useToday()
  return [
    { name: 'All time', days: { startDate: undefined, endDate: undefined } },
    { name: 'Last 30 days', days: useLast30Days() },
    { name: 'This month', days: { startDate: `${today.slice(0, 7)}-01`, endDate: today } },
    { name: 'This year', days: { startDate: `${today.slice(0, 4)}-01-01`, endDate: today } },
  ]
}
