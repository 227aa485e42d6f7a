import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'

// the number may exceed the safe integers, so it stays text
const detail = createRoute({
  getParentRoute: () => root,
  path: '/variants/$id',
  component: lazyPage(() => import('./variant-detail.tsx'), 'VariantDetail'),
})

export const variantRoutes = [detail] as const
