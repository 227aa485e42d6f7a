import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../db/db.ts'
import { isKnownEnough } from '../../ledgers/demand/known-days.ts'

/** Of a product without a class, in percent. */
export const defaultServiceLevel = 95
/** In percent, by ABC class. */
const serviceLevels: Readonly<Record<string, number>> = { A: 98, B: 95, C: 90 }

export const serviceLevelOf = (abcClass: string | null) =>
  serviceLevels[abcClass ?? ''] ?? defaultServiceLevel

/**
 * SQL: the service level that the merchant chose for a rule; null: that of the ABC class. The release before migration 0068 writes 95
 * without a choice and does not know the flag; another number that it writes is a choice.
 */
export function chosenServiceLevel(rule: string) {
  const r = sql.identifier([rule])
  return sql.fragment`
    case when not (${r}.is_level_by_class and ${r}.service_level = ${defaultServiceLevel}) then ${r}.service_level end
  `
}

/** The values of the columns that store a chosen level; null stands for the level of the ABC class. */
export const storedServiceLevel = (chosen: number | null) => ({
  level: chosen ?? defaultServiceLevel,
  isByClass: chosen === null,
})

/** SQL: the ABC class of a variant, null while too few days are known. `known` and `y` as in `daysKnown`. */
export const knownClass = (known: string, y: string) => sql.fragment`
  case when ${isKnownEnough(known, y)} then ${sql.identifier([y, 'abc_class'])} end
`

/** SQL: `serviceLevelOf` a class. */
export const serviceLevelOfClass = (abcClass: FragmentSqlToken) => sql.fragment`
  coalesce((${JSON.stringify(serviceLevels)}::jsonb ->> ${abcClass})::int, ${defaultServiceLevel})
`
