/** How wide a table may be. */
const widest = 100
const gap = 2
/** A column is never narrower than this, unless all that it holds is. */
const narrowest = 8

/** Texts of columns that may be cut where the table would be too wide; the others are shown as they are. */
export type Column<T> = { title: string; text: (row: T) => string; isCut?: boolean; isNumber?: boolean }

/** A table of at most 100 columns. What does not fit ends with a `…`; `show` and `--json` have all of it. */
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

/** The widest of the columns that may be cut gives way first. */
function fit<T>(columns: readonly Column<T>[], natural: number[]): number[] {
  const widths = [...natural]
  const room = widest - gap * (columns.length - 1)
  for (let tooMuch = sum(widths) - room; tooMuch > 0; tooMuch -= 1) {
    const flexible = widths.map((width, at) => (columns[at]?.isCut && width > narrowest ? width : 0))
    const most = Math.max(...flexible)
    if (most === 0) break
    widths[flexible.indexOf(most)] = most - 1
  }
  return widths
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const cut = (cell: string, width: number) => (cell.length <= width ? cell : `${cell.slice(0, width - 1)}…`)
const oneLine = (text: string) => text.replace(/[\p{Control}\s]+/gu, ' ').trim()
