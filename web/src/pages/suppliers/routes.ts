import { createRoute } from '@tanstack/react-router'
import { readSearch } from '../../components/tables/search-text.ts'
import { lazyPage } from '../../shell/lazy-page.ts'
import { idParams as params, root } from '../../shell/root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/suppliers',
  validateSearch: readSearch,
  component: lazyPage(() => import('./supplier-list.tsx'), 'SupplierList'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/suppliers/new',
  component: lazyPage(() => import('./supplier-create.tsx'), 'SupplierCreate'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/suppliers/$id',
  params,
  component: lazyPage(() => import('./supplier-detail.tsx'), 'SupplierDetail'),
})

export const supplierRoutes = [list, create, detail] as const
