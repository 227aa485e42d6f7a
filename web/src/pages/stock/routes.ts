import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'
import { readLevelFilter, readMovementFilter } from './filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/stock',
  validateSearch: readLevelFilter,
  component: lazyPage(() => import('./level-list.tsx'), 'LevelList'),
})

const history = createRoute({
  getParentRoute: () => root,
  path: '/stock/history',
  validateSearch: readMovementFilter,
  component: lazyPage(() => import('./movement-list.tsx'), 'MovementList'),
})

const onItsWay = createRoute({
  getParentRoute: () => root,
  path: '/stock/on-its-way',
  component: lazyPage(() => import('./push-list.tsx'), 'PushList'),
})

export const stockRoutes = [list, history, onItsWay] as const
