const maxWidth = 100
const gap = 2
/** A column that is longer is never cut below this. */
const minColumnWidth = 8

/** Only columns with `isCut` are shortened when the table is too wide. */
export type Column<T> = { title: string; text: (row: T) => string; isCut?: boolean; isNumber?: boolean }

/** A table of at most 100 characters per line. Cut texts end with `…`; `show` and `--json` print them whole. */
export function table<T>(columns: readonly Column<T>[], rows: readonly T[]): string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ text }) => oneLine(text(row)))),
  ]
  const widths = fit(
    columns,
    columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0))),
  )
  return cells.map((line) =>
    line
      .map((cell, at) => {
        const width = widths[at] ?? 0
        return columns[at]?.isNumber ? cell.padStart(width) : cut(cell, width).padEnd(width)
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

/** Shortens the widest of the columns with `isCut` by one character at a time. */
function fit<T>(columns: readonly Column<T>[], natural: number[]): number[] {
  const widths = [...natural]
  const room = maxWidth - gap * (columns.length - 1)
  for (let excess = sum(widths) - room; excess > 0; excess -= 1) {
    const flexible = widths.map((width, at) => (columns[at]?.isCut && width > minColumnWidth ? width : 0))
    const max = Math.max(...flexible)
    if (max === 0) break
    widths[flexible.indexOf(max)] = max - 1
  }
  return widths
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const cut = (cell: string, width: number) => (cell.length <= width ? cell : `${cell.slice(0, width - 1)}…`)
const oneLine = (text: string) => text.replace(/[\p{Control}\s]+/gu, ' ').trim()
