import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'
import { readRuleFilter } from './rule-filter.ts'

const suggestions = createRoute({
  getParentRoute: () => root,
  path: '/reorder',
  component: lazyPage(() => import('./suggestion-list.tsx'), 'SuggestionList'),
})

const rules = createRoute({
  getParentRoute: () => root,
  path: '/reorder/rules',
  validateSearch: readRuleFilter,
  component: lazyPage(() => import('./rule-list.tsx'), 'RuleList'),
})

const createRule = createRoute({
  getParentRoute: () => root,
  path: '/reorder/rules/new',
  component: lazyPage(() => import('./rule-create.tsx'), 'RuleCreate'),
})

const importRules = createRoute({
  getParentRoute: () => root,
  path: '/reorder/rules/import',
  component: lazyPage(() => import('./rule-import.tsx'), 'RuleImport'),
})

export const reorderRoutes = [suggestions, rules, createRule, importRules] as const
