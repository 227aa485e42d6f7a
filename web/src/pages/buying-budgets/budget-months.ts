/** The months of a year and the two before, from a day such as 2026-03-01, with the given month. */
export function monthsAround(known: string, today: string): string[] {
  const [year, month] = today.split('-').map(Number)
  const near = Array.from({ length: 15 }, (_, at) =>
    new Date(Date.UTC(year ?? 0, (month ?? 1) - 3 + at, 1)).toISOString().slice(0, 7),
  )
  return [...new Set([known, ...near])].filter((value) => value !== '').sort()
}
