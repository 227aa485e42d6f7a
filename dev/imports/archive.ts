import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { stringify } from 'csv-stringify/sync'
import { ZipFile } from 'yazl'

export type ArchiveSize = {
  orders: number
  suppliers: number
  /** Of the orders, the newest: a third each is sent, partly received, and sent without lines that arrived. */
  open: number
  linesPerOrder: number
  /** The lines name SKU-1 to SKU-n. */
  products: number
}

export const movingShop: ArchiveSize = {
  orders: 1_200,
  suppliers: 40,
  open: 9,
  linesPerOrder: 8,
  products: 300,
}

const day = (at: number) => new Date(Date.UTC(2021, 0, 4) + at * 86_400_000).toISOString().slice(0, 10)

/** Files as a merchant rescues them: three tables of an API archive, in the columns of the service that was switched off. */
function archiveTables(size: ArchiveSize): Record<string, Record<string, string | number>[]> {
  const suppliers = Array.from({ length: size.suppliers }, (_, at) => ({
    id: 500 + at,
    name: `Supplier ${at + 1}`,
    company_name: `Supplier ${at + 1} Ltd`,
    account_number: `A-${at + 1}`,
    contact_name: `Contact ${at + 1}`,
    contact_email: `orders${at + 1}@supplier.example`,
    address1: `${at + 1} Mill Road`,
    address2: '',
    city: 'Leeds',
    province_code: '',
    country_name: 'United Kingdom',
    zip: `LS${at + 1}`,
    phone: `+44 113 ${1000 + at}`,
    is_hidden: 'false',
  }))
  const orders: Record<string, string | number>[] = []
  const items: Record<string, string | number>[] = []
  for (let at = 0; at < size.orders; at += 1) {
    const isOpen = at >= size.orders - size.open
    const orderedOn = day(at)
    orders.push({
      id: 90_000 + at,
      number: 1_000 + at,
      sequential_id: at + 1,
      invoice_number: isOpen ? '' : `INV-${at}`,
      generated_at: orderedOn,
      ordered_at: orderedOn,
      expected_on: day(at + 10),
      ship_on: '',
      payment_due_on: day(at + 40),
      archived: isOpen ? 'false' : 'true',
      supplier_name: `Supplier ${(at % size.suppliers) + 1}`,
      supplier_id: 500 + (at % size.suppliers),
      currency: 'USD',
      paid: isOpen ? 'false' : 'true',
      invoice_date: isOpen ? '' : day(at + 8),
    })
    for (let line = 0; line < size.linesPerOrder; line += 1) {
      const hasArrived = !isOpen || (at % 3 === 0 && line === 0)
      items.push({
        id: at * 1_000 + line,
        purchase_order_id: 90_000 + at,
        sku: `SKU-${((at * 7 + line) % size.products) + 1}`,
        product_title: `Mug ${line}`,
        variant_title: '',
        quantity: 6 + line,
        status: hasArrived ? 'received' : 'not received',
        received_at: hasArrived ? day(at + 7) : '',
        retail_price: '19.00',
        cost_price: (2 + (at % 20) / 10 + line).toFixed(2),
      })
    }
  }
  return { suppliers, purchase_orders: orders, purchase_order_items: items }
}

/** The archive as a ZIP of CSV files. */
export async function makeArchive(size: ArchiveSize = movingShop): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, rows] of Object.entries(archiveTables(size)))
    zip.addBuffer(Buffer.from(stringify(rows, { header: true })), `${name}.csv`)
  zip.end()
  return buffer(zip.outputStream)
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [path = 'archive.zip'] = positionals
  writeFileSync(path, await makeArchive())
  console.log(
    `${path}: ${movingShop.orders} orders of ${movingShop.suppliers} suppliers, ${movingShop.open} of them open`,
  )
}
