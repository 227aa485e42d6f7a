import { Value } from '@sinclair/typebox/value'
import { type SupplierContactInput, SupplierInput } from '../../../../schemas/suppliers.ts'
import { optional, texts } from '../../../records/suppliers/columns.ts'
import { readerOf, type SourceRow } from '../load.ts'
import { countryCode } from './countries.ts'

/** Longer texts are cut. The lengths are those of `SupplierInput`. */
const maxLengths: Record<keyof typeof texts, number> = {
  address: 1000,
  email: 254,
  phone: 50,
  accountNumber: 100,
  addressLine1: 200,
  addressLine2: 200,
  city: 100,
  region: 100,
  postalCode: 30,
  taxId: 50,
  paymentTerms: 200,
  notes: 5000,
  externalRef: 200,
}

/** A supplier as a row has it, by column. */
export type SupplierRow = {
  name: string
  columns: Record<string, string | number>
  contacts: SupplierContactInput[]
  aliases: string[]
  isHidden: boolean
  leftOut: string[]
}

/** A row of a list of contacts or other names. */
export const isDetail = (each: SourceRow) => each.has('contactRole') || each.has('alias')
export const hasDetail = (each: SourceRow) => each.cell('contactName') !== '' || each.cell('alias') !== ''

/** A supplier of its row; `rows` are all of the supplier, each of which may have a contact or another name. */
export function readSupplier(each: SourceRow, rows: readonly SourceRow[]): SupplierRow {
  const cells = readerOf(each)
  const leftOut: string[] = []
  const columns: SupplierRow['columns'] = {}
  for (const [field, max] of Object.entries(maxLengths)) {
    const column = texts[field as keyof typeof texts]
    const given =
      field === 'email' && !isDetail(each)
        ? cells.text('email', max) || cells.text('contactEmail', max)
        : field === 'notes' || field === 'address'
          ? cells.lines(field, max)
          : cells.text(field, max)
    if (given === '') continue
    if (isValid(field, given)) columns[column] = given
    else {
      const source = field === 'email' && each.cell('email') === '' ? 'contactEmail' : field
      leftOut.push(`${each.column(source)} "${given.slice(0, 40)}"`)
    }
  }
  const number = (field: string) => cells.number(field, each.column(field))
  const values = {
    currency: cells.text('currency', 10).toUpperCase() || null,
    countryCode: countryCode(cells.text('countryCode', 60)),
    leadTimeDays: number('leadTimeDays'),
    minimumOrderValue: number('minimumOrderValue'),
    minimumOrderQuantity: number('minimumOrderQuantity'),
    freeFreightValue: number('freeFreightValue'),
    orderCycleDays: number('orderCycleDays'),
    defaultTaxRate: number('defaultTaxRate'),
    language: cells.text('language', 5).toLowerCase() || null,
  }
  for (const [field, [column]] of Object.entries(optional)) {
    const value = values[field as keyof typeof values]
    if (value === null) continue
    if (isValid(field, value)) columns[column] = value
    else leftOut.push(`${each.column(field)} "${String(value).slice(0, 40)}"`)
  }
  return {
    name: cells.text('name', 200) || cells.text('companyName', 200),
    columns,
    contacts: rows.flatMap(readContact),
    aliases: rows.flatMap((row) => readerOf(row).text('alias', 200) || []),
    isHidden: cells.flag('isHidden'),
    leftOut: [...leftOut, ...cells.faults.map((fault) => fault.replace(/\.$/, ''))],
  }
}

function readContact(each: SourceRow): SupplierContactInput[] {
  const cells = readerOf(each)
  const name = cells.text('contactName', 200)
  if (name === '') return []
  const email = cells.text('contactEmail', 254)
  return [
    {
      name,
      email: isValid('email', email) ? email : '',
      phone: cells.text('contactPhone', 50),
      role: cells.text('contactRole', 100),
    },
  ]
}

const isValid = (field: string, value: unknown): boolean =>
  Value.Check(SupplierInput.properties[field as keyof typeof SupplierInput.properties], value)
