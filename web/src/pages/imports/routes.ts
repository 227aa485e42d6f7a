import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { idParams as params, root } from '../../shell/root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/imports',
  component: lazyPage(() => import('./import-list.tsx'), 'ImportList'),
})

const guide = createRoute({
  getParentRoute: () => root,
  path: '/imports/where-is',
  component: lazyPage(() => import('./where-is.tsx'), 'WhereIs'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/imports/$id',
  params,
  component: lazyPage(() => import('./import-detail.tsx'), 'ImportDetail'),
})

export const importRoutes = [list, guide, detail] as const
