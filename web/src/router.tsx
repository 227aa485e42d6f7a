import { createBrowserHistory, createRouter } from '@tanstack/react-router'
import { LoadingPage } from './components/loading-page.tsx'
import { NotFound } from './components/not-found.tsx'
import { PageError } from './components/page-error.tsx'
import { alertRoutes } from './pages/alerts/routes.ts'
import { countRoutes } from './pages/counts/routes.ts'
import { homeRoutes } from './pages/home/routes.ts'
import { purchaseOrderRoutes } from './pages/purchase-orders/routes.ts'
import { reorderRoutes } from './pages/reorder/routes.ts'
import { reportRoutes } from './pages/reports/routes.ts'
import { settingRoutes } from './pages/settings/routes.ts'
import { stockRoutes } from './pages/stock/routes.ts'
import { supplierRoutes } from './pages/suppliers/routes.ts'
import { syncRoutes } from './pages/sync/routes.ts'
import { transferRoutes } from './pages/transfers/routes.ts'
import { root } from './root-route.tsx'

/** Who goes somewhere sees first that something was pressed: to draw the next page takes longer than a frame. */
function createHistory() {
  const history = createBrowserHistory()
  const { push } = history
  history.push = (...place) => afterFrame(() => push(...place))
  return history
}

function afterFrame(work: () => void): void {
  // pages that nobody sees have no frames
  if (document.hidden) work()
  else requestAnimationFrame(() => setTimeout(work))
}

/** Every page by its address; `api/routes/home.ts` knows where they begin. */
export const router = createRouter({
  routeTree: root.addChildren([
    ...homeRoutes,
    ...purchaseOrderRoutes,
    ...supplierRoutes,
    ...reorderRoutes,
    ...stockRoutes,
    ...transferRoutes,
    ...countRoutes,
    ...reportRoutes,
    ...alertRoutes,
    ...settingRoutes,
    ...syncRoutes,
  ]),
  history: createHistory(),
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
