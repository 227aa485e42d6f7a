import { sql } from '../../../db/db.ts'

/**
 * SQL: the sentence of an alert for the merchant, from its alias. A low-stock alert has figures (`stock/functions/refresh_rules.sql`) and
 * the product's name as its message; the others, and low-stock alerts of release 0.1.1, store the sentence.
 */
export function alertMessage(alert: string) {
  const [message, figures] = [sql.identifier([alert, 'message']), sql.identifier([alert, 'figures'])]
  return sql.fragment`case
    when ${figures} is null then ${message}
    else concat(
      ${message}, ' is low', ' at ' || (${figures}->>'location'), ': ', ${figures}->>'left', ' left, reorder point ',
      ${figures}->>'reorderPoint', '.'
    )
  end`
}
