import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import t from 'tap'
import { type FontName, fontFace } from '../../../shared/pdf/fonts.ts'
import { purchaseOrderDefinition } from '../../../shared/pdf/purchase-order.ts'
import { renderDefinition } from '../../../shared/pdf/render-thread.ts'
import type { PurchaseOrderDocument } from '../../../shared/schemas/order-document.ts'
import { makeLine, makeOrder, titles } from './orders.ts'
import { readPdf } from './read-pdf.ts'

const margin = 40
const run = promisify(execFile)
const renderElsewhere = `
  import { createHash } from 'node:crypto'
  const { renderDefinition } = await import('${new URL('../../../shared/pdf/render-thread.ts', import.meta.url)}')
  const pdf = await renderDefinition(JSON.parse(process.env.ORDER))
  process.stdout.write(createHash('sha256').update(pdf).digest('hex'))
`

async function render(order: PurchaseOrderDocument) {
  return readPdf(await renderDefinition(order))
}

t.test(
  'a document shows the shop, the supplier, where to deliver, the dates, the lines and the totals',
  async (t) => {
    const { pages, text, missingGlyphs } = await render(makeOrder())
    t.equal(pages.length, 1)
    t.equal(missingGlyphs, 0)
    t.strictSame(text.split('\n'), [
      'Northwind Outfitters',
      '120 Harbour Street',
      'Portland, OR 97201',
      'orders@northwind.example',
      '+1 503 555 0100',
      'Purchase order PO-00012',
      'SUPPLIER',
      'Müller & Söhne GmbH',
      'Attn: Jürgen Müller',
      'Hauptstraße 5',
      '10115 Berlin',
      'verkauf@mueller.example',
      '+49 30 1234567',
      'Order date',
      'March 9, 2025',
      'Expected date',
      'March 21, 2025',
      'Payment terms',
      'Net 30',
      'Currency',
      'USD',
      'SHIP TO',
      'Harbour warehouse',
      'Gate 4, 14 Dock Road',
      'Portland, Oregon 97203',
      'United States',
      '+1 503 555 0177',
      'BILL TO',
      'Northwind Outfitters',
      '120 Harbour Street',
      'Portland, OR 97201',
      '+1 503 555 0100',
      ...['No.', 'SKU', 'Title', 'Quantity', 'Unit cost', 'Line total'],
      ...['1', 'TEE-BLK-L', 'Cotton T-shirt', '3', '$4.1234', '$12.37'],
      ...['Total pieces', '3', 'Subtotal', '$1,234.50', 'Tax', '$98.76', 'Total', '$1,333.26'],
      'NOTES',
      'Deliver between 8:00 and 12:00.',
      'PO-00012',
      'Page 1 of 1',
    ])
  },
)

t.test('the totals name the lines whose price is to be agreed', async (t) => {
  const open = makeLine({ costPrice: 0, lineTotal: 0, isCostToBeAgreed: true })
  const totalsOf = async (lines: PurchaseOrderDocument['lines'], language = 'en') => {
    const { text } = await render(
      makeOrder({ lines, language, tax: 0, subtotal: 10, total: 10, supplierNotes: '' }),
    )
    return text
      .slice(text.search(/^(Subtotal|Zwischensumme)$/m), text.lastIndexOf('PO-'))
      .replaceAll(/\s+/g, ' ')
  }
  const some = '$10.00 + 2 lines to be agreed'
  t.equal(await totalsOf([makeLine(), open, open]), `Subtotal ${some} Total ${some} `)
  t.equal(await totalsOf([open, open]), 'Subtotal to be agreed Total to be agreed ')
  const german = '$10.00 + 2 Positionen nach Vereinbarung'
  t.match(await totalsOf([makeLine(), open, open], 'de'), german)
})

t.test('empty fields leave no row', async (t) => {
  const nameOnly = { name: 'A', address: '', email: '', phone: '' }
  const { text } = await render(
    makeOrder({
      shop: nameOnly,
      supplier: { ...nameOnly, contactName: '', paymentTerms: '' },
      shipTo: { ...nameOnly, name: 'B' },
      expectedAt: null,
      tax: 0,
      supplierNotes: '',
      lines: [],
    }),
  )
  t.strictSame(text.split('\n'), [
    ...['A', 'Purchase order PO-00012', 'SUPPLIER', 'A', 'Order date', 'March 9, 2025', 'Currency', 'USD'],
    ...['SHIP TO', 'B', 'BILL TO', 'A'],
    ...['No.', 'SKU', 'Title', 'Quantity', 'Unit cost', 'Line total'],
    ...['Total pieces', '0', 'Subtotal', '$1,234.50', 'Total', '$1,333.26'],
    ...['PO-00012', 'Page 1 of 1'],
  ])
})

