import { createRootRoute, retainSearchParams } from '@tanstack/react-router'
import { queryClient } from '../api/query-client.ts'
import { readSettings } from '../components/shop/settings.tsx'
import { Shell } from './shell.tsx'

/** What the platform put into the address. It stays there, so that the page can be loaded again as it is. */
const platformNames = ['shop', 'host', 'embedded', 'locale'] as const
type PlatformSearch = Partial<Record<(typeof platformNames)[number], string | number>>

export const root = createRootRoute({
  component: Shell,
  // together with what the page asks for, rather than before it
  loader: () => void queryClient.prefetchQuery(readSettings),
  validateSearch: (search: Record<string, unknown>): PlatformSearch =>
    Object.fromEntries(
      platformNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
    ),
  search: { middlewares: [retainSearchParams([...platformNames])] },
})

/** Ids of the API are whole numbers; whatever else stands in an address leads to a record that is not there. */
export const idParams = {
  parse: ({ id }: { id: string }) => ({ id: Number(id) }),
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
}
