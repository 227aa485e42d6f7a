import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/transfers',
  component: lazyPage(() => import('./transfer-list.tsx'), 'TransferList'),
})

export const transferRoutes = [list] as const
