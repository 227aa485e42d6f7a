import type { SqlToken } from 'slonik'
import { sql } from '../../../db/db.ts'
import type { SupplierInput, SupplierPatch } from '../../../schemas/suppliers.ts'
import type { FillableColumns } from '../../kit/filled-fields.ts'
import { cleared } from '../../kit/patch.ts'

/** The columns of a supplier that hold text: empty when it is not given. */
export const texts = {
  email: 'email',
  phone: 'phone',
  address: 'address',
  paymentTerms: 'payment_terms',
  notes: 'notes',
  accountNumber: 'account_number',
  addressLine1: 'address_line1',
  addressLine2: 'address_line2',
  city: 'city',
  region: 'region',
  postalCode: 'postal_code',
  taxId: 'tax_id',
  externalRef: 'external_ref',
} as const

/** The columns of a supplier that may be null, with their types. */
export const optional = {
  leadTimeDays: ['lead_time_days', 'int4'],
  currency: ['currency', 'text'],
  countryCode: ['country_code', 'text'],
  minimumOrderValue: ['minimum_order_value', 'numeric'],
  minimumOrderQuantity: ['minimum_order_quantity', 'int4'],
  freeFreightValue: ['free_freight_value', 'numeric'],
  orderCycleDays: ['order_cycle_days', 'int4'],
  defaultTaxRate: ['default_tax_rate', 'numeric'],
  language: ['language', 'text'],
} as const

/** The columns that an import fills in where they are empty. */
export const fillableColumns: FillableColumns = Object.fromEntries([
  ...Object.values(texts).map((column) => [column, ''] as const),
  ...Object.values(optional).map(([column]) => [column, null] as const),
])

const namesOf = <T extends object>(columns: T) => Object.keys(columns) as (keyof T)[]
const columnNames = ['name', ...Object.values(texts), ...Object.values(optional).map(([column]) => column)]

/** SQL for the columns that a merchant may set. */
export const supplierColumns = (alias: string) => listed(columnNames.map((column) => of(alias, column)))
export const columnList = listed(columnNames.map((column) => sql.identifier([column])))

/** SQL for the values of a new supplier, in the order of the columns. */
export const newValues = ({ name, ...input }: SupplierInput) =>
  listed([
    sql.fragment`${name}`,
    ...namesOf(texts).map((field) => sql.fragment`${input[field] ?? ''}`),
    ...namesOf(optional).map((field) => typed(optional[field][1], input[field] ?? null)),
  ])

/** SQL for the new values of the columns: those of the patch, else those of the table of this alias. */
export const patchedColumns = (alias: string, patch: SupplierPatch) =>
  listed([
    sql.fragment`coalesce(${patch.name ?? null}, ${of(alias, 'name')}) as name`,
    ...namesOf(texts).map((field) => {
      const column = texts[field]
      return sql.fragment`coalesce(${cleared(patch[field])}, ${of(alias, column)}) as ${sql.identifier([column])}`
    }),
    ...namesOf(optional).map((field) => {
      const [column, type] = optional[field]
      const value = patch[field]
      const chosen = value === undefined ? of(alias, column) : typed(type, value)
      return sql.fragment`${chosen} as ${sql.identifier([column])}`
    }),
  ])

/** SQL for `set`: every column from the table of this alias. */
export const columnsFrom = (alias: string) =>
  listed(columnNames.map((column) => sql.fragment`${sql.identifier([column])} = ${of(alias, column)}`))

function listed(parts: readonly SqlToken[]) {
  return sql.join(parts, sql.fragment`, `)
}

function of(alias: string, column: string) {
  return sql.identifier([alias, column])
}

function typed(type: string, value: string | number | null) {
  return sql.fragment`${value}::${sql.identifier([type])}`
}
