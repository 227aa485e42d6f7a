import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/reorder',
  component: lazyPage(() => import('./suggestion-list.tsx'), 'SuggestionList'),
})

export const reorderRoutes = [list] as const
