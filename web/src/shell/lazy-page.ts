import { lazyRouteComponent } from '@tanstack/react-router'
import { noConnection } from '../api/api-error.ts'

/**
 * A page that is loaded when somebody goes to it. Of a page that was open while a new release came, the files are gone:
 * the router loads it anew then. While the service is away that would leave nothing at all, so what is open stays.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      throw (await isServiceThere()) ? error : noConnection()
    }
  }, name)

const isServiceThere = () =>
  fetch('/healthz').then(
    () => true,
    () => false,
  )
