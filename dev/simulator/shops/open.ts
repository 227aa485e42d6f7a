import type { FaultScript } from '../faults.ts'
import type { PlatformOptions } from '../options.ts'
import { createDeliveries, type Deliveries } from '../webhooks/deliveries.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import { createOutbox } from '../webhooks/outbox.ts'
import { createSender } from '../webhooks/send.ts'
import { createShops, type Shops } from './shops.ts'
import { createKeeper, openStateFile } from './state-file.ts'

type OpenShops = { shops: Shops; settled: () => Promise<void>; closeShops: () => Promise<void> }

/** The shops with what is told of them, as they were kept, and those that are new. */
export async function openPlatformShops(
  options: PlatformOptions,
  faults: FaultScript,
  appUrl: () => string | undefined,
): Promise<OpenShops> {
  const { apiSecret, namespace = 'platform', retryScale = 1, webhookTimeoutMs = 5000 } = options
  const file = options.dataFolder === undefined ? undefined : openStateFile(options.dataFolder)
  const kept = await file?.read()
  const keeper = createKeeper(
    async () => file?.write({ shops: shops.states(), deliveries: deliveries.all() }),
    (error) => console.error('The simulator cannot write what it keeps', error),
  )

  const sender = createSender({ apiSecret, namespace, timeoutMs: webhookTimeoutMs })
  const deliveries: Deliveries = createDeliveries(kept?.deliveries ?? [], {
    sender,
    retryScale,
    changed: keeper.changed,
    gaveUp: (delivery) => endSubscription(shops, delivery),
  })
  const shops: Shops = createShops({
    kept: kept?.shops ?? [],
    deliveries,
    openedAt: options.now ?? new Date(),
    services: { namespace, outbox: createOutbox(deliveries, faults), changed: keeper.changed, appUrl },
  })
  for (const shop of options.shops ?? [{ domain: 'demo.myshop.example' }]) shops.add(shop)

  return {
    shops,
    settled: deliveries.settled,
    async closeShops() {
      deliveries.close()
      await keeper.close()
    },
  }
}

/** Whoever never answers is told nothing more. */
function endSubscription(shops: Shops, { shop, subscriptionId }: Delivery): void {
  const state = shops.find(shop)?.state
  if (state) state.subscriptions = state.subscriptions.filter(({ id }) => id !== subscriptionId)
}
