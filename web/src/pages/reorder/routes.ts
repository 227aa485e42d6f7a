import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/reorder',
  component: lazyRouteComponent(() => import('./suggestion-list.tsx'), 'SuggestionList'),
})

export const reorderRoutes = [list] as const
