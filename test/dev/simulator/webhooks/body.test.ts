import t from 'tap'
import { localTime, writeBody } from '../../../../dev/simulator/webhooks/body.ts'
import { maxAttempts, retryDelayMs } from '../../../../dev/simulator/webhooks/delivery.ts'
import { complianceTopics, subscribedTopics, topicPath } from '../../../../dev/simulator/webhooks/topics.ts'

t.test('a body contains ids with all digits, and strings unchanged', async (t) => {
  const body = writeBody({ id: 820982911946154508n, sku: '0007', text: '\0 12\0<b>&"a/b"\u2028', none: null })
  t.match(body, '"id":820982911946154508,"sku":"0007"')
  t.notMatch(body, '<')
  t.match(body, 'a\\/b')
  t.match(JSON.parse(body), { text: ' 12<b>&"a/b"\u2028', none: null })
})

t.test('instants are in the time zone of the shop', async (t) => {
  t.equal(localTime('2026-01-01T12:00:00Z', 'Europe/London'), '2026-01-01T12:00:00+00:00')
  t.equal(localTime('2026-07-01T23:30:00Z', 'Europe/London'), '2026-07-02T00:30:00+01:00')
  t.equal(localTime('2026-01-01T00:00:00Z', 'America/New_York'), '2025-12-31T19:00:00-05:00')
  t.equal(localTime('2026-01-01T00:00:00Z', 'Asia/Kolkata'), '2026-01-01T05:30:00+05:30')
})

t.test('retries span 48 hours with growing delays', async (t) => {
  const delays = Array.from({ length: maxAttempts - 1 }, (_, index) => retryDelayMs(index + 1))
  t.equal(delays[0], 10_000)
  t.strictSame(
    delays,
    [...delays].sort((a, b) => a - b),
  )
  const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3_600_000
  t.ok(hours > 47 && hours < 49)
})

t.test('topics have their wire format', async (t) => {
  t.strictSame([...subscribedTopics, ...complianceTopics].map(topicPath), [
    'app/uninstalled',
    'inventory_items/update',
    'inventory_levels/connect',
    'inventory_levels/update',
    'locations/activate',
    'locations/create',
    'locations/deactivate',
    'locations/delete',
    'locations/update',
    'orders/create',
    'orders/delete',
    'orders/updated',
    'products/create',
    'products/delete',
    'products/update',
    'customers/data_request',
    'customers/redact',
    'shop/redact',
  ])
})
