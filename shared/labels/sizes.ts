import type { LabelFormat, LabelFormatName } from '../schemas/labels.ts'

/** Lengths in mm. A sheet has `columns` × `rows` labels; a roll has one label per page. */
export type LabelSize = {
  width: number
  height: number
  /** White space on each side that no text enters; printers do not reach the edge of a sheet. */
  padding: { x: number; y: number }
  columns: number
  rows: number
}

const roll = { columns: 1, rows: 1, padding: { x: 2, y: 1.5 } }

export const labelSizes: Record<LabelFormatName, LabelSize> = {
  '62x29': { ...roll, width: 62, height: 29 },
  '57x32': { ...roll, width: 57, height: 32 },
  '50x25': { ...roll, width: 50, height: 25 },
  'a4-3x8': { width: 70, height: 37.125, padding: { x: 5, y: 4 }, columns: 3, rows: 8 },
}

export const isRoll = (format: LabelFormatName): boolean => labelSizes[format].rows === 1

export const mmPerInch = 25.4

const maxModuleMm = 0.4
/** One dot at 203 dpi: the thinnest bar that handheld scanners read. */
const minModuleMm = 0.12
/** Required on both sides of a code, in modules; EAN-13 needs the most. */
const quietModules = 11

/**
 * The widest module in whole dots at which the code fits the label with its quiet zones; 0 when none does.
 *
 * Example: EAN-13 has 95 modules, with quiet zones 117. At 203 dpi a dot is 0.125 mm wide and 0.4 mm are 3 dots, so the
 * code is 117 × 0.375 = 43.9 mm wide and fits the 48 mm that a label of 50 mm has beside 1 mm at each edge.
 */
export function moduleDots(modules: number, { format, dpi }: Pick<LabelFormat, 'format' | 'dpi'>): number {
  const dotMm = mmPerInch / dpi
  const fitting = (labelSizes[format].width - 2) / (modules + 2 * quietModules)
  const dots = Math.floor(Math.min(maxModuleMm, fitting) / dotMm)
  return dots * dotMm >= minModuleMm ? dots : 0
}
