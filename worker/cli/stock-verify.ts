import { parseArgs } from 'node:util'
import { type DatabasePool, openDb } from '../../shared/db/db.ts'
import { requireKnownSchema } from '../../shared/db/schema-state.ts'
import { type CostDifference, verifyCostBatch } from '../../shared/domain/costs/verify.ts'
import { listInstalledShops } from '../../shared/domain/shops/shops.ts'
import { type StockDifference, verifyStockBatch } from '../../shared/domain/stock/verify.ts'
import { readConfig } from '../../shared/process.ts'

const help = `Checks that every stock level is the sum of its movements, and that every average cost is what its
movements lead to.

  npm run stock:verify                      check all shops
  npm run stock:verify -- --shop DOMAIN     check one shop
  npm run stock:verify -- --repair          add a movement of kind "repair" for each difference; levels and costs stay
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
    print(json ? JSON.stringify(totals) : summary(totals))
    const costs = await verifyCosts(db, { id, domain }, { repair, json }, print)
    unrepaired += totals.differences - totals.repaired + costs.differences - costs.repaired
  }
  return unrepaired > 0 ? 1 : 0
}

/** The same for costs. A shop without costs prints nothing. */
async function verifyCosts(
  db: DatabasePool,
  { id, domain }: { id: number; domain: string },
  { repair, json }: Pick<VerifyOptions, 'repair' | 'json'>,
  print: (line: string) => void,
) {
  const totals = { shop: domain, costs: 0, differences: 0, repaired: 0 }
  for (let after: number | null = 0; after !== null; ) {
    const batch = await verifyCostBatch(db, id, after, { repair })
    totals.costs += batch.variants
    totals.differences += batch.differences.length
    totals.repaired += batch.repaired
    for (const difference of batch.differences)
      print(json ? JSON.stringify({ shop: domain, ...difference }) : describeCost(domain, difference))
    after = batch.lastVariantId
  }
  const { costs, differences, repaired } = totals
  const text = `${domain}: ${costs} costs, ${differences} differences, ${repaired} repaired`
  if (costs > 0) print(json ? JSON.stringify(totals) : text)
  return totals
}

const describeCost = (
  domain: string,
  { sku, variantGid, averageCost, ledger, wrongMovements }: CostDifference,
) =>
  wrongMovements > 0
    ? `${domain}: ${sku || variantGid} has ${wrongMovements} cost movements that do not follow from the one before`
    : `${domain}: ${sku || variantGid} costs ${averageCost} on average, its movements lead to ${ledger}`

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
