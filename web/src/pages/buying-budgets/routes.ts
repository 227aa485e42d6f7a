import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/buying-budgets',
  component: lazyPage(() => import('./budget-list.tsx'), 'BudgetList'),
})

export const buyingBudgetRoutes = [list] as const
