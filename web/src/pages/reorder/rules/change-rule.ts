import type { ReorderRuleFilter, ReorderRulePatch } from '../../../../../shared/schemas/reorder-rules.ts'
import { listing, showingRecords, useChange } from '../../../api/queries.ts'

export type RuleQuery = Pick<ReorderRuleFilter, 'search' | 'supplierId' | 'variantId'>

const rulesOf = (query: RuleQuery) => listing('GET /reorder/rules', { query })

/** Changes one rule of the list, which shows it at once. What an automatic one is computed from is the API's to say. */
export const useRuleChange = (
  query: RuleQuery,
  onRefused: (error: unknown, change: { body: ReorderRulePatch }) => void,
) =>
  useChange('PUT /reorder/rules/:id', {
    shows: ({ params: { id }, body }) =>
      showingRecords(rulesOf(query), (rule) =>
        rule.id === id ? { ...rule, ...body, ...(isComputedAnew(body) && { computedAt: null }) } : rule,
      ),
    onRefused,
  })

const isComputedAnew = (body: object) => 'mode' in body || 'serviceLevel' in body || 'reviewDays' in body

export const useRuleDeletion = (query: RuleQuery, onRefused: (error: unknown) => void) =>
  useChange('DELETE /reorder/rules/:id', {
    shows: ({ params: { id } }) => showingRecords(rulesOf(query), (rule) => (rule.id === id ? null : rule)),
    onRefused,
  })
