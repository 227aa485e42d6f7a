import { createRoute } from '@tanstack/react-router'
import { readPositive, readSearch } from '../../components/tables/address.ts'
import { lazyPage } from '../../shell/lazy-page.ts'
import { idParams as params, root } from '../../shell/root-route.tsx'
import { readSupplierFilter } from './filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/suppliers',
  validateSearch: readSupplierFilter,
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

const products = createRoute({
  getParentRoute: () => root,
  path: '/suppliers/$id/products',
  params,
  validateSearch: readSearch,
  component: lazyPage(() => import('./products/supplier-products.tsx'), 'SupplierProducts'),
})

const vendors = createRoute({
  getParentRoute: () => root,
  path: '/suppliers/from-vendors',
  component: lazyPage(() => import('./vendors/vendor-suppliers.tsx'), 'VendorSuppliers'),
})

const priceList = createRoute({
  getParentRoute: () => root,
  path: '/suppliers/price-list',
  validateSearch: ({ supplierId }: Record<string, unknown>) => readPositive('supplierId', supplierId),
  component: lazyPage(() => import('./price-list/price-list-import.tsx'), 'PriceListImport'),
})

export const supplierRoutes = [list, create, detail, products, vendors, priceList] as const