t.test(
  'an address leaves no empty line, and without a location the billing address takes its place',
  async (t) => {
    const block = (fields: object) => ({ name: 'Dock', address: '', email: '', phone: '', ...fields })
    const bottomOf = async (order: Partial<PurchaseOrderDocument>) => {
      const { pages } = await render(makeOrder(order))
      const items = pages[0]?.items ?? []
      const find = (text: string) => items.find((item) => item.text === text)
      return { find, header: find('SKU')?.y ?? 0 }
    }
    const shop = block({ name: 'A' })
    const full = await bottomOf({ shop, shipTo: block({ address: 'Road 1\nTown', phone: '+1 2' }) })
    const noAddress = await bottomOf({ shop, shipTo: block({ phone: '+1 2' }) })
    const lineHeight = (full.find('Road 1')?.y ?? 0) - (full.find('Town')?.y ?? 0)
    t.ok(lineHeight > 9)
    t.ok(Math.abs(noAddress.header - full.header - 2 * lineHeight) < 0.5, 'the table is two lines higher')

    const alone = await bottomOf({ shipTo: null })
    t.equal(alone.find('SHIP TO'), undefined)
    t.equal(alone.find('BILL TO')?.x, alone.find('SUPPLIER')?.x)
  },
)

t.test('the same order always gives the same file', async (t) => {
  const hash = async (order: PurchaseOrderDocument) =>
    createHash('sha256')
      .update(await renderDefinition(order))
      .digest('hex')
  const order = makeOrder({
    lines: Object.values(titles).map((title) => makeLine({ title })),
    status: 'draft',
  })
  const first = await hash(order)
  await hash(makeOrder({ supplierNotes: Object.values(titles).reverse().join('\n') }))
  t.equal(await hash(structuredClone(order)), first, 'after another document')
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', renderElsewhere], {
    env: { ORDER: JSON.stringify(order), TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8' },
  })
  t.equal(stdout, first, 'in another process, time zone and locale')

  const creationDate = async (asOf: string) =>
    /\((D:\d+Z)\)/.exec(Buffer.from(await renderDefinition({ ...order, asOf })).toString('latin1'))?.[1]
  t.equal(await creationDate(order.asOf), 'D:20250309233001Z', 'the date is that of the order, not of today')
  t.equal(await creationDate('2025-03-10T00:00:00Z'), 'D:20250310000000Z')
})

t.test('only a draft and a cancelled order are marked', async (t) => {
  const marks = async (status: PurchaseOrderDocument['status']) => {
    const { text } = await render(makeOrder({ status }))
    return text.split('\n').filter((line) => /^(DRAFT|CANCELLED)$/.test(line))
  }
  // The mark is in the heading and across the page.
  t.strictSame(await marks('draft'), ['DRAFT', 'DRAFT'])
  t.strictSame(await marks('cancelled'), ['CANCELLED', 'CANCELLED'])
  for (const status of ['sent', 'partial', 'received'] as const) t.strictSame(await marks(status), [])
})

t.test('500 lines keep their order, and every page has the header and its number', async (t) => {
  const lines = Array.from({ length: 500 }, (_, i) => makeLine({ sku: `SKU-${i}`, title: `Item ${i}` }))
  const { pages, text } = await render(makeOrder({ lines }))
  t.ok(pages.length > 5)
  for (const [i, page] of pages.entries()) {
    const count = (wanted: string) => page.items.filter((item) => item.text === wanted).length
    t.equal(count('Unit cost'), page.text.includes('SKU-') ? 1 : 0, `header on page ${i + 1}`)
    t.equal(count(`Page ${i + 1} of ${pages.length}`), 1)
    t.equal(count('PO-00012'), 1)
  }
  t.strictSame(
    text.split('\n').filter((line) => line.startsWith('SKU-')),
    lines.map((line) => line.sku),
  )
})

t.test('a row is split across pages only if it does not fit on one', async (t) => {
  const title = (i: number) => `first${i} ${'word '.repeat(60)}last${i}`
  const lines = Array.from({ length: 30 }, (_, i) => makeLine({ title: title(i) }))
  const { pages } = await render(makeOrder({ lines }))
  for (const i of lines.keys()) {
    const pageOf = (word: RegExp) => pages.findIndex((page) => word.test(page.text))
    t.equal(pageOf(new RegExp(`\\bfirst${i}\\b`)), pageOf(new RegExp(`\\blast${i}\\b`)))
  }
  const long = await render(makeOrder({ lines: [makeLine({ title: `${'word '.repeat(5000)}end` })] }))
  t.equal(long.text.match(/\bword\b/g)?.length, 5000)
  t.match(long.text, /\bend\b/)
  t.equal(long.text.match(/TEE-BLK-L/g)?.length, 1)
})

t.test('a document shows every script without a missing glyph', async (t) => {
  const lines = Object.values(titles).map((title) => makeLine({ title }))
  const { text, missingGlyphs, fonts } = await render(
    makeOrder({ lines, shop: { ...makeOrder().shop, name: titles.mixed } }),
  )
  t.equal(missingGlyphs, 0)
  for (const title of Object.values(titles)) {
    for (const word of title.split(' ')) t.ok(withoutGaps(text).includes(withoutGaps(word)), word)
  }
  for (const font of [
    'Hebrew-Regular',
    'Hebrew-Bold',
    'Arabic-Bold',
    'Thai-Bold',
    'DroidSansFallback',
    'NanumGothic',
  ]) {
    t.ok(
      fonts.some((name) => name.endsWith(font)),
      font,
    )
  }
})

