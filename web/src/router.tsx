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
import { readOrderFilter } from './pages/purchase-orders/filter.ts'
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

/** Every page by its address; `api/routes/home.ts` knows where they begin. */
export const router = createRouter({
  routeTree: root.addChildren([home, suppliers, purchaseOrders]),
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
