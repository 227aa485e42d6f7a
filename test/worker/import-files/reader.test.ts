import { buffer } from 'node:stream/consumers'
import { deflateRawSync } from 'node:zlib'
import t from 'tap'
import { ZipFile } from 'yazl'
import { bundle } from '../../../web/src/pages/imports/bundle.ts'
import { createImportFileReader } from '../../../worker/import-files/reader.ts'
import type { FileTable } from '../../../worker/import-files/tables.ts'
import { idleTimeoutMs } from '../../support/core/shared.ts'

// a new thread for each test would load its modules again
const shared = createImportFileReader({ idleTimeoutMs })
t.teardown(() => shared.close())

function start() {
  const read = (name: string, bytes: Uint8Array | string) =>
    shared.read({ name, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes })
  return {
    fault: async (name: string, bytes: Uint8Array | string): Promise<string> => {
      const result = await read(name, bytes)
      return 'fault' in result ? result.fault : `no fault: ${result.content.tables.length} tables`
    },
    tables: async (name: string, bytes: Uint8Array | string): Promise<FileTable[]> => {
      const result = await read(name, bytes)
      if ('fault' in result) throw new Error(result.fault)
      return result.content.tables
    },
  }
}

async function zipOf(files: Record<string, string | Uint8Array>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

const cellsOf = ([table]: FileTable[]) => table?.rows.map(({ cells }) => cells)

t.test('a table is read in every encoding and with every separator', async (t) => {
  const { tables } = start()
  const text = 'SKU;Name\nA;Möbel – 5 €\n'
  const utf16 = Buffer.from(text, 'utf16le')
  const big = Buffer.from(utf16).swap16()
  const windows = Buffer.from(
    [...text].map((each) => ({ ö: 0xf6, '–': 0x96, '€': 0x80 })[each] ?? each.charCodeAt(0)),
  )
  const cases = {
    'UTF-8': [Buffer.from(text), Buffer.from(`\uFEFF${text}`)],
    'UTF-16': [
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
      utf16,
    ],
    'Windows-1252': [windows],
  }
  for (const [encoding, files] of Object.entries(cases)) {
    for (const file of files) {
      const read = await tables('a.csv', file)
      t.match(read, [{ encoding, delimiter: ';', columns: ['SKU', 'Name'] }])
      t.strictSame(cellsOf(read), [['A', 'Möbel – 5 €']], encoding)
    }
  }
  for (const separator of [',', '\t', '|', ';'])
    t.match(await tables('a.csv', `SKU${separator}Name\nA${separator}B`), [{ delimiter: separator }])
})

t.test('a file that mixes encodings is decoded line by line', async (t) => {
  const { tables } = start()
  const mixed = Buffer.concat([
    Buffer.from('SKU,Name\nA,Möbel\nB,M'),
    Buffer.from([0xf6]),
    Buffer.from('bel\n'),
  ])
  const read = await tables('a.csv', mixed)
  t.match(read, [{ encoding: 'UTF-8 and Windows-1252' }])
  t.strictSame(cellsOf(read), [
    ['A', 'Möbel'],
    ['B', 'Möbel'],
  ])
})

t.test('the header is found below a title, and formulas stay text', async (t) => {
  const { tables } = start()
  const file = 'Stock report\n\nSKU,Quantity,Notes\n"=""0012""",3,\'=HYPERLINK("http://evil.example")\n'
  const read = await tables('a.csv', file)
  t.match(read, [{ columns: ['SKU', 'Quantity', 'Notes'], rows: [{ row: 4 }] }])
  t.strictSame(cellsOf(read), [['0012', '3', '=HYPERLINK("http://evil.example")']])
})

t.test('a ZIP bomb ends with a message, and the next file is read', async (t) => {
  const { fault, tables } = start()
  const bomb = await zipOf({ 'a.csv': Buffer.alloc(70 * 1024 * 1024, 0x61) })
  t.ok(bomb.length < 1024 * 1024)
  t.match(await fault('bomb.zip', bomb), /^This file is compressed more than any list/)
  const nested = await zipOf({ 'a.zip': bomb, 'b.xlsx': bomb })
  t.match(await fault('nested.zip', nested), /not a readable spreadsheet|compressed more|no rows/)
  t.match(await tables('a.csv', 'SKU,Name\nA,B'), [{ columns: ['SKU', 'Name'] }])
})

t.test('a ZIP that lies about a size is refused by what it decompresses to', async (t) => {
  const { fault } = start()
  t.match(await fault('liar.zip', lyingZip()), /^This ZIP is damaged|^This file is compressed/)
})

/** A ZIP with one entry of 30 MB that states 10 bytes. */
function lyingZip(): Buffer {
  const name = Buffer.from('a.csv')
  const data = deflateRawSync(Buffer.alloc(30 * 1024 * 1024, 0x61))
  const sizes = Buffer.alloc(12)
  sizes.writeUInt32LE(data.length, 4)
  sizes.writeUInt32LE(10, 8)
  const fields = Buffer.concat([
    Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]),
    sizes,
    Buffer.from([name.length, 0, 0, 0]),
  ])
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, data])
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02', 'latin1'),
    Buffer.from([20, 0]),
    fields,
    Buffer.alloc(14),
    name,
  ])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

