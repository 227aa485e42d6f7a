import { lazy } from 'react'

// The chart library is larger than the rest of the admin, so it loads only when a page shows a chart.

export const MonthBars = lazy(async () => ({ default: (await import('./month-bars.tsx')).MonthBars }))
export const RankedBars = lazy(async () => ({ default: (await import('./ranked-bars.tsx')).RankedBars }))
export const ValueAreas = lazy(async () => ({ default: (await import('./value-areas.tsx')).ValueAreas }))
export const Pareto = lazy(async () => ({ default: (await import('./pareto.tsx')).Pareto }))
export const ForecastWeeks = lazy(async () => ({
  default: (await import('./forecast-weeks.tsx')).ForecastWeeks,
}))

/** In pixels, for that many bars. */
export const rankedBarsHeight = (count: number) => count * 34

/** In pixels. */
export const legendHeight = 30
