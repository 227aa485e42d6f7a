import { sql } from '../../../db/db.ts'

/** The list of a shop that has none of its own. `platformReasonOf` gives each a reason of the platform, none of them `other`. */
export const defaultReasons = ['Damaged', 'Found', 'Theft', 'Returned', 'Sample', 'Correction'] as const

/** SQL: the reasons of a shop, from the alias of its settings. */
export const reasonsOf = (setting: string) => sql.fragment`
  coalesce(${sql.identifier([setting, 'adjustment_reasons'])}, ${sql.array([...defaultReasons], 'text')})
`
