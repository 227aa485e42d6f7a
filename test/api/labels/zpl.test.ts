import t, { type Test } from 'tap'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { product, variant } from '../../support/make/catalogue.ts'
import { line, makeOrder } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

type Field = {
  x: number
  y: number
  kind: 'text' | 'ean13' | 'code128'
  data: string
  height: number
  module: number
}
type ParsedLabel = { width: number; length: number; copies: number; fields: Field[] }

const number = /^\d+$/
/** The commands that labels use, with a check of each parameter. */
const commands: Record<string, (parameters: string[]) => boolean> = {
  XA: (all) => all.join() === '',
  CI: ([set, ...rest]) => set === '28' && rest.length === 0,
  PW: ([dots, ...rest]) => number.test(dots ?? '') && rest.length === 0,
  LL: ([dots, ...rest]) => number.test(dots ?? '') && rest.length === 0,
  LH: (all) => all.join() === '0,0',
  FO: (all) => all.length === 2 && all.every((dots) => number.test(dots)),
  A0: ([turn, height, width, ...rest]) =>
    turn === 'N' && number.test(height ?? '') && number.test(width ?? '') && rest.length === 0,
  BY: ([module, ratio, height]) =>
    /^[1-9]$|^10$/.test(module ?? '') && ratio === '3' && number.test(height ?? ''),
  BC: (all) => all.join() === 'N,,Y,N,N,N',
  BE: (all) => all.join() === 'N,,Y,N',
  FH: (all) => all.join() === '_',
  FD: () => true,
  FS: (all) => all.join() === '',
  PQ: (all) => number.test(all[0] ?? '') && all.slice(1).join() === '0,1,N',
  XZ: (all) => all.join() === '',
}

