import { type Db, sql } from '../../../shared/db/db.ts'
import type { ReorderRule, ReorderRuleInput } from '../../../shared/schemas/reorder-rules.ts'
import type { ReorderSuggestion } from '../../../shared/schemas/reorder-suggestions.ts'
import type { Person } from '../core/people.ts'
import { variantGid } from './stock.ts'

/** A rule that the API takes, for variant 1 (`makeStock` makes it); tests break one thing each. */
export const rule = (fields: Partial<ReorderRuleInput> = {}): ReorderRuleInput => ({
  variantId: variantGid(1),
  reorderPoint: 20,
  reorderQuantity: 50,
  ...fields,
})

export async function makeRule(person: Person, fields: Partial<ReorderRuleInput> = {}): Promise<number> {
  const answer = await person.post('/api/reorder/rules', rule(fields))
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data.id
}

export async function readRule(person: Person, id: number): Promise<ReorderRule> {
  const answer = await person.get(`/api/reorder/rules/${id}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

export async function listRules(person: Person, query = ''): Promise<ReorderRule[]> {
  const answer = await person.get(`/api/reorder/rules${query}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

export async function deleteRules(person: Person): Promise<void> {
  for (const { id } of await listRules(person)) await person.delete(`/api/reorder/rules/${id}`)
}

export async function listSuggestions(person: Person, query = ''): Promise<ReorderSuggestion[]> {
  const answer = await person.get(`/api/reorder/suggestions${query}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

/** How many pieces of variant n were sold in the last 30 days. */
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
