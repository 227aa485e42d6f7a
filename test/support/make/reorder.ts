import { type Db, sql } from '../../../shared/db/db.ts'
import type { ReorderRule, ReorderRuleInput } from '../../../shared/schemas/reorder-rules.ts'
import type { ReorderSuggestion } from '../../../shared/schemas/reorder-suggestions.ts'
import type { Person } from '../core/people.ts'
import { variantGid } from './stock.ts'

/** A valid rule for variant 1 (`makeStock` makes it). Tests change single fields. */
export const rule = (fields: Partial<ReorderRuleInput> = {}): ReorderRuleInput => ({
  variantId: variantGid(1),
  reorderPoint: 20,
  reorderQuantity: 50,
  ...fields,
})

export async function makeRule(person: Person, fields: Partial<ReorderRuleInput> = {}): Promise<number> {
  const response = await person.post('/api/reorder/rules', rule(fields))
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data.id
}

export async function readRule(person: Person, id: number): Promise<ReorderRule> {
  const response = await person.get(`/api/reorder/rules/${id}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

export async function listRules(person: Person, query = ''): Promise<ReorderRule[]> {
  const response = await person.get(`/api/reorder/rules${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

export async function deleteRules(person: Person): Promise<void> {
  for (const { id } of await listRules(person)) await person.delete(`/api/reorder/rules/${id}`)
}

export async function listSuggestions(person: Person, query = ''): Promise<ReorderSuggestion[]> {
  const response = await person.get(`/api/reorder/suggestions${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

/** Sets the units of variant n sold in the last 30 days. */
export async function setVelocity(
  db: Db,
  { shopId }: Pick<Person, 'shopId'>,
  number: number,
  units: number,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into variant_velocity (shop_id, variant_id, units_30d)
    select shop_id, id, ${units} from variant where shop_id = ${shopId} and gid = ${variantGid(number)}
    on conflict (shop_id, variant_id) do update set units_30d = excluded.units_30d
  `)
}
