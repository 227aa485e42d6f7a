import { type Db, sql } from '../../../db/db.ts'
import { badRequest, type Fault, unprocessable } from '../../../errors.ts'
import type { DemandEventInput, DemandEventScope } from '../../../schemas/demand-events.ts'

export type EventScope = { scope: DemandEventScope; scopeValue: string; variantRowId: number | null }

/** A valid event as the table has it. */
export type CheckedEvent = EventScope & {
  name: string
  kind: 'event' | 'growth'
  startsOn: string
  endsOn: string | null
  factor: number
}

/**
 * Checks what the schema of one field cannot: which fields belong together, and whether the shop has the products. Throws
 * invalid_request, unknown_product.
 */
export async function checkEvent(tx: Db, shopId: number, input: DemandEventInput): Promise<CheckedEvent> {
  const faults = faultsOf(input)
  if (faults.length > 0) throw badRequest(faults)
  const { name, kind, startsOn, endsOn = null } = input
  const scope = await resolveScope(tx, shopId, input)
  if (scope.scope === 'variant' && scope.variantRowId === null) {
    throw unknownProduct('variantId', 'is no product of this shop')
  }
  if (scope.scope === 'product_type' || scope.scope === 'vendor') {
    await requireProducts(tx, shopId, scope.scope, scope.scopeValue)
  }
  const factor = kind === 'event' ? (input.factor ?? 1) : 1 + (input.growthPercent ?? 0) / 100
  return { ...scope, name, kind, startsOn, endsOn, factor: Math.round(factor * 1e4) / 1e4 }
}

/** The products of an event, with the row id of a variant. */
export async function resolveScope(
  tx: Db,
  shopId: number,
  { scope, scopeValue, variantId }: Pick<DemandEventInput, 'scope' | 'scopeValue' | 'variantId'>,
): Promise<EventScope> {
  const variantRowId =
    scope === 'variant'
      ? await tx.maybeOneFirst(sql.typeAlias('id')`
          select id from variant where shop_id = ${shopId} and gid = ${variantId ?? ''}
        `)
      : null
  return { scope, scopeValue: scopeValue ?? '', variantRowId }
}

function faultsOf(input: DemandEventInput): Fault[] {
  const { kind, scope, startsOn, endsOn = null, factor = null, growthPercent = null } = input
  const { scopeValue = null, variantId = null } = input
  const isNamed = scope === 'product_type' || scope === 'vendor'
  const noun = scope === 'vendor' ? 'vendor' : 'product type'
  return [
    [isNamed && !scopeValue, '/scopeValue', `is required: the name of the ${noun}`],
    [!isNamed && scopeValue, '/scopeValue', 'must be left out unless scope is product_type or vendor'],
    [scope === 'variant' && variantId === null, '/variantId', 'is required for the scope variant'],
    [scope !== 'variant' && variantId !== null, '/variantId', 'must be left out unless scope is variant'],
    [kind === 'event' && endsOn === null, '/endsOn', 'is required for an event'],
    [endsOn !== null && endsOn < startsOn, '/endsOn', 'must not be before startsOn'],
    [kind === 'event' && factor === null, '/factor', 'is required for an event'],
    [kind === 'growth' && factor !== null, '/factor', 'must be left out for growth'],
    [kind === 'growth' && growthPercent === null, '/growthPercent', 'is required for growth'],
    [kind === 'event' && growthPercent !== null, '/growthPercent', 'must be left out for an event'],
  ].flatMap(([isWrong, path, message]) => (isWrong ? [{ path: String(path), message: String(message) }] : []))
}

async function requireProducts(tx: Db, shopId: number, scope: 'product_type' | 'vendor', value: string) {
  const known = await tx.maybeOneFirst(sql.typeAlias('id')`
    select id from product
    where shop_id = ${shopId} and ${sql.identifier([scope])} = ${value} and deleted_at is null
    limit 1
  `)
  if (known === null) {
    throw unknownProduct('scopeValue', `is no ${scope === 'vendor' ? 'vendor' : 'product type'} of this shop`)
  }
}

const unknownProduct = (field: string, message: string) =>
  unprocessable(
    'unknown_product',
    'The event names a product, vendor or product type that this shop does not have. Choose another.',
    [{ path: `/${field}`, message }],
  )