t.test('text stays within the page and its column', async (t) => {
  const long = [
    'W'.repeat(300),
    'قميص'.repeat(80),
    'חולצה'.repeat(80),
    '纯棉'.repeat(150),
    'เสื้อ'.repeat(60),
    '뷁'.repeat(300),
  ]
  const lines = long.map((title) =>
    makeLine({
      sku: 'S'.repeat(100),
      title,
      quantity: 123456789,
      costPrice: 98765432.1234,
      lineTotal: 1234567890123.45,
    }),
  )
  const longFields = {
    name: long[0] ?? '',
    address: long[1] ?? '',
    email: 'e'.repeat(200),
    phone: '1'.repeat(200),
  }
  const order = makeOrder({
    ...{
      lines,
      poNumber: 'P'.repeat(120),
      currency: 'KWD',
      subtotal: 9999999999999.99,
      total: 9999999999999.99,
    },
    ...{
      shop: longFields,
      supplier: { ...longFields, contactName: 'c'.repeat(200), paymentTerms: 't'.repeat(200) },
      shipTo: { ...longFields, name: long[2] ?? '', address: long[4] ?? '' },
    },
    supplierNotes: long.join('\n'),
  })
  const { pages } = await render(order)
  for (const { items, width, height } of pages) {
    const header = (title: string) => items.find((item) => item.text === title)?.x ?? Number.NaN
    for (const { text, x, y, width: itemWidth } of items) {
      t.ok(x >= margin - 0.5, `${text} within the page`)
      // The PDF reader adds the width of the dots of Arabic letters; text-lines.test.ts measures these lines.
      if (!/\p{Script=Arabic}/u.test(text))
        t.ok(x + itemWidth <= width - margin + 0.5, `${text} within the page`)
      t.ok(y > 20 && y < height - margin + 1, `${text} on the page`)
      if (/^S{2,}$/.test(text)) t.ok(x + itemWidth <= header('Title'), 'a SKU ends before the title')
    }
  }
})

t.test('the renderer fetches, links and styles nothing from the text of an order', async (t) => {
  const fetched: unknown[] = []
  const realFetch = globalThis.fetch
  globalThis.fetch = async (input) => {
    fetched.push(input)
    throw new Error('no network')
  }
  t.teardown(() => {
    globalThis.fetch = realFetch
  })
  const hostile = [
    'file:///etc/passwd',
    'http://169.254.169.254/latest',
    'data:image/png;base64,AAAA',
    '{{poNumber}}',
    '<b>bold</b>',
    '%PDF-1.7',
    '__proto__',
  ]
  for (const text of hostile) {
    const order = makeOrder({
      poNumber: text,
      currency: text,
      locale: text,
      timeZone: text,
      shop: { name: text, address: text, email: text, phone: text },
      supplier: {
        name: text,
        address: text,
        email: text,
        phone: text,
        contactName: text,
        paymentTerms: text,
      },
      shipTo: { name: text, address: text, email: text, phone: text },
      lines: [makeLine({ sku: text, title: text })],
      supplierNotes: text,
    })
    const { text: read, links } = await render(order)
    t.equal(links, 0)
    // A narrow column may wrap the text; shop, supplier, title and notes have room for it.
    t.ok(read.split(text).length > 10, text)
  }
  t.strictSame(fetched, [])
})

t.test('a character without a font is shown as one question mark', async (t) => {
  const { text, missingGlyphs } = await render(
    makeOrder({ lines: [makeLine({ title: 'a👨‍👩‍👧b❤️c\u0000\u0007d\ud800e\ufffff გ x\u0301' })] }),
  )
  t.equal(missingGlyphs, 0)
  t.ok(text.includes('a?b?cd?e?f ? x\u0301'), text)
})

t.test('every text run has a font that can draw it', (t) => {
  const drawn = runsOf(
    purchaseOrderDefinition(makeOrder({ lines: Object.values(titles).map((title) => makeLine({ title })) }))
      .content,
  )
  t.ok(drawn.length > 60)
  for (const { text, font, bold } of drawn) t.ok(fontFace(font, bold).layout(text), `${text} in ${font}`)
  t.end()
})

/**
 * Removes what reading a PDF back adds: the Arabic font places the dots of letters separately, which the reader returns
 * as control characters or gaps, and a Thai tone mark comes after the ring below it.
 */
function withoutGaps(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\p{Cc}]+/gu, '')
    .replace(/([\u0e48-\u0e4b])\u0e4d/g, '\u0e4d$1')
}

type DrawnRun = { text: string; font: FontName; bold: boolean }

function runsOf(node: unknown, bold = false): DrawnRun[] {
  if (Array.isArray(node)) return node.flatMap((each) => runsOf(each, bold))
  if (typeof node !== 'object' || node === null) return []
  const own = 'bold' in node ? node.bold === true : bold
  if ('font' in node && 'text' in node)
    return [{ text: String(node.text), font: node.font as FontName, bold: own }]
  return Object.values(node).flatMap((each) => runsOf(each, own))
}