/** Parses ZPL as a printer does: a command begins at each `^` or `~`. Throws on anything that is not a known command. */
function parseZpl(zpl: string): ParsedLabel[] {
  const parsed: ParsedLabel[] = []
  const parts = zpl.split(/(?=[\^~])/)
  let label: ParsedLabel | undefined
  let field: Partial<Field> = {}
  for (const part of parts) {
    const name = part.slice(1, 3)
    const text = part.slice(3)
    // a field may contain spaces, other commands are followed by line breaks
    const parameters = name === 'FD' ? [text] : text.trim().split(',')
    const check = commands[name]
    if (part[0] !== '^' || !check?.(parameters)) throw new Error(`not a command: ${part}`)
    const [first = '', second = '', third = ''] = parameters
    if (name === 'XA') {
      if (label) throw new Error('a label inside a label')
      label = { width: 0, length: 0, copies: 1, fields: [] }
    } else if (!label) {
      throw new Error(`outside of a label: ${part}`)
    }
    if (name === 'PW') label.width = Number(first)
    if (name === 'LL') label.length = Number(first)
    if (name === 'PQ') label.copies = Number(first)
    if (name === 'FO') field = { x: Number(first), y: Number(second) }
    if (name === 'A0') Object.assign(field, { kind: 'text', height: Number(second) })
    if (name === 'BY') Object.assign(field, { module: Number(first), height: Number(third) })
    if (name === 'BC') field.kind = 'code128'
    if (name === 'BE') field.kind = 'ean13'
    if (name === 'FD')
      field.data = text.replace(/_([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (name === 'FS') {
      if (field.kind === undefined || field.data === undefined)
        throw new Error('a field without font or data')
      label.fields.push({ module: 0, height: 0, x: 0, y: 0, ...field } as Field)
      field = {}
    }
    if (name === 'XZ') {
      parsed.push(label)
      label = undefined
    }
  }
  if (label) throw new Error('a label without an end')
  return parsed
}

/** The text of a Code 128 that starts in subset B (`>:`) or C (`>;`), and its modules. */
function decode128(data: string): { text: string; modules: number } {
  const start = data.slice(0, 2)
  const body = data.slice(2).replaceAll('>0', '>')
  if (start !== '>:' && start !== '>;') throw new Error(`no start code: ${data}`)
  const symbols = start === '>;' ? body.length / 2 : body.length
  return { text: body, modules: (symbols + 2) * 11 + 13 }
}

async function start(t: Test) {
  const people = await startApp(t)
  await makeStock(people.db, people.alice, { variants: 4 })
  await people.db.transaction((tx) =>
    upsertProducts(
      tx,
      people.alice.shopId,
      [
        variant(1, { barcode: '4006381333931' }),
        variant(2, { barcode: '', sku: 'A>B^C~D_E\\F', title: 'Ünïcode ^XA ~JA _5E' }),
        variant(3, { barcode: '12345678901231' }),
        variant(4, { barcode: '', sku: 'SKU-4' }),
      ].map((changed, at) =>
        product(at + 1, [changed], {
          title: at === 1 ? '青いマグカップ'.repeat(8) : `Mug ${at + 1}`,
          updatedAt: '2026-03-02T12:00:00Z',
        }),
      ),
    ),
  )
  return people
}

async function print(person: Person, query: string): Promise<string> {
  const answer = await person.get(`/api/labels.zpl?${query}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.body
}

for (const [format, width, height] of [
  ['62x29', 62, 29],
  ['57x32', 57, 32],
  ['50x25', 50, 25],
] as const) {
  for (const dpi of [203, 300]) {
    t.test(`labels of ${format} at ${dpi} dpi are ZPL whose fields lie on the label`, async (t) => {
      const { alice } = await start(t)
      await alice.put('/api/settings', { labelFormat: { dpi } })
      const printed = parseZpl(await print(alice, `variantIds=1,2,3,4&copies=7&format=${format}`))
      t.equal(printed.length, 4)
      for (const { width: dots, length, copies, fields } of printed) {
        t.strictSame(
          [dots, length, copies],
          [Math.round((width * dpi) / 25.4), Math.round((height * dpi) / 25.4), 7],
        )
        for (const { x, y, height: tall } of fields) t.ok(x >= 0 && x < dots && y >= 0 && y + tall <= length)
        const code = fields.at(-1)
        const modules = code?.kind === 'ean13' ? 95 : decode128(code?.data ?? '').modules
        t.ok(code && code.x >= code.module * 11, 'a quiet zone on the left')
        t.ok(code && dots - code.x - modules * code.module >= code.module * 11 - 1, 'and on the right')
        t.ok(code && (code.height / dpi) * 25.4 >= 5, 'bars are at least 5 mm high')
      }
      const [ean, escaped, digits, sku] = printed.map(({ fields }) => fields.at(-1))
      t.match(ean, { kind: 'ean13', data: '400638133393' }, 'the printer adds the check digit')
      t.equal(decode128(escaped?.data ?? '').text, 'A>B^C~D_E\\F')
      t.equal(decode128(digits?.data ?? '').text, '12345678901231')
      t.ok(digits?.data.startsWith('>;'), 'pairs of digits')
      t.equal(decode128(sku?.data ?? '').text, 'SKU-4')
    })
  }
}

t.test('text of products stays text, in UTF-8 and cut to the label', async (t) => {
  const { alice } = await start(t)
  const zpl = await print(alice, 'variantIds=2&format=62x29')
  t.equal(zpl.match(/\^XA/g)?.length, 1, 'a title cannot begin a label')
  t.notMatch(zpl, '~')
  const [label] = parseZpl(zpl)
  const texts = label?.fields.filter(({ kind }) => kind === 'text').map(({ data }) => data) ?? []
  t.match(texts[0], /^(青いマグカップ)+/)
  t.match(texts[1], /\.\.\.$/, 'the second line of a long title is cut')
  t.equal(texts[2], 'Ünïcode ^XA ~JA _5E')
  t.match(texts[3], 'A>B^C~D_E\\F')
})

t.test('labels are in the order of the lines, with a copy for each piece', async (t) => {
  const { alice } = await start(t)
  const lineItems = [3, 1, 4].map((number) => line(number, { quantity: 10 + number }))
  const { id } = await makeOrder(alice, { lineItems })
  const printed = parseZpl(await print(alice, `purchaseOrderId=${id}`))
  t.strictSame(
    printed.map(({ copies, fields }) => [copies, fields[0]?.data]),
    [
      [13, 'Mug 3'],
      [11, 'Mug 1'],
      [14, 'Mug 4'],
    ],
  )
})
