import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'
import pg from 'pg'

export type Statement = { text: string; values: unknown[] }

/** A bare route: the statements of one of our requests, and its response body. */
export type BareRead = Statement & { path: string; isList: boolean }
export type BareWrite = { path: string; statements: Statement[]; body: string }
export type BareRoutes = { reads: BareRead[]; writes: BareWrite[] }

/** Runs the SQL of our routes on Fastify and `pg` alone, without session, validation or log; the same bodies. */
const { ROUTES: file = '', DATABASE_URL, PORT, POOL_SIZE } = process.env
const { reads, writes }: BareRoutes = JSON.parse(await readFile(file, 'utf8'))

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(POOL_SIZE) })
const app = Fastify()

app.get('/readyz', async () => ({ ready: true }))

for (const { path, text, values, isList } of reads) {
  app.get(path.replace(/\?.*/, ''), async () => {
    const { rows } = await pool.query(text, values)
    return { success: true, data: isList ? rows.slice(0, 100) : rows[0] }
  })
}

for (const { path, statements, body } of writes) {
  app.put(path, async (_request, reply) => {
    for (const statement of statements) await pool.query(statement)
    return reply.type('application/json; charset=utf-8').send(body)
  })
}

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
