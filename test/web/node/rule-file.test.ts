import t from 'tap'
import { readText } from '../../../web/src/components/import/text-file.ts'

t.test('a file is read in the encoding of its spreadsheet', async (t) => {
  const content = 'sku,supplier\nA-1,Lefèvre €'
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(content, 'utf16le')])
  const old = Buffer.concat([Buffer.from(content.slice(0, -1), 'latin1'), Buffer.from([0x80])])
  for (const [what, bytes] of Object.entries({
    'UTF-8': Buffer.from(content),
    'UTF-8 with a byte order mark': Buffer.from(`\ufeff${content}`),
    'UTF-16': utf16,
    'Windows-1252': old,
  })) {
    t.equal(await readText(new File([new Uint8Array(bytes)], 'rules.csv')), content, what)
  }
})
