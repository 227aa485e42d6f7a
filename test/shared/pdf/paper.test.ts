import sharp from 'sharp'
import t from 'tap'
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import type { Picture } from '../../../shared/pdf/page.ts'
import { renderDefinition } from '../../../shared/pdf/render-thread.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import { barsOf, makeLabels, makeLine, makeOrder, makePickList, makeReturn, titles } from './orders.ts'
import { readCodes } from './read-codes.ts'
import { readPdf } from './read-pdf.ts'
import { findRoles, readStructure } from './read-structure.ts'

const renderer = createPdfRenderer()
t.teardown(renderer.close)

const pictureOf = async (width: number, height: number): Promise<Picture> => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#0b6e4f' } })
    .png()
    .toBuffer()
  return { bytes, width, height }
}

/** The boxes of the pictures on the first page, from its top left, in pt. */
async function picturesOf(file: Uint8Array) {
  const { OPS } = await getResolvedPDFJS()
  const document = await getDocumentProxy(new Uint8Array(file), { verbosity: 0 })
  const page = await document.getPage(1)
  const { fnArray, argsArray } = await page.getOperatorList()
  const boxes: { x: number; y: number; width: number; height: number }[] = []
  for (const [at, operation] of fnArray.entries()) {
    if (operation !== OPS.paintImageXObject) continue
    const place = argsArray.slice(0, at).findLast((_, before) => fnArray[before] === OPS.transform)
    const [width, , , height, x, y] = place as number[]
    boxes.push({ x: x ?? 0, y: y ?? 0, width: width ?? 0, height: Math.abs(height ?? 0) })
  }
  await document.loadingTask.destroy()
  return boxes
}

t.test('documents are on A4, and on US Letter where the shop uses it', async (t) => {
  const a4 = { width: 595.28, height: 841.89 }
  const letter = { width: 612, height: 792 }
  const sizesOf = async (file: Promise<Uint8Array>) =>
    (await readPdf(await file)).pages.map(({ width, height }) => ({ width, height }))
  t.strictSame(await sizesOf(renderDefinition(makeOrder())), [a4], 'a document of an earlier release')
  t.strictSame(await sizesOf(renderDefinition(makeOrder({ paper: 'a4' }))), [a4])
  t.strictSame(await sizesOf(renderDefinition(makeOrder({ paper: 'letter' }))), [letter])
  for (const [paper, size] of [
    ['a4', a4],
    ['letter', letter],
  ] as const) {
    t.strictSame(await sizesOf(renderer.renderReturn(makeReturn({ paper }))), [size], 'return note')
    t.strictSame(await sizesOf(renderer.renderPickList(makePickList({ paper }))), [size], 'pick list')
  }
  const [sheet] = await sizesOf(renderer.renderLabels(makeLabels()))
  t.equal(Math.round(sheet?.width ?? 0), 595, 'sheets of labels have the size of the sheets')
})

t.test('text stays within the page of US Letter, on every page', async (t) => {
  const lines = Object.values(titles).flatMap((title) =>
    Array.from({ length: 5 }, () =>
      makeLine({ title: `${title} `.repeat(9), sku: 'S'.repeat(60), taxRate: 20 }),
    ),
  )
  const { pages } = await readPdf(await renderDefinition(makeOrder({ lines, paper: 'letter' })))
  t.ok(pages.length > 2)
  for (const { items, width, height } of pages) {
    for (const { text, x, y, width: itemWidth } of items) {
      const isInside = x >= 39.5 && (x + itemWidth <= width - 39.5 || /\p{Script=Arabic}/u.test(text))
      t.ok(isInside && y > 20 && y < height - 39, text)
    }
  }
  const right = Math.max(...(pages[0]?.items.map(({ x, width }) => x + width) ?? []))
  t.ok(right > 612 - 46, 'the whole width is used')
})

t.test('the logo is printed at the head, in its box and in its shape', async (t) => {
  const box = { width: 160, height: 56 }
  for (const [width, height, expected] of [
    [640, 224, box],
    [640, 64, { width: 160, height: 16 }],
    [100, 224, { width: 25, height: 56 }],
    [40, 20, { width: 30, height: 15 }],
  ] as const) {
    const logo = await pictureOf(width, height)
    for (const file of [
      await renderDefinition(makeOrder(), logo),
      await renderer.renderReturn(makeReturn(), { logo }),
    ]) {
      const [picture, ...others] = await picturesOf(file)
      t.strictSame(others, [])
      t.match(picture, { x: 40 })
      t.ok(Math.abs((picture?.width ?? 0) - expected.width) < 0.01, `${width} × ${height}: ${picture?.width}`)
      t.ok(Math.abs((picture?.height ?? 0) - expected.height) < 0.01)
      const { roots, untagged } = await readStructure(file)
      t.match(findRoles(roots, 'Figure'), [{ alt: 'Northwind Outfitters' }])
      t.strictSame(untagged, [])
    }
  }
  t.strictSame(await picturesOf(await renderDefinition(makeOrder())), [], 'without a logo there is none')
})

t.test('the same order with the same logo gives the same file', async (t) => {
  const logo = await pictureOf(640, 224)
  const render = async () => Buffer.from(await renderDefinition(makeOrder(), logo))
  t.ok((await render()).equals(await render()))
})

t.test('a scanner reads the number of the order', async (t) => {
  const poNumber = 'PO-00012'
  for (const paper of ['a4', 'letter'] as const) {
    const order = makeOrder({ paper, poNumber, barcode: barsOf(poNumber).bars })
    const codes = await readCodes(await renderer.render(order))
    t.match(codes, [{ format: 'Code128', text: poNumber }])
  }
  t.strictSame(await readCodes(await renderer.render(makeOrder())), [], 'a document of an earlier release')
  const long = await renderer.render(makeOrder({ barcode: barsOf('P'.repeat(60)).bars }))
  t.strictSame(await readCodes(long), [], 'a code that is wider than its column is left out')
})

t.test('tax rate, buyer, tax number and the source of the expected date are shown', async (t) => {
  const text = async (order: Parameters<typeof makeOrder>[0]) =>
    (await readPdf(await renderDefinition(makeOrder(order)))).text.split('\n').join('|')
  const { shop } = makeOrder()
  const rows = await text({
    ...{ taxRate: 7.5, orderedBy: 'Dana Reyes', isExpectedByLeadTime: true },
    shop: { ...shop, taxId: 'GB 123 4567 89' },
  })
  t.match(rows, '|Tax 7.5%|$98.76|')
  t.match(rows, '|Expected date|March 21, 2025 (by your usual|lead time)|Ordered by|Dana Reyes|')
  t.match(rows, '|Tax ID: GB 123 4567 89|')
  t.match(await text({}), '|Tax|$98.76|')
  const file = await renderer.renderReturn(makeReturn({ shop: { ...shop, taxId: 'GB 123 4567 89' } }))
  t.match((await readPdf(file)).text, 'Tax ID: GB 123 4567 89')
})
