import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const dotsPerInch = 300
const pointsPerInch = 72

const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))

export type ReadCode = { format: string; text: string; x: number; y: number }

/** Renders each page at the resolution of a printer and reads its barcodes, from the top left to the bottom right. */
export async function readCodes(file: Uint8Array): Promise<ReadCode[][]> {
  prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer } })
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(file)
  const pages: ReadCode[][] = []
  for (const page of document.pages()) {
    const { data, width, height } = await page.render({
      scale: dotsPerInch / pointsPerInch,
      colorSpace: 'BGRA',
      render: 'bitmap',
    })
    const found = await readBarcodes(
      { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' } as ImageData,
      { formats: ['EAN-13', 'Code128'], maxNumberOfSymbols: 255, tryHarder: true },
    )
    const codes = found.map(({ format, text, position }) => ({
      ...{ format, text },
      ...{ x: position.topLeft.x, y: position.topLeft.y },
    }))
    // labels of one row differ by less than a bar's height
    pages.push(codes.sort((a, b) => (Math.abs(a.y - b.y) > 60 ? a.y - b.y : a.x - b.x)))
  }
  document.destroy()
  library.destroy()
  return pages
}
