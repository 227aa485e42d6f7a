const bins = new Intl.Collator('en', { numeric: true })

/** A copy in the order of bins, A2 before A10; rows without a bin keep their order at the end. */
export const byBin = <T>(rows: readonly T[], binOf: (row: T) => string): T[] =>
  rows.toSorted((a, b) => {
    const [first, second] = [binOf(a), binOf(b)]
    if (first === '' || second === '') return Number(first === '') - Number(second === '')
    return bins.compare(first, second)
  })
