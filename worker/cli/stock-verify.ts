import { parseArgs } from 'node:util'
import { type DatabasePool, openDb } from '../../shared/db/db.ts'
import { requireKnownSchema } from '../../shared/db/schema-state.ts'
import { listInstalledShops } from '../../shared/domain/shops/shops.ts'
import { type StockDifference, verifyStockBatch } from '../../shared/domain/stock/verify.ts'
import { readConfig } from '../../shared/process.ts'

const help = `Checks that every stock level is the sum of its movements.

  npm run stock:verify                      check all shops
  npm run stock:verify -- --shop DOMAIN     check one shop
  npm run stock:verify -- --repair          add a movement of kind "repair" for each difference; levels stay
  npm run stock:verify -- --json            print one JSON object per line, for scripts

Exit status: 0 when there are no differences or all are repaired, 1 when there are differences, 2 when
the check could not run.`

type VerifyOptions = { shop: string | undefined; repair: boolean; json: boolean }

/** Checks the shops and prints the differences. Returns the exit status. */
async function runStockVerify(
  db: DatabasePool,
  { shop, repair, json }: VerifyOptions,
  print: (line: string) => void,
): Promise<0 | 1 | 2> {
  const shops = (await listInstalledShops(db)).filter(({ domain }) => shop === undefined || domain === shop)
  if (shop !== undefined && shops.length === 0) {
    print(`The app is not installed in ${shop}.`)
    return 2
  }
  let unrepaired = 0
  for (const { id, domain } of shops) {
    const totals = { shop: domain, levels: 0, differences: 0, repaired: 0 }
    for (let after: number | null = 0; after !== null; ) {
      const batch = await verifyStockBatch(db, id, after, { repair })
      totals.levels += batch.levels
      totals.differences += batch.differences.length
      totals.repaired += batch.repaired
      for (const difference of batch.differences)
        print(json ? JSON.stringify({ shop: domain, ...difference }) : describe(domain, difference))
      after = batch.lastVariantId
    }
    unrepaired += totals.differences - totals.repaired
    print(json ? JSON.stringify(totals) : summary(totals))
  }
  return unrepaired > 0 ? 1 : 0
}

const describe = (domain: string, { sku, variantGid, locationName, quantity, ledger }: StockDifference) =>
  `${domain}: ${sku || variantGid} at ${locationName} is ${quantity}, its movements add up to ${ledger}`

const summary = (totals: { shop: string; levels: number; differences: number; repaired: number }) =>
  `${totals.shop}: ${totals.levels} levels, ${totals.differences} differences, ${totals.repaired} repaired`

const print = (line: string) => void process.stdout.write(`${line}\n`)
const printError = (line: string) => void process.stderr.write(`${line}\n`)

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
    print(help)
    process.exit(0)
  } catch (error) {
    printError(`${error instanceof Error ? error.message : error}\n\n${help}`)
    process.exit(2)
  }
}

if (import.meta.main) {
  const options = readOptions()
  const db = await openDb(readConfig(process.env, 'web'), 1)
  try {
    await requireKnownSchema(db)
    process.exitCode = await runStockVerify(db, options, print)
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error))
    process.exitCode = 2
  } finally {
    await db.end()
  }
}
