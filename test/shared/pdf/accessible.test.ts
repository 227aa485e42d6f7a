import t from 'tap'
import { renderDefinition } from '../../../shared/pdf/render-thread.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import { makeLabels, makeLine, makeOrder, makePickList, makeReturn } from './orders.ts'
import { findRoles, readStructure, type Structure } from './read-structure.ts'

const renderer = createPdfRenderer()
t.teardown(renderer.close)

const textsOf = ({ roots }: Structure, role: string) => findRoles(roots, role).map(({ text }) => text)
const read = async (file: Promise<Uint8Array>) => readStructure(await file)

t.test('every document says that it is tagged, its title and its language', async (t) => {
  const documents = {
    'Bestellung PO-00012': renderDefinition(makeOrder({ language: 'de-DE', locale: 'de-DE' })),
    'Bon de retour RET-00003': renderer.renderReturn(makeReturn({ language: 'fr-FR' })),
    'Pick list #7': renderer.renderPickList(makePickList()),
    Labels: renderer.renderLabels(makeLabels()),
  }
  const languages = ['de-DE', 'fr-FR', 'en-US', 'en']
  for (const [at, [title, file]] of Object.entries(documents).entries()) {
    const structure = await read(file)
    t.match(structure, { marked: true, isTitleShown: true, title, language: languages[at], untagged: [] })
    t.strictSame(
      structure.roots.map(({ role }) => role),
      ['Document'],
    )
  }
})

t.test('a screen reader finds the heading first, then the parties, the tables and the notes', async (t) => {
  const structure = await read(renderDefinition(makeOrder({ status: 'draft' })))
  t.strictSame(textsOf(structure, 'H1'), ['Purchase order PO-00012'])
  t.strictSame(textsOf(structure, 'H2'), ['SUPPLIER', 'SHIP TO', 'BILL TO', 'NOTES'])
  t.equal(structure.roots[0]?.children[0]?.role, 'H1')
  const paragraphs = textsOf(structure, 'P')
  t.strictSame(paragraphs.slice(0, 2), ['DRAFT', 'Northwind Outfitters'])
  for (const text of [
    'Order date March 9, 2025',
    'Hauptstraße 5 10115 Berlin',
    'Gate 4, 14 Dock Road Portland, Oregon 97203 United States',
  ]) {
    t.ok(paragraphs.includes(text), text)
  }
  t.equal(paragraphs.at(-1), 'Deliver between 8:00 and 12:00.')
  t.notOk(
    paragraphs.some((text) => /Page 1/.test(text)),
    'the footer is decoration',
  )
})

t.test('tables have rows of header cells and cells, also in the right-to-left lines', async (t) => {
  const lines = [makeLine(), makeLine({ sku: '', title: 'قميص قطني' })]
  const { roots } = await read(renderDefinition(makeOrder({ lines })))
  const [goods, totals] = findRoles(roots, 'Table')
  const cells = (table: typeof goods) =>
    findRoles(table?.children ?? [], 'TR').map((row) =>
      row.children.map(({ role, text }) => `${role} ${text}`.trim()),
    )
  const [header, first, second] = cells(goods)
  t.strictSame(header, ['TH No.', 'TH SKU', 'TH Title', 'TH Quantity', 'TH Unit cost', 'TH Line total'])
  t.strictSame(first, ['TD 1', 'TD TEE-BLK-L', 'TD Cotton T-shirt', 'TD 3', 'TD $4.1234', 'TD $12.37'])
  t.equal(second?.length, header?.length, 'an empty cell is a cell')
  t.strictSame(cells(totals), [
    ['TH Total pieces', 'TD 6'],
    ['TH Subtotal', 'TD $1,234.50'],
    ['TH Tax', 'TD $98.76'],
    ['TH Total', 'TD $1,333.26'],
  ])
})

t.test('the header of a table is read once, however many pages it has', async (t) => {
  const lines = Array.from({ length: 120 }, (_, i) => makeLine({ sku: `SKU-${i}`, title: 'word '.repeat(i) }))
  const structure = await read(renderDefinition(makeOrder({ lines })))
  t.ok(structure.roots.length > 3, 'one tree for each page')
  t.strictSame(structure.untagged, [])
  const texts = (role: string) => textsOf(structure, role).filter((text) => text !== '')
  t.equal(texts('TH').filter((text) => text === 'Unit cost').length, 1)
  t.strictSame(
    texts('TD').filter((text) => text.startsWith('SKU-')),
    lines.map(({ sku }) => sku),
  )
})
