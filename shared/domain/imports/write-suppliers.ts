import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { SupplierInput } from '../../schemas/suppliers.ts'
import { readerOf, type SourceRow, type Terms, type Unit } from './load.ts'
import { readSuppliers, supplierKey } from './match-suppliers.ts'
import type { Made, Outcome } from './outcomes.ts'

const texts = {
  email: ['email', 254],
  phone: ['phone', 50],
  accountNumber: ['account_number', 100],
  addressLine1: ['address_line1', 200],
  addressLine2: ['address_line2', 200],
  city: ['city', 100],
  region: ['region', 100],
  postalCode: ['postal_code', 30],
  taxId: ['tax_id', 50],
  paymentTerms: ['payment_terms', 200],
  notes: ['notes', 5000],
  externalRef: ['external_ref', 200],
} as const
const optional = {
  currency: ['currency', 'text'],
  countryCode: ['country_code', 'text'],
  leadTimeDays: ['lead_time_days', 'int4'],
  minimumOrderValue: ['minimum_order_value', 'numeric'],
} as const

/** A supplier as a row has it, by column. */
type Read = {
  name: string
  columns: Record<string, string | number>
  contact: { name: string; email: string } | null
  isHidden: boolean
  leftOut: string[]
}

const Written = Type.Object({ at: Type.Integer(), id: Id })

/**
 * Creates the suppliers that the shop does not have, and fills in empty fields of those it has; what the merchant
 * typed stays. A value that a supplier cannot have is left out, and the row says so. Two statements for any number of rows.
 */
export async function writeSuppliers(
  tx: Db,
  terms: Terms,
  units: readonly Unit[],
): Promise<{ outcomes: Outcome[]; made: Made[] }> {
  const index = await readSuppliers(tx, terms.shopId)
  const outcomes: Outcome[] = []
  const created: (Read & { position: number })[] = []
  const filled: (Read & { position: number; id: number })[] = []
  const firstOf = new Map<string, number>()
  for (const { rows } of units) {
    const [each] = rows
    if (!each) continue
    const { position } = each
    const read = readSupplier(each)
    const message = read.leftOut.length > 0 ? `Left out: ${read.leftOut.join(', ')}.` : ''
    if (read.name === '') {
      outcomes.push({ position, state: 'fault', message: 'The row has no name of a supplier.' })
      continue
    }
    const found = index.find(String(read.columns.external_ref ?? ''), read.name)
    const key = supplierKey(read.name)
    const first = firstOf.get(key)
    if (first !== undefined) {
      outcomes.push({ position, state: 'skipped', message: 'An earlier row has the same supplier.' })
    } else if (found && 'fault' in found) {
      outcomes.push({ position, state: 'fault', message: found.fault })
    } else if (found) {
      filled.push({ ...read, position, id: found.id })
      outcomes.push({ position, state: 'same', message, target: 'supplier', targetId: found.id })
    } else {
      created.push({ ...read, position })
      outcomes.push({ position, state: 'new', message, target: 'supplier' })
    }
    firstOf.set(key, position)
  }
  const ids = await insertSuppliers(tx, terms.shopId, created)
  const changed = await fillSuppliers(tx, terms.shopId, filled)
  const made: Made[] = [...ids.values()].map((targetId) => ({ target: 'supplier', targetId, version: 1 }))
  return {
    made,
    outcomes: outcomes.map((outcome) => {
      if (outcome.state === 'new') return { ...outcome, targetId: ids.get(outcome.position) ?? null }
      return changed.has(outcome.position) ? { ...outcome, state: 'changed' } : outcome
    }),
  }
}

function readSupplier(each: SourceRow): Read {
  const cells = readerOf(each)
  const leftOut: string[] = []
  const columns: Read['columns'] = {}
  for (const [field, [column, max]] of Object.entries(texts)) {
    const given =
      field === 'email' ? cells.text('email', max) || cells.text('contactEmail', max) : cells.text(field, max)
    if (given === '') continue
    if (isValid(field, given)) columns[column] = given
    else leftOut.push(`${field} "${given.slice(0, 40)}"`)
  }
  const values = {
    currency: cells.text('currency', 10).toUpperCase() || null,
    countryCode: countryCode(cells.text('countryCode', 60)),
    leadTimeDays: cells.number('leadTimeDays', 'leadTimeDays'),
    minimumOrderValue: cells.number('minimumOrderValue', 'minimumOrderValue'),
  }
  for (const [field, [column]] of Object.entries(optional)) {
    const value = values[field as keyof typeof values]
    if (value === null) continue
    if (isValid(field, value)) columns[column] = value
    else leftOut.push(`${field} "${String(value).slice(0, 40)}"`)
  }
  const company = cells.text('companyName', 200)
  const contactName = cells.text('contactName', 200)
  return {
    name: cells.text('name', 200) || company,
    columns,
    contact:
      contactName === '' ? null : { name: contactName, email: emailOf(cells.text('contactEmail', 254)) },
    isHidden: cells.flag('isHidden'),
    leftOut: [...leftOut, ...cells.faults.map((fault) => fault.replace(/\.$/, ''))],
  }
}