t.test('limits of columns, rows and entries are messages', async (t) => {
  const { fault } = start()
  const wide = Array.from({ length: 201 }, (_, at) => `c${at}`).join(',')
  t.match(await fault('wide.csv', `${wide}\n1`), /has 201 columns. Keep at most 200/)
  t.match(await fault('long.csv', `SKU,Name\n${'A,B\n'.repeat(20_001)}`), /more than 20000 rows/)
  const blank = `SKU,Name\n${'\n'.repeat(200)}${'A,B\n'.repeat(20_000)}`
  t.match(
    await fault('blank.csv', blank),
    /more than 20000 rows\. Split it .* blank rows count/,
    'no row is left out',
  )
  const many = Object.fromEntries(Array.from({ length: 3_001 }, (_, at) => [`${at}.csv`, 'a']))
  t.match(await fault('many.zip', await zipOf(many)), /3001 files/)
  t.match(await fault('empty.csv', ''), /no rows/)
  t.match(await fault('a.csv', 'SKU,Name\n"A,B'), /quotation mark/)
  t.match(await fault('a.pdf', '%PDF-1.7 ...'), /is a PDF/)
  t.match(await fault('broken.zip', 'PK\x03\x04 nothing'), /damaged or encrypted/)
  t.match(await fault('a.json', '{"a": [1'), /not complete JSON/)
})

