import { lazy } from 'react'

// What draws is larger than all the rest of the admin, so it is loaded when there is something to draw, and only then.

export const MonthBars = lazy(async () => ({ default: (await import('./month-bars.tsx')).MonthBars }))
export const RankedBars = lazy(async () => ({ default: (await import('./ranked-bars.tsx')).RankedBars }))
export const ValueAreas = lazy(async () => ({ default: (await import('./value-areas.tsx')).ValueAreas }))
export const Pareto = lazy(async () => ({ default: (await import('./pareto.tsx')).Pareto }))

/** Of so many names below each other. */
export const rankedBarsHeight = (count: number) => count * 34

/** Of what stands below a drawing and says which mark is what. */
export const legendHeight = 30
