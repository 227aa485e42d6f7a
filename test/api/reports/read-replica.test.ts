import t from 'tap'
import { buildApp } from '../../../api/app.ts'
import { openDb } from '../../../shared/db/db.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import { endpoints } from '../../../shared/schemas/endpoints.ts'
import { startApp } from '../../support/core/app.ts'
import { testConfig } from '../../support/core/database.ts'
import { recordedLog } from '../../support/core/outputs.ts'

const reports = Object.keys(endpoints).filter((key) => key.startsWith('GET /reports/'))

t.test('all reports are read from the replica, and none writes', async (t) => {
  const { alice, url, db } = await startApp(t)
  // as on a replica, each statement that writes fails
  const readOnly = new URL(url)
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
  const config = testConfig(url)
  const readDb = await openDb({ ...config, DATABASE_URL: readOnly.href }, 2)
  const deadDb = await openDb({ ...config, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }, 1)
  const pdf = createPdfRenderer()
  const app = await buildApp({
    ...{ config, db, readDb, pdf, log: recordedLog(config, 'web') },
    isStopping: () => false,
  })
  t.teardown(async () => {
    await app.close()
    await pdf.close()
    await readDb.end()
    await deadDb.end()
  })
  const read = async (key: string) => {
    const address = key.replace('GET ', '/api').replace(/:\w+/, '1')
    const headers = { authorization: `Bearer ${alice.token}` }
    return (await app.inject({ method: 'GET', url: address, headers })).statusCode
  }
  t.ok(reports.length > 10)
  for (const key of reports) t.equal(await read(key), 200, key)

  app.readDb = deadDb
  for (const key of reports) t.equal(await read(key), 503, `${key} without the replica`)
  t.equal(await read('GET /suppliers'), 200, 'other pages do not need it')
})
