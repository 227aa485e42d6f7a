import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { idParams as params, root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/suppliers',
  component: lazyRouteComponent(() => import('./supplier-list.tsx'), 'SupplierList'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/suppliers/new',
  component: lazyRouteComponent(() => import('./supplier-create.tsx'), 'SupplierCreate'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/suppliers/$id',
  params,
  component: lazyRouteComponent(() => import('./supplier-detail.tsx'), 'SupplierDetail'),
})

export const supplierRoutes = [list, create, detail] as const