const isValid = (field: string, value: unknown): boolean =>
  Value.Check(SupplierInput.properties[field as keyof typeof SupplierInput.properties], value)
const emailOf = (text: string) => (isValid('email', text) ? text : '')

const countries = new Intl.DisplayNames('en', { type: 'region' })
/** Old codes have the names of new ones: UK is GB. */
const canonical = (code: string) => new Intl.Locale(`und-${code}`).region ?? code
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const codeOfName = new Map(
  letters.flatMap((a) =>
    letters.flatMap((b) => {
      const name = countries.of(a + b)
      return name && name !== a + b ? [[name.toLowerCase(), canonical(a + b)] as const] : []
    }),
  ),
)
const otherNames: Record<string, string> = {
  usa: 'US',
  'united states of america': 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
}

/** The code of a country by its code or its English name; null when it is not known. */
function countryCode(text: string): string | null {
  const name = text.toLowerCase()
  if (name === '') return null
  return otherNames[name] ?? codeOfName.get(name) ?? (/^[a-z]{2}$/.test(name) ? name.toUpperCase() : null)
}

const textColumns = Object.values(texts).map(([column]) => column)
const allColumns = [...textColumns, ...Object.values(optional).map(([column]) => column)]
const listed = (parts: readonly string[], of?: string) =>
  sql.join(
    parts.map((column) => sql.identifier(of ? [of, column] : [column])),
    sql.fragment`, `,
  )

/** SQL for suppliers as rows, with empty texts. */
function suppliersOf(reads: readonly (Read & { position: number; id?: number })[]) {
  const records = reads.map(({ position, id, name, columns, contact, isHidden }) => ({
    at: position,
    id,
    name,
    is_hidden: isHidden,
    contact_name: contact?.name ?? null,
    contact_email: contact?.email ?? '',
    ...Object.fromEntries(textColumns.map((column) => [column, ''])),
    ...columns,
  }))
  return sql.fragment`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (
    at int, id bigint, name text, is_hidden boolean, contact_name text, contact_email text, ${sql.join(
      [
        ...textColumns.map((column) => sql.fragment`${sql.identifier([column])} text`),
        ...Object.values(optional).map(
          ([column, type]) => sql.fragment`${sql.identifier([column])} ${sql.identifier([type])}`,
        ),
      ],
      sql.fragment`, `,
    )}
  )`
}

/** Returns the new ids by the positions of the rows. */
async function insertSuppliers(
  tx: Db,
  shopId: number,
  reads: readonly (Read & { position: number })[],
): Promise<Map<number, number>> {
  if (reads.length === 0) return new Map()
  const written = await tx.any(sql.type(row(Written))`
    with given as materialized (select * from ${suppliersOf(reads)}),
    numbered as materialized (
      select given.*, nextval(pg_get_serial_sequence('supplier', 'id')) as new_id from given order by at
    ),
    created as (
      insert into supplier (shop_id, id, name, archived_at, ${listed(allColumns)})
      overriding system value
      select ${shopId}, new_id, name, case when is_hidden then now() end, ${listed(allColumns)} from numbered
    ),
    contact as (
      insert into supplier_contact (shop_id, supplier_id, name, email)
      select ${shopId}, new_id, contact_name, contact_email from numbered where contact_name is not null
    )
    select at, new_id as id from numbered
  `)
  return new Map(written.map(({ at, id }) => [at, id]))
}

/** Fills in empty fields; returns the positions of the rows that changed a supplier. */
async function fillSuppliers(
  tx: Db,
  shopId: number,
  reads: readonly (Read & { position: number; id: number })[],
): Promise<Set<number>> {
  if (reads.length === 0) return new Set()
  const isEmpty = (column: string) =>
    (textColumns as readonly string[]).includes(column)
      ? sql.fragment`(${sql.identifier(['s', column])} = '' and ${sql.identifier(['n', column])} <> '')`
      : sql.fragment`(${sql.identifier(['s', column])} is null and ${sql.identifier(['n', column])} is not null)`
  const written = await tx.any(sql.type(row(Written))`
    update supplier s
    set ${sql.join(
      allColumns.map(
        (column) =>
          sql.fragment`${sql.identifier([column])} = case when ${isEmpty(column)} then ${sql.identifier(['n', column])} else ${sql.identifier(['s', column])} end`,
      ),
      sql.fragment`, `,
    )}, version = s.version + 1, updated_at = now()
    from ${suppliersOf(reads)}
    where s.shop_id = ${shopId} and s.id = n.id and (${sql.join(allColumns.map(isEmpty), sql.fragment` or `)})
    returning n.at, s.id
  `)
  return new Set(written.map(({ at }) => at))
}
