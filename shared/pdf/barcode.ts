import type { CanvasRect, ContentCanvas } from 'pdfmake/interfaces.js'

/** The bars of a code as vectors, without quiet zones. `bars` are the widths of bars and spaces in turn, in modules. */
export function drawBars(bars: string, moduleWidth: number, height: number): ContentCanvas {
  const rectangles: CanvasRect[] = []
  let x = 0
  for (const [at, digit] of [...bars].entries()) {
    const w = Number(digit) * moduleWidth
    if (at % 2 === 0) rectangles.push({ type: 'rect', x, y: 0, w, h: height, color: '#000000', lineWidth: 0 })
    x += w
  }
  return { canvas: rectangles }
}

/** The total width of bars and spaces, in modules. */
export const barsWidth = (bars: string): number => [...bars].reduce((sum, width) => sum + Number(width), 0)
