import type { ReorderRuleFilter, ReorderRulePatch } from '../../../../../shared/schemas/reorder-rules.ts'
import { listQuery, optimisticListUpdate, useChange } from '../../../api/queries.ts'

export type RuleQuery = Omit<ReorderRuleFilter, 'limit' | 'cursor'>

const rulesOf = (query: RuleQuery) => listQuery('GET /reorder/rules', { query })

/** Changes a rule; the list shows the change before the API answers. Changed settings clear the computed numbers. */
export const useRuleChange = (
  query: RuleQuery,
  onRefused: (error: unknown, change: { body: ReorderRulePatch }) => void,
) =>
  useChange('PUT /reorder/rules/:id', {
    optimistic: ({ params: { id }, body }) =>
      optimisticListUpdate(rulesOf(query), (rule) =>
        rule.id === id
          ? { ...rule, ...body, ...(needsComputing(body) && { computedAt: null, isComputing: true }) }
          : rule,
      ),
    onRefused,
  })

const needsComputing = (body: object) => 'mode' in body || 'serviceLevel' in body || 'reviewDays' in body

export const useRuleDeletion = (query: RuleQuery, onRefused: (error: unknown) => void) =>
  useChange('DELETE /reorder/rules/:id', {
    optimistic: ({ params: { id } }) =>
      optimisticListUpdate(rulesOf(query), (rule) => (rule.id === id ? null : rule)),
    onRefused,
  })
