import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

export async function zipOf(files: Record<string, string | Uint8Array>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

const worksheet = (rows: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`

/** A workbook with one sheet, and parts beside it. */
export const workbook = (rows: string, more: Record<string, string | Uint8Array> = {}) =>
  zipOf({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml':
      '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/externalLink" Target="externalLinks/externalLink1.xml"/></Relationships>',
    'xl/styles.xml':
      '<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': worksheet(rows),
    ...more,
  })

const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`

export type HostileFile = { name: string; bytes: Uint8Array; expected: object }

const failed = (error: RegExp) => ({ state: 'failed', error })

/** Files that try to hurt the worker, and what becomes of each: a reason, or rows that are only text. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const links = {
    'xl/externalLinks/externalLink1.xml': '<externalLink><externalBook r:id="rId1"/></externalLink>',
    'xl/externalLinks/_rels/externalLink1.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="http://127.0.0.1:9/secret.xlsx" TargetMode="External"/></Relationships>',
  }
  const linked = [
    `<row r="1">${text('A1', 'SKU')}${text('B1', 'Average cost')}</row>`,
    `<row r="2">${text('A2', 'SKU-1')}<c r="B2"><f>[1]Book!A1*2</f><v>2.5</v></c></row>`,
  ].join('')
  const row20 = (at: number) =>
    `<row r="${at}">${Array.from({ length: 20 }, (_, cell) => `<c><v>${cell}</v></c>`).join('')}</row>`
  const large = Array.from({ length: 25_000 }, (_, at) => row20(at + 1)).join('')
  const laughs = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${worksheet('')}`
  const columns = Array.from({ length: 201 }, (_, at) => `c${at}`).join(',')
  const mixed = Buffer.concat([
    Buffer.from('SKU,Average cost,Name\nSKU-1,2,Möbel\nSKU-2,3,M'),
    Buffer.from([0xf6]),
    Buffer.from('bel\n'),
  ])
  return [
    {
      name: 'bomb.zip',
      bytes: await zipOf({ 'a.csv': Buffer.alloc(70 * 1024 * 1024, 0x61) }),
      expected: failed(/^This file is compressed more than any list/),
    },
    {
      name: 'nested.zip',
      bytes: await zipOf({
        'a.xlsx': await zipOf({ 'xl/workbook.xml': Buffer.alloc(60 * 1024 * 1024, 0x61) }),
      }),
      expected: failed(/compressed more|larger than|not a readable/),
    },
    {
      name: 'million.csv',
      bytes: Buffer.from(`SKU,Average cost\n${'SKU-1,2.5\n'.repeat(1_000_000)}`),
      expected: failed(/more than 20000 rows\. Split it/),
    },
    { name: 'wide.csv', bytes: Buffer.from(`${columns}\n1`), expected: failed(/^wide\.csv has 201 columns/) },
    {
      name: 'laughs.xlsx',
      bytes: await workbook('', { 'xl/worksheets/sheet2.xml': laughs }),
      expected: failed(/XML entities/),
    },
    {
      name: 'large.xlsx',
      bytes: await workbook(large),
      expected: failed(/more than 20000 rows/),
    },
    {
      name: 'cells.json',
      bytes: Buffer.from(`[${'{},'.repeat(4_000_000)}{}]`),
      expected: failed(/more than 20000 rows|larger than/),
    },
    {
      name: 'open.csv',
      bytes: Buffer.from(`SKU,Name\n"${'A,B\n'.repeat(400_000)}`),
      expected: failed(/quotation mark/),
    },
    {
      name: 'broken.zip',
      bytes: Buffer.from('PK\x03\x04 nothing', 'latin1'),
      expected: failed(/damaged or encrypted/),
    },
    {
      name: 'mixed.csv',
      bytes: mixed,
      expected: { state: 'ready', sheets: [{ encoding: 'UTF-8 and Windows-1252', rows: 2 }] },
    },
    {
      name: 'formulae.csv',
      bytes: Buffer.from('SKU,Average cost\n"=HYPERLINK(""http://evil.example"")",2\n'),
      expected: { state: 'ready', sheets: [{ kind: 'costs', rows: 1 }] },
    },
    {
      name: 'both-orders.csv',
      bytes: Buffer.from('No.,Supplier,PO Date,Total Cost\n1,Acme,13/02/2024,3\n2,Acme,02/13/2024,4\n'),
      expected: { state: 'ready', sheets: [{ isDayOrderCertain: false }] },
    },
    {
      name: 'linked.xlsx',
      bytes: await workbook(linked, links),
      expected: { state: 'ready', sheets: [{ rows: 1 }] },
    },
  ]
}
