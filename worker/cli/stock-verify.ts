import { parseArgs } from 'node:util'
import { loadConfig } from '../../shared/config.ts'
import { type DatabasePool, openDb } from '../../shared/db/db.ts'
import { requireKnownSchema } from '../../shared/db/schema-state.ts'
import { type CostDifference, verifyCostBatch } from '../../shared/domain/ledgers/costs/verify.ts'
import { type StockDifference, verifyStockBatch } from '../../shared/domain/ledgers/stock/verify.ts'
import { listInstalledShops } from '../../shared/domain/records/shops/shops.ts'

const help = `Checks that every stock level is the sum of its movements, and that every average cost is what its
movements lead to.

  npm run stock:verify                      check all shops
  npm run stock:verify -- --shop DOMAIN     check one shop
  npm run stock:verify -- --repair          add a movement of kind "repair" for each difference; levels and costs stay
  npm run stock:verify -- --json            print one JSON object per line, for scripts

Exit status: 0 when there are no differences or all are repaired, 1 when there are differences, 2 when
the check could not run.`

type VerifyOptions = { shop: string | undefined; repair: boolean; json: boolean }
type Output = { print: (line: string) => void; printError: (line: string) => void }

/** Runs the command with the arguments after `npm run stock:verify --`. Returns the exit status, and never throws. */
export async function runStockVerify(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { print, printError }: Output,
): Promise<0 | 1 | 2> {
  try {
    const options = readOptions(argv)
    if (!options) {
      print(help)
      return 0
    }
    const db = await openDb(loadConfig(env), 1)
    try {
      await requireKnownSchema(db)
      return await verifyShops(db, options, print)
    } finally {
      await db.end()
    }
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error))
    return 2
  }
}

/** Returns undefined when the help is asked for. Throws for an unknown option, with the help. */
function readOptions(argv: readonly string[]): VerifyOptions | undefined {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        shop: { type: 'string' },
        repair: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return values.help ? undefined : { shop: values.shop, repair: values.repair, json: values.json }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}

/** Checks the shops and prints the differences. Returns the exit status. */
async function verifyShops(
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
    const printDifference = (difference: object, text: string) =>
      print(json ? JSON.stringify({ shop: domain, ...difference }) : text)
    const levels = await verifyBatches(
      async (after) => {
        const { levels, ...batch } = await verifyStockBatch(db, id, after, { repair })
        return { ...batch, checked: levels }
      },
      (difference) => printDifference(difference, describeLevel(domain, difference)),
    )
    print(summary(domain, 'levels', levels, json))
    const costs = await verifyBatches(
      async (after) => {
        const { variants, ...batch } = await verifyCostBatch(db, id, after, { repair })
        return { ...batch, checked: variants }
      },
      (difference) => printDifference(difference, describeCost(domain, difference)),
    )
    if (costs.checked > 0) print(summary(domain, 'costs', costs, json))
    unrepaired += levels.differences - levels.repaired + costs.differences - costs.repaired
  }
  return unrepaired > 0 ? 1 : 0
}

type Totals = { checked: number; differences: number; repaired: number }
type Batch<Difference> = {
  checked: number
  differences: readonly Difference[]
  repaired: number
  lastVariantId: number | null
}

/** Checks one batch after the other until the last, and returns the sums. */
async function verifyBatches<Difference>(
  verify: (afterVariantId: number) => Promise<Batch<Difference>>,
  onDifference: (difference: Difference) => void,
): Promise<Totals> {
  const totals = { checked: 0, differences: 0, repaired: 0 }
  for (let after: number | null = 0; after !== null; ) {
    const batch: Batch<Difference> = await verify(after)
    totals.checked += batch.checked
    totals.differences += batch.differences.length
    totals.repaired += batch.repaired
    for (const difference of batch.differences) onDifference(difference)
    after = batch.lastVariantId
  }
  return totals
}

const describeCost = (
  domain: string,
  { sku, variantGid, averageCost, ledger, wrongMovements }: CostDifference,
) =>
  wrongMovements > 0
    ? `${domain}: ${sku || variantGid} has ${wrongMovements} cost movements that do not follow from the one before`
    : `${domain}: ${sku || variantGid} costs ${averageCost} on average, its movements lead to ${ledger}`

const describeLevel = (
  domain: string,
  { sku, variantGid, locationName, quantity, ledger }: StockDifference,
) => `${domain}: ${sku || variantGid} at ${locationName} is ${quantity}, its movements add up to ${ledger}`

function summary(shop: string, what: 'levels' | 'costs', totals: Totals, json: boolean): string {
  const { checked, differences, repaired } = totals
  if (json) return JSON.stringify({ shop, [what]: checked, differences, repaired })
  return `${shop}: ${checked} ${what}, ${differences} differences, ${repaired} repaired`
}

if (import.meta.main) {
  process.exitCode = await runStockVerify(process.argv.slice(2), process.env, {
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
  })
}
