import type {
  ReorderRule,
  ReorderRuleFilter,
  ReorderRulePatch,
} from '../../../../shared/schemas/reorder-rules.ts'
import { listing, showing, useChange } from '../../api/queries.ts'

export type RuleQuery = Pick<ReorderRuleFilter, 'search' | 'supplierId' | 'variantId'>

/** Every rule of a list as `update` makes it; those of which it makes nothing are gone. */
const showingRules = (query: RuleQuery, update: (rule: ReorderRule) => ReorderRule | null) =>
  showing(listing('GET /reorder/rules', { query }), (now) => ({
    ...now,
    pages: now.pages.map((page) => ({
      ...page,
      records: page.records.flatMap((rule) => update(rule) ?? []),
    })),
  }))

/** Changes one rule of the list, which shows it at once. What an automatic one is computed from is the API's to say. */
export const useRuleChange = (
  query: RuleQuery,
  onRefused: (error: unknown, change: { body: ReorderRulePatch }) => void,
) =>
  useChange('PUT /reorder/rules/:id', {
    shows: ({ params: { id }, body }) =>
      showingRules(query, (rule) =>
        rule.id === id ? { ...rule, ...body, ...(isComputedAnew(body) && { computedAt: null }) } : rule,
      ),
    onRefused,
  })

const isComputedAnew = (body: object) => 'mode' in body || 'serviceLevel' in body || 'reviewDays' in body

export const useRuleDeletion = (query: RuleQuery, onRefused: (error: unknown) => void) =>
  useChange('DELETE /reorder/rules/:id', {
    shows: ({ params: { id } }) => showingRules(query, (rule) => (rule.id === id ? null : rule)),
    onRefused,
  })
