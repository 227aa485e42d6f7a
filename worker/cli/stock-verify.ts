import { parseArgs } from 'node:util'
import { type DatabasePool, openDb } from '../../shared/db/db.ts'
import { requireKnownSchema } from '../../shared/db/schema-state.ts'
import { listInstalledShops } from '../../shared/domain/shops/shops.ts'
import { type StockDifference, verifyStockBatch } from '../../shared/domain/stock/verify.ts'
import { readConfig } from '../../shared/process.ts'

const help = `Checks that every stock level is the sum of its movements.

  npm run stock:verify                      all shops
  npm run stock:verify -- --shop DOMAIN     one shop
  npm run stock:verify -- --repair          write a movement for every difference, which says so; levels stay
  npm run stock:verify -- --json            one JSON object per line, for machines

Ends with 0 when all is well or repaired, 1 when there are differences, 2 when it could not look.`

export type VerifyOptions = { shop: string | undefined; repair: boolean; json: boolean }

/** Looks through the shops and prints what it finds. Answers the exit status. */
export async function runStockVerify(
  db: DatabasePool,
  { shop, repair, json }: VerifyOptions,
  print: (line: string) => void,
): Promise<0 | 1 | 2> {
  const shops = (await listInstalledShops(db)).filter(({ domain }) => shop === undefined || domain === shop)
  if (shop !== undefined && shops.length === 0) {
    print(`The app is not installed in ${shop}.`)
    return 2
  }
  let left = 0
  for (const { id, domain } of shops) {
    const found = { shop: domain, levels: 0, differences: 0, repaired: 0 }
    for (let after: number | null = 0; after !== null; ) {
      const batch = await verifyStockBatch(db, id, after, { repair })
      found.levels += batch.levels
      found.differences += batch.differences.length
      found.repaired += batch.repaired
      for (const one of batch.differences)
        print(json ? JSON.stringify({ shop: domain, ...one }) : describe(domain, one))
      after = batch.lastVariantId
    }
    left += found.differences - found.repaired
    print(json ? JSON.stringify(found) : summary(found))
  }
  return left > 0 ? 1 : 0
}

const describe = (domain: string, { sku, variantGid, locationName, quantity, ledger }: StockDifference) =>
  `${domain}: ${sku || variantGid} at ${locationName} is ${quantity}, its movements add up to ${ledger}`

const summary = (found: { shop: string; levels: number; differences: number; repaired: number }) =>
  `${found.shop}: ${found.levels} levels, ${found.differences} differences, ${found.repaired} repaired`

const say = (line: string) => void process.stdout.write(`${line}\n`)
const complain = (line: string) => void process.stderr.write(`${line}\n`)

function readOptions(): VerifyOptions {
  try {
    const { values } = parseArgs({
      options: {
        shop: { type: 'string' },
        repair: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (!values.help) return { shop: values.shop, repair: values.repair, json: values.json }
    say(help)
    process.exit(0)
  } catch (error) {
    complain(`${error instanceof Error ? error.message : error}\n\n${help}`)
    process.exit(2)
  }
}

if (import.meta.main) {
  const options = readOptions()
  const db = await openDb(readConfig(process.env, 'web'), 1)
  try {
    await requireKnownSchema(db)
    process.exitCode = await runStockVerify(db, options, say)
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
    process.exitCode = 2
  } finally {
    await db.end()
  }
}
