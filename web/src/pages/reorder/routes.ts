import { createRoute } from '@tanstack/react-router'
import { readProductSearch } from '../../components/pickers/product-filter.ts'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'
import { readRuleFilter } from './rules/rule-filter.ts'

const suggestions = createRoute({
  getParentRoute: () => root,
  path: '/reorder',
  validateSearch: readProductSearch,
  component: lazyPage(() => import('./suggestions/suggestion-list.tsx'), 'SuggestionList'),
})

const rules = createRoute({
  getParentRoute: () => root,
  path: '/reorder/rules',
  validateSearch: readRuleFilter,
  component: lazyPage(() => import('./rules/rule-list.tsx'), 'RuleList'),
})

const createRule = createRoute({
  getParentRoute: () => root,
  path: '/reorder/rules/new',
  component: lazyPage(() => import('./rules/rule-create.tsx'), 'RuleCreate'),
})

const importRules = createRoute({
  getParentRoute: () => root,
  path: '/reorder/rules/import',
  component: lazyPage(() => import('./import/rule-import.tsx'), 'RuleImport'),
})

export const reorderRoutes = [suggestions, rules, createRule, importRules] as const
