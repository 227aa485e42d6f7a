import type { FaultScript } from '../faults.ts'
import type { PlatformOptions } from '../options.ts'
import { createDeliveries, type Deliveries } from '../webhooks/deliveries.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import { createOutbox } from '../webhooks/outbox.ts'
import { createSender } from '../webhooks/send.ts'
import { createShops, type Shops } from './shops.ts'
import { createStateWriter, openStateFile } from './state-file.ts'

type OpenShops = { shops: Shops; settled: () => Promise<void>; closeShops: () => Promise<void> }

/** Opens the stored shops with their deliveries, and adds the new ones of `options`. */
export async function openPlatformShops(
  options: PlatformOptions,
  faults: FaultScript,
  appUrl: () => string | undefined,
  origin: () => string,
): Promise<OpenShops> {
  const { apiSecret, namespace = 'platform', retryScale = 1, webhookTimeoutMs = 5000 } = options
  const file = options.dataFolder === undefined ? undefined : openStateFile(options.dataFolder)
  const stored = await file?.read()
  const writer = createStateWriter(
    async () => file?.write({ shops: shops.states(), deliveries: deliveries.all() }),
    (error) => console.error('The simulator cannot write its state file', error),
  )

  const sender = createSender({ apiSecret, namespace, timeoutMs: webhookTimeoutMs })
  const deliveries: Deliveries = createDeliveries(stored?.deliveries ?? [], {
    sender,
    retryScale,
    changed: writer.changed,
    onFailure: (delivery) => deleteSubscription(shops, delivery),
  })
  const shops: Shops = createShops({
    stored: stored?.shops ?? [],
    deliveries,
    openedAt: options.now ?? new Date(),
    services: {
      namespace,
      outbox: createOutbox(deliveries, faults),
      changed: writer.changed,
      appUrl,
      origin,
    },
  })
  for (const shop of options.shops ?? [{ domain: 'demo.myshop.example' }]) shops.add(shop)

  return {
    shops,
    settled: deliveries.settled,
    async closeShops() {
      deliveries.close()
      await writer.close()
    },
  }
}

/** The platform deletes a subscription after its last failed attempt. */
function deleteSubscription(shops: Shops, { shop, subscriptionId }: Delivery): void {
  const state = shops.find(shop)?.state
  if (state) state.subscriptions = state.subscriptions.filter(({ id }) => id !== subscriptionId)
}
