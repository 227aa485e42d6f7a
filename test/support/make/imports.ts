import { type Db, sql } from '../../../shared/db/db.ts'
import { sha256Of, storeTables } from '../../../shared/domain/exchange/imports/store.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { Import, ImportPatch, ImportRow, ImportState } from '../../../shared/schemas/imports.ts'
import type { Person } from '../core/people.ts'
import type { Perform } from '../core/worker.ts'

const partBytes = 512 * 1024

/** Sends the parts of a file; returns the import, which the worker has not read yet. */
export async function uploadImport(
  person: Person,
  fileName: string,
  file: string | Uint8Array,
  kind?: string,
): Promise<Import> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : Buffer.from(file)
  const created = await person.post('/api/imports', { fileName, ...(kind && { kind }) })
  if (created.statusCode !== 201) throw new Error(created.body)
  const { id } = created.json().data
  for (let part = 0; part * partBytes < Math.max(bytes.length, 1); part += 1) {
    const base64 = bytes.subarray(part * partBytes, (part + 1) * partBytes).toString('base64')
    const stored = await person.put(`/api/imports/${id}/parts/${part}`, { base64 })
    if (stored.statusCode !== 200) throw new Error(stored.body)
  }
  return readImport(person, id)
}

export async function readImport(person: Person, id: number): Promise<Import> {
  const response = await person.get(`/api/imports/${id}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

/** How long the worker took, by what it has stored, for `docs/performance.md`. */
export async function secondsOf(person: Person, id: number): Promise<string> {
  const { createdAt, finishedAt } = await readImport(person, id)
  return `${((Date.parse(finishedAt ?? '') - Date.parse(createdAt)) / 1000).toFixed(1)} s`
}

/** What a merchant and the worker do with files. */
export function importing(person: Person, perform: Perform) {
  /** The worker does what the state of the import asks for. */
  const workOn = async (id: number): Promise<Import> => {
    await perform(jobs.workOnImport, { shopId: person.shopId, importId: id })
    return readImport(person, id)
  }
  const work = async (id: number, path: string, body?: object): Promise<Import> => {
    const response = await person.post(`/api/imports/${id}/${path}`, body)
    if (response.statusCode !== 200) throw new Error(response.body)
    return workOn(id)
  }
  const readOnly = async (fileName: string, file: string | Uint8Array, kind?: string): Promise<Import> =>
    work((await uploadImport(person, fileName, file, kind)).id, 'read')
  /** Reads a file, and makes its dry run unless a question is open. */
  const read = async (...file: Parameters<typeof readOnly>): Promise<Import> => {
    const found = await readOnly(...file)
    return found.state === 'checking' ? workOn(found.id) : found
  }
  const change = async (id: number, patch: ImportPatch): Promise<Import> => {
    const response = await person.put(`/api/imports/${id}`, patch)
    if (response.statusCode !== 200) throw new Error(response.body)
    return response.json().data
  }
  const rehearse = (id: number) => work(id, 'run', { dryRun: true })
  const run = (id: number) => work(id, 'run', { dryRun: false })
  const rows = async (id: number, state = ''): Promise<ImportRow[]> => {
    const response = await person.get(`/api/imports/${id}/rows${state && `?state=${state}`}`)
    if (response.statusCode !== 200) throw new Error(response.body)
    return response.json().data
  }
  return {
    read,
    readOnly,
    workOn,
    change,
    rehearse,
    run,
    rows,
    revert: (id: number) => work(id, 'revert'),
    /** Reads a file and runs it with these defaults, without the dry run. */
    load: async (fileName: string, file: string | Uint8Array, patch: ImportPatch = {}): Promise<Import> => {
      const found = await readOnly(fileName, file)
      if (found.state === 'failed') return found
      await change(found.id, patch)
      return run(found.id)
    },
  }
}

/** An import of costs in this state, as the worker leaves it. */
export async function makeImport(person: Person, db: Db, state: ImportState): Promise<number> {
  const { id } = await uploadImport(person, 'costs.csv', 'SKU,Cost\nSKU-1,2.50\n')
  if (state === 'uploading') return id
  const { shopId } = person
  await db.query(sql.typeAlias('void')`
    update import set state = 'reading' where shop_id = ${shopId} and id = ${id}
  `)
  const rows = [{ row: 2, cells: ['SKU-1', '2.50'] }]
  await storeTables(db, shopId, id, sha256Of(Buffer.from('SKU')), {
    tables: [{ name: 'costs.csv', columns: ['SKU', 'Cost'], rows }],
  })
  await db.query(sql.typeAlias('void')`
    update import set state = ${state} where shop_id = ${shopId} and id = ${id}
  `)
  return id
}
