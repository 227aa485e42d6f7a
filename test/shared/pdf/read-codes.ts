import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** `cell` is the place on the page: 0 is the top left. */
export type ReadCode = { format: string; text: string; page: number; cell: number }

const dotsPerInch = 300
const pointsPerInch = 72

const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))

/**
 * Renders each page as a printer does and reads the barcodes of each cell alone, as a scanner reads one label. Cells are in
 * reading order; an empty one gives nothing.
 */
export async function readCodes(file: Uint8Array, { columns = 1, rows = 1 } = {}): Promise<ReadCode[]> {
  prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer } })
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(file)
  const codes: ReadCode[] = []
  for (const page of document.pages()) {
    const picture = await page.render({ scale: dotsPerInch / pointsPerInch, render: 'bitmap' })
    for (let cell = 0; cell < columns * rows; cell++) {
      const [width, height] = [Math.floor(picture.width / columns), Math.floor(picture.height / rows)]
      const left = (cell % columns) * width
      const top = Math.floor(cell / columns) * height
      const data = new Uint8ClampedArray(width * height * 4)
      for (let y = 0; y < height; y++) {
        const from = ((top + y) * picture.width + left) * 4
        data.set(picture.data.subarray(from, from + width * 4), y * width * 4)
      }
      const found = await readBarcodes({ data, width, height, colorSpace: 'srgb' } as ImageData, {
        formats: ['EAN-13', 'Code128'],
        maxNumberOfSymbols: 2,
      })
      codes.push(...found.map(({ format, text }) => ({ format, text, page: page.number, cell })))
    }
  }
  document.destroy()
  library.destroy()
  return codes
}
