import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import type { ImportFault } from '../../../schemas/import-fault.ts'

/** A variant, supplier or location, with the name by which rows refer to it. */
const Named = Type.Object({ id: Id, name: Type.String(), isUsable: Type.Boolean() })
/** Variants by each of their names. */
export const VariantsByName = Type.Object({
  variantId: Type.Array(Named),
  sku: Type.Array(Named),
  barcode: Type.Array(Named),
})
const Candidates = Type.Object({
  ...VariantsByName.properties,
  supplier: Type.Array(Named),
  location: Type.Array(Named),
})
export type NameColumn = keyof typeof Candidates.properties
export const nameColumns = Object.keys(Candidates.properties) as NameColumn[]
/** The columns that name a variant, the most certain first. */
export const variantColumns = ['variantId', 'sku', 'barcode'] as const

/** A row of a file with the names of its columns, and what else it says. */
export type RowWithNames<Fields> = { row: number; names: Partial<Record<NameColumn, string>>; fields: Fields }

/** The row ids of what a row names. */
export type NamedIds = { variantId: number; supplierId?: number; locationId?: number }

export type NamedRow<Fields = object> = { row: number; change: Fields & NamedIds }

/**
 * A name without a match, or with several, is a fault. `named` omits rows without their variant or location; `inClosed` has those
 * whose location is no longer in use, which is a fault, too.
 */
export async function resolveNames<Fields extends object>(
  tx: Db,
  shopId: number,
  rows: readonly RowWithNames<Fields>[],
): Promise<{ named: NamedRow<Fields>[]; inClosed: NamedRow[]; faults: ImportFault[] }> {
  const candidatesOf = await readCandidates(tx, shopId, rows)
  const faults: ImportFault[] = []
  const inClosed: NamedRow[] = []
  const named = rows.flatMap(({ row, names, fields }) => {
    const find = (column: NameColumn): number | undefined => {
      const name = names[column]
      if (name === undefined) return undefined
      const candidates = candidatesOf[column].get(name) ?? []
      const message = faultOf(column, name, candidates)
      if (!message) return candidates[0]?.id
      faults.push({ row, field: column, message })
      return undefined
    }
    const variantColumn = variantColumns.find((column) => names[column])
    const variantId = variantColumn && find(variantColumn)
    const supplierId = find('supplier')
    const locationId = find('location')
    const hasLocation = names.location === undefined || locationId !== undefined
    if (variantId === undefined) return []
    if (!hasLocation) {
      const [closed, ...others] = candidatesOf.location.get(names.location ?? '') ?? []
      if (closed && others.length === 0) inClosed.push({ row, change: { variantId, locationId: closed.id } })
      return []
    }
    const change = {
      ...fields,
      variantId,
      ...(supplierId !== undefined && { supplierId }),
      ...(locationId !== undefined && { locationId }),
    }
    return [{ row, change }]
  })
  return { named, inClosed, faults }
}

const words = {
  variantId: 'variant',
  sku: 'SKU',
  barcode: 'barcode',
  supplier: 'supplier',
  location: 'location',
} satisfies Record<NameColumn, string>

const untracked = 'is not tracked by the platform'
const unusable = {
  variantId: untracked,
  sku: untracked,
  barcode: untracked,
  supplier: '',
  location: 'is no longer in use',
} satisfies Record<NameColumn, string>

export const unknownName = (column: NameColumn, name: string) => `unknown ${words[column]} "${name}"`
export const severalVariants = 'belongs to several variants: use the variantId instead'

function faultOf(
  column: NameColumn,
  name: string,
  candidates: readonly { isUsable: boolean }[],
): string | undefined {
  if (candidates.length === 0) return unknownName(column, name)
  if (candidates.length > 1) {
    return column === 'supplier' || column === 'location'
      ? `is the name of several ${column}s: rename one of them first`
      : severalVariants
  }
  return candidates[0]?.isUsable ? undefined : unusable[column]
}

type Fragment = ReturnType<typeof sql.fragment>

const namesIn = (rows: readonly RowWithNames<object>[], column: NameColumn) =>
  sql.array([...new Set(rows.flatMap(({ names }) => names[column] ?? []))], 'text')

/** SQL: the variants that the rows name (`variant_match`), which `variantsByName` lists as `VariantsByName`. */
export const matchVariants = (shopId: number, rows: readonly RowWithNames<object>[]) => sql.fragment`
  variant_match as materialized (
    select id, gid, sku, barcode, is_tracked
    from variant
    where shop_id = ${shopId} and deleted_at is null and (
      gid = any(${namesIn(rows, 'variantId')}) or sku = any(${namesIn(rows, 'sku')}) or barcode = any(${namesIn(rows, 'barcode')})
    )
  )
`
export const variantsByName = sql.fragment`
  (${listed(sql.fragment`gid`, sql.fragment`is_tracked`)} from variant_match) as variant_id,
  (${listed(sql.fragment`sku`, sql.fragment`is_tracked`)} from variant_match) as sku,
  (${listed(sql.fragment`barcode`, sql.fragment`is_tracked`)} from variant_match) as barcode
`

function listed(name: Fragment, isUsable: Fragment) {
  return sql.fragment`
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', ${name}, 'isUsable', ${isUsable})), '[]')
  `
}

/** Compares names by `lower` of Postgres. Locks suppliers `for share`, so that none is deleted before the save. */
async function readCandidates(tx: Db, shopId: number, rows: readonly RowWithNames<object>[]) {
  const candidates = await tx.one(sql.type(row(Candidates))`
    with ${matchVariants(shopId, rows)},
    supplier_match as materialized (
      select s.id, given.name
      from unnest(${namesIn(rows, 'supplier')}) as given (name)
      join supplier s on s.shop_id = ${shopId} and s.archived_at is null and lower(s.name) = lower(given.name)
      order by s.id
      for share of s
    ),
    location_match as (
      select w.id, given.name, w.is_active
      from unnest(${namesIn(rows, 'location')}) as given (name)
      join location w on w.shop_id = ${shopId} and lower(w.name) = lower(given.name)
    )
    select ${variantsByName},
      (${listed(sql.fragment`name`, sql.fragment`true`)} from supplier_match) as supplier,
      (${listed(sql.fragment`name`, sql.fragment`is_active`)} from location_match) as location
  `)
  const byName = (column: NameColumn) => Map.groupBy(candidates[column], ({ name }) => name)
  return {
    variantId: byName('variantId'),
    sku: byName('sku'),
    barcode: byName('barcode'),
    supplier: byName('supplier'),
    location: byName('location'),
  }
}
