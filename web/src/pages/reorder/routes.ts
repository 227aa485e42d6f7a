import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../root-route.tsx'
import { readRuleFilter } from './rule-filter.ts'

const suggestions = createRoute({
  getParentRoute: () => root,
  path: '/reorder',
  component: lazyRouteComponent(() => import('./suggestion-list.tsx'), 'SuggestionList'),
})

const rules = createRoute({
  getParentRoute: () => root,
  path: '/reorder/rules',
  validateSearch: readRuleFilter,
  component: lazyRouteComponent(() => import('./rule-list.tsx'), 'RuleList'),
})

const createRule = createRoute({
  getParentRoute: () => root,
  path: '/reorder/rules/new',
  component: lazyRouteComponent(() => import('./rule-create.tsx'), 'RuleCreate'),
})

const importRules = createRoute({
  getParentRoute: () => root,
  path: '/reorder/rules/import',
  component: lazyRouteComponent(() => import('./rule-import.tsx'), 'RuleImport'),
})

export const reorderRoutes = [suggestions, rules, createRule, importRules] as const
