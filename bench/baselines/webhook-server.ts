import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * A plain server with one transaction per delivery: it checks the signature, stores the delivery and its job, and
 * responds after the commit. No log, no metrics, one fixed shop and topic.
 */
const { DATABASE_URL, PORT, POOL_SIZE, PLATFORM_API_SECRET = '', SHOP_ID } = process.env

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(POOL_SIZE) })
const app = Fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

app.get('/readyz', async () => ({ ready: true }))

app.post<{ Body: Buffer; Headers: Record<string, string> }>('/webhooks', async ({ body, headers }, reply) => {
  const given = Buffer.from(headers['x-platform-hmac-sha256'] ?? '', 'base64')
  const signature = createHmac('sha256', PLATFORM_API_SECRET).update(body).digest()
  if (given.length !== 32 || !timingSafeEqual(given, signature)) return reply.code(401).send()
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query(
      `insert into webhook_delivery (shop_id, topic, webhook_id, event_id, triggered_at, payload)
       values ($1, $2, $3, '', $4, $5)
       on conflict do nothing
       returning id`,
      [SHOP_ID, 'ORDERS_CREATE', headers['x-platform-webhook-id'], headers['x-platform-triggered-at'], body],
    )
    for (const { id } of rows) {
      const payload = JSON.stringify([{ shopId: SHOP_ID, deliveryId: id }])
      await client.query('select graphile_worker.add_job($1, $2::json)', ['apply-orders', payload])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
  return { success: true, data: { received: true } }
})

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