const sheet = (rows: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`

const workbook = (rows: string, more: Record<string, string | Uint8Array> = {}) =>
  zipOf({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml':
      '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/externalLink" Target="externalLinks/externalLink1.xml"/></Relationships>',
    'xl/styles.xml':
      '<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': sheet(rows),
    ...more,
  })

const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`

t.test('a workbook is read with the values that it stores: dates, long numbers, and formulas', async (t) => {
  const { tables } = start()
  const rows = [
    `<row r="1">${text('A1', 'SKU')}${text('B1', 'Barcode')}${text('C1', 'Cost')}${text('D1', 'Order date')}</row>`,
    `<row r="2">${text('A2', 'A')}<c r="B2"><v>5901234123457</v></c><c r="C2"><f>[1]Book!A1*2</f><v>2.5</v></c><c r="D2" s="1"><v>45335</v></c></row>`,
  ].join('')
  const links = {
    'xl/externalLinks/externalLink1.xml': '<externalLink><externalBook r:id="rId1"/></externalLink>',
    'xl/externalLinks/_rels/externalLink1.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="http://127.0.0.1:9/secret.xlsx" TargetMode="External"/></Relationships>',
  }
  const read = await tables('orders.xlsx', await workbook(rows, links))
  t.match(read, [{ name: 'orders.xlsx', columns: ['SKU', 'Barcode', 'Cost', 'Order date'] }])
  t.strictSame(cellsOf(read), [['A', '5901234123457', '2.5', '2024-02-13']])
})

t.test(
  'a workbook whose last row is too far below is refused, and none of its rows is left out',
  async (t) => {
    const { fault } = start()
    const far = `<row r="1">${text('A1', 'SKU')}${text('B1', 'Name')}</row><row r="30000">${text('A30000', 'x')}</row>`
    t.match(
      await fault('far.xlsx', await workbook(far)),
      /more than 20000 rows\. Split it .* blank rows count/,
    )
  },
)

t.test('a hostile workbook ends with a message', async (t) => {
  const { fault } = start()
  const entities = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${sheet('')}`
  t.match(
    await fault('laughs.xlsx', await workbook('', { 'xl/worksheets/sheet2.xml': entities })),
    /XML entities/,
  )
  const bomb = await workbook('', { 'xl/sharedStrings.xml': Buffer.alloc(40 * 1024 * 1024, 0x20) })
  t.match(await fault('bomb.xlsx', bomb), /compressed more|larger than 30 MB/)
  const far = `<row r="1">${text('A1', 'SKU')}${text('XFD1', 'Name')}</row><row r="1048576">${text('A1048576', 'x')}</row>`
  t.match(await fault('far.xlsx', await workbook(far)), /columns|too long|could not be read|larger/)
  t.match(await fault('broken.xlsx', await workbook('<row r="1"><c r="A1"')), /no rows|not a readable/)
})

t.test(
  'files that would fill the memory with small objects are refused before they are parsed',
  async (t) => {
    const { fault } = start()
    const cells = await workbook(`<row r="1">${'<c/>'.repeat(2_600_000)}</row>`)
    t.match(await fault('cells.xlsx', cells), /too many cells|compressed more/)
    t.match(await fault('cells.json', `[${'{},'.repeat(6_000_000)}{}]`), /larger than 12 MB/)
    t.match(await fault('most.json', `[${'{},'.repeat(4_000_000)}{}]`), /more than 20000 rows/)
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`${at}.csv`, `SKU,Name\n${'A,B\n'.repeat(900)}`]),
    )
    t.match(await fault('rows.zip', await zipOf(files)), /more than 20000 rows/)
    const wide = `SKU,Name\n${','.repeat(900_000)}\n`.repeat(20)
    t.match(await fault('wide.csv', wide), /^no fault: 1 tables/, 'cells beyond the header are left out')
  },
)

t.test('JSON lists become tables, and lists in records tables of their own', async (t) => {
  const { tables } = start()
  const file = {
    purchase_orders: [{ id: 7, supplier: { id: 5, name: 'Acme' }, items: [{ sku: 'A', quantity: 2 }] }],
  }
  const read = await tables('archive.json', JSON.stringify(file))
  t.match(read, [
    {
      name: 'archive.json, purchase_orders',
      columns: ['id', 'supplier_id', 'supplier_name'],
      rows: [{ cells: ['7', '5', 'Acme'] }],
    },
    {
      name: 'archive.json, purchase_orders items',
      columns: ['sku', 'quantity', 'purchase_order_id'],
      rows: [{ cells: ['A', '2', '7'] }],
    },
  ])
  const deep = `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`
  await t.rejects(tables('deep.json', `[${deep}]`), /nested too deeply/)
})

t.test('files of a ZIP with the same columns become one table that names them', async (t) => {
  const { tables } = start()
  const read = await tables(
    'po.zip',
    await zipOf({ 'po 1.csv': 'SKU,Qty\nA,1', 'po 2.csv': 'SKU,Qty\nB,2', 'readme.pdf': '%PDF' }),
  )
  t.match(read, [{ columns: ['File name', 'SKU', 'Qty'] }])
  t.strictSame(cellsOf(read), [
    ['po 1.csv', 'A', '1'],
    ['po 2.csv', 'B', '2'],
  ])
})

t.test('a file that takes too long ends its thread, and the next one is read', async (t) => {
  const reader = createImportFileReader({ timeoutMs: 1 })
  t.teardown(() => reader.close())
  const slow = await reader.read({ name: 'a.csv', bytes: Buffer.from(`SKU,Name\n${'A,B\n'.repeat(15_000)}`) })
  t.match(slow, { fault: /takes too long/ })
})

t.test('files that the admin sends together are read as one file, also a ZIP among them', async (t) => {
  const { tables } = start()
  const archive = await zipOf({ 'suppliers.csv': 'name,email\nAcme,a@acme.example' })
  const files = {
    'orders.csv': 'id,number\n7,1001',
    'Möbel.csv': 'purchase_order_id,sku\n7,SKU-1',
    'archive.zip': archive,
  }
  const bytes = bundle(
    Object.entries(files).map(([name, content]) => ({ name, bytes: new Uint8Array(Buffer.from(content)) })),
  )
  const read = await tables('3 files', bytes)
  t.strictSame(read.map(({ name }) => name).sort(), ['Möbel.csv', 'orders.csv', 'suppliers.csv'])
  const twice = { name: 'po.csv', bytes: new Uint8Array(Buffer.from('SKU,Qty\nA,1')) }
  t.strictSame(
    cellsOf(await tables('2 files', bundle([twice, twice]))),
    [
      ['po (2).csv', 'A', '1'],
      ['po.csv', 'A', '1'],
    ],
    'files of one name stay apart',
  )
})

t.test('ZIPs in a ZIP share one limit', async (t) => {
  const { fault } = start()
  const cell = (at: number) => `${(at * 7_919) % 1_000_003}${'x'.repeat(220)}`
  const lines = Array.from({ length: 9_000 }, (_, row) =>
    Array.from({ length: 20 }, (_, at) => cell(row * 20 + at)).join(''),
  )
  const half = await zipOf({ 'a.csv': lines.join('\n') })
  t.match(
    await fault('halves.zip', bundle([half, half].map((bytes) => ({ name: 'half.zip', bytes })))),
    /larger than 60 MB/,
  )
})
