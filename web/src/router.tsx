import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { LoadingPage } from './components/loading-page.tsx'
import { NotFound } from './components/not-found.tsx'
import { PageError } from './components/page-error.tsx'
import { readOrderFilter, readSupplier } from './pages/purchase-orders/filter.ts'
import { Shell } from './shell.tsx'

/** What the platform put into the address. It stays there, so that the page can be loaded again as it is. */
const platformNames = ['shop', 'host', 'embedded', 'locale'] as const
type PlatformSearch = Partial<Record<(typeof platformNames)[number], string | number>>

const root = createRootRoute({
  component: Shell,
  validateSearch: (search: Record<string, unknown>): PlatformSearch =>
    Object.fromEntries(
      platformNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
    ),
  search: { middlewares: [retainSearchParams([...platformNames])] },
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/purchase-orders', replace: true })
  },
})

/** Ids of the API are whole numbers; whatever else stands there leads to a record that is not there. */
const params = {
  parse: ({ id }: { id: string }) => ({ id: Number(id) }),
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
}

const suppliers = createRoute({
  getParentRoute: () => root,
  path: '/suppliers',
  component: lazyRouteComponent(() => import('./pages/suppliers/supplier-list.tsx'), 'SupplierList'),
})

const purchaseOrders = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders',
  validateSearch: readOrderFilter,
  component: lazyRouteComponent(() => import('./pages/purchase-orders/order-list.tsx'), 'OrderList'),
})

const supplierNew = createRoute({
  getParentRoute: () => root,
  path: '/suppliers/new',
  component: lazyRouteComponent(() => import('./pages/suppliers/supplier-create.tsx'), 'SupplierCreate'),
})

const supplier = createRoute({
  getParentRoute: () => root,
  path: '/suppliers/$id',
  params,
  component: lazyRouteComponent(() => import('./pages/suppliers/supplier-detail.tsx'), 'SupplierDetail'),
})

const purchaseOrderNew = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/new',
  validateSearch: readSupplier,
  component: lazyRouteComponent(() => import('./pages/purchase-orders/order-create.tsx'), 'OrderCreate'),
})

const purchaseOrder = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id',
  params,
  component: lazyRouteComponent(() => import('./pages/purchase-orders/order-detail.tsx'), 'OrderDetail'),
})

const purchaseOrderEdit = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id/edit',
  params,
  component: lazyRouteComponent(() => import('./pages/purchase-orders/order-edit.tsx'), 'OrderEdit'),
})

const purchaseOrderReceive = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id/receive',
  params,
  component: lazyRouteComponent(() => import('./pages/purchase-orders/receive-order.tsx'), 'ReceiveOrder'),
})

/** Every page by its address; `api/routes/home.ts` knows where they begin. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    purchaseOrders,
    purchaseOrderNew,
    purchaseOrder,
    purchaseOrderEdit,
    purchaseOrderReceive,
    suppliers,
    supplierNew,
    supplier,
  ]),
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
