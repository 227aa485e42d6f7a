import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'

const page = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyPage(() => import('./settings-page.tsx'), 'SettingsPage'),
})

export const settingRoutes = [page] as const
