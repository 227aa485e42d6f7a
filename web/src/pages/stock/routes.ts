import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../root-route.tsx'
import { readLevelFilter, readMovementFilter } from './filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/stock',
  validateSearch: readLevelFilter,
  component: lazyRouteComponent(() => import('./level-list.tsx'), 'LevelList'),
})

const history = createRoute({
  getParentRoute: () => root,
  path: '/stock/history',
  validateSearch: readMovementFilter,
  component: lazyRouteComponent(() => import('./movement-list.tsx'), 'MovementList'),
})

const onItsWay = createRoute({
  getParentRoute: () => root,
  path: '/stock/on-its-way',
  component: lazyRouteComponent(() => import('./push-list.tsx'), 'PushList'),
})

export const stockRoutes = [list, history, onItsWay] as const
