import { createRouter } from '@tanstack/react-router'
import { createDeferredHistory } from './browser/deferred-history.ts'
import { LoadingPage } from './components/feedback/loading-page.tsx'
import { NotFound } from './components/feedback/not-found.tsx'
import { PageError } from './components/feedback/page-error.tsx'
import { alertRoutes } from './pages/alerts/routes.ts'
import { buyingBudgetRoutes } from './pages/buying-budgets/routes.ts'
import { countRoutes } from './pages/counts/routes.ts'
import { demandEventRoutes } from './pages/demand-events/routes.ts'
import { homeRoutes } from './pages/home/routes.ts'
import { importRoutes } from './pages/imports/routes.ts'
import { purchaseOrderRoutes } from './pages/purchase-orders/routes.ts'
import { receiptRoutes } from './pages/receipts/routes.ts'
import { reorderRoutes } from './pages/reorder/routes.ts'
import { replenishmentRoutes } from './pages/replenishment/routes.ts'
import { reportRoutes } from './pages/reports/routes.ts'
import { returnRoutes } from './pages/returns/routes.ts'
import { settingRoutes } from './pages/settings/routes.ts'
import { stockRoutes } from './pages/stock/routes.ts'
import { supplierRoutes } from './pages/suppliers/routes.ts'
import { syncRoutes } from './pages/sync/routes.ts'
import { transferRoutes } from './pages/transfers/routes.ts'
import { variantRoutes } from './pages/variants/routes.ts'
import { root } from './shell/root-route.tsx'

/** All pages by path. `api/pages/home.ts` lists the first path segments, for which the server sends the admin. */
export const router = createRouter({
  routeTree: root.addChildren([
    ...homeRoutes,
    ...purchaseOrderRoutes,
    ...replenishmentRoutes,
    ...receiptRoutes,
    ...supplierRoutes,
    ...returnRoutes,
    ...reorderRoutes,
    ...buyingBudgetRoutes,
    ...demandEventRoutes,
    ...stockRoutes,
    ...variantRoutes,
    ...transferRoutes,
    ...countRoutes,
    ...reportRoutes,
    ...alertRoutes,
    ...settingRoutes,
    ...syncRoutes,
    ...importRoutes,
  ]),
  history: createDeferredHistory(),
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
