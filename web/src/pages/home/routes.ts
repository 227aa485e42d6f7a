import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

const page = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyPage(() => import('./home.tsx'), 'Home'),
})

export const homeRoutes = [page] as const
