import type { Static, TObject, TSchema } from '@sinclair/typebox'

/** How a cell is written: `shared/csv-list.ts`. */
export type CsvKind = 'plain' | 'instant' | 'yesNo' | 'words' | 'share' | 'user' | 'amount'

/** A column of a list as CSV, for people. */
export type CsvColumn = {
  key: string
  /** Plain English. Of an instant or an amount of the shop, the file adds time zone or currency. */
  heading: string
  kind: CsvKind
  /** The words of a fixed list of values; without one, `in_transit` is "In transit". */
  words?: Readonly<Record<string, string>>
  /** A field of the answer around the rows. */
  isOfAnswer?: true
}

/** Only for values that the list has. */
type WordsOf<Value> = { readonly [V in Extract<Value, string>]?: string }

type Options<T extends TObject, A extends TObject> = {
  /** The first columns in their order, each with its heading; `true` is the usual one. The other fields follow, ids at the end. */
  first?: { [F in keyof Static<T> & string]?: string | true }
  /** Headings that differ from the usual ones, of fields that keep their place. */
  headings?: { [F in keyof Static<T> & string]?: string }
  without?: readonly (keyof Static<T> & string)[]
  /** Further fields for programs, which come at the end with the ids. */
  last?: readonly (keyof Static<T> & string)[]
  /** Amounts in the shop's currency of a list whose rows have a currency of their own. */
  inShopCurrency?: readonly (keyof Static<T> & string)[]
  /** Further amounts of this list. */
  amounts?: readonly (keyof Static<T> & string)[]
  words?: { [F in keyof Static<T> & string]?: WordsOf<Static<T>[F]> }
  /** Fields of the answer that each row repeats. */
  answer?: { of: A; fields: { [F in keyof Static<A> & string]?: string | true } }
}

/**
 * The columns of a list for people: what names the row first (SKU, or the number of a document), then `first`, then the other fields
 * in the order of the schema, and ids in the last columns. A new field of the schema is a new column without another line of code.
 */
export function csvColumns<T extends TObject, A extends TObject = TObject>(
  schema: T,
  {
    first = {},
    headings: given = {},
    without = [],
    last = [],
    inShopCurrency = [],
    amounts = [],
    words = {},
    answer,
  }: Options<T, A> = {},
): readonly CsvColumn[] {
  const fields = Object.keys(schema.properties)
  const wordsOf = words as Record<string, Readonly<Record<string, string>> | undefined>
  const ownHeadings: Record<string, string | true | undefined> = { ...first, ...given }
  const hasCurrency = 'currency' in schema.properties || 'currency' in (answer?.fields ?? {})
  const isOmitted = (key: string) =>
    (without as readonly string[]).includes(key) || holdsObjects(schema.properties[key])
  const columnOf = (key: string): CsvColumn => {
    const kind = kindOf(key, schema.properties[key], amounts)
    const isOfShop =
      kind === 'amount' && (!hasCurrency || (inShopCurrency as readonly string[]).includes(key))
    const own = ownHeadings[key]
    return {
      key,
      heading: typeof own === 'string' ? own : headingOf(key),
      kind: kind === 'amount' && !isOfShop ? 'plain' : kind,
      ...(wordsOf[key] && { words: wordsOf[key] }),
    }
  }
  const listed = Object.keys(first)
  const rest = fields.filter((key) => !listed.includes(key))
  const naming = nameFields.filter((key) => rest.includes(key))
  const places = (key: string) => (isId(key) || (last as readonly string[]).includes(key)) && !(key in first)
  const middle = rest.filter((key) => !places(key) && !naming.includes(key))
  const ids = rest.filter(places)
  const ofAnswer = Object.entries(answer?.fields ?? {}).map(
    ([key, own]): CsvColumn => ({
      key,
      heading: typeof own === 'string' ? own : headingOf(key),
      kind: kindOf(key, answer?.of.properties[key], []),
      isOfAnswer: true,
    }),
  )
  const columns = (keys: readonly string[]) => keys.filter((key) => !isOmitted(key)).map(columnOf)
  return [...columns([...naming, ...listed, ...middle]), ...ofAnswer, ...columns(ids)]
}

/** The fields that name a row; they are the first columns. */
const nameFields = ['sku', 'title', 'number', 'poNumber', 'name', 'supplierName']

const isId = (key: string) => key === 'id' || key.endsWith('Id')

const amountFields = new Set(
  `price unitPrice costPrice unitCost landedUnitCost lastCost cost margin revenue lostRevenue spend credits value
  total subtotal discount tax lineTotal receivedValue orderedValue arrivingValue forecastNeed budget openToBuy creditAmount errorValue
  varianceValue valueAdded valueRemoved averageBefore averageAfter supplierMinimumValue`.split(/\s+/),
)
const shareFields = new Set(['share', 'cumulativeShare', 'wape', 'accuracy', 'accuracyByValue'])
const userFields = new Set([
  'actor',
  'createdBy',
  'postedBy',
  'reversedBy',
  'closedBy',
  'cancelledBy',
  'shippedBy',
])

function kindOf(key: string, schema: TSchema | undefined, amounts: readonly string[]): CsvKind {
  if (amountFields.has(key) || amounts.includes(key)) return 'amount'
  if (shareFields.has(key)) return 'share'
  if (userFields.has(key)) return 'user'
  if (key === 'method') return 'words'
  const types = variantsOf(schema)
  if (types.some(({ format }) => format === 'date-time')) return 'instant'
  if (types.some(({ type }) => type === 'boolean')) return 'yesNo'
  return types.some((each) => each.const !== undefined) ? 'words' : 'plain'
}

/** The alternatives of a nullable field or of a fixed list of values. */
const variantsOf = (schema: TSchema | undefined): TSchema[] => {
  const alternatives: TSchema[] | undefined = schema?.anyOf
  return alternatives ? alternatives.flatMap(variantsOf) : schema ? [schema] : []
}

const holdsObjects = (schema: TSchema | undefined): boolean =>
  variantsOf(schema).some(
    ({ type, items }) => type === 'object' || (type === 'array' && items?.type === 'object'),
  )

/** The headings that differ from the words of the field's name. */
const headings: Readonly<Record<string, string>> = {
  id: 'ID',
  sku: 'SKU',
  title: 'Product',
  poNumber: 'Order',
  supplierSku: 'Supplier SKU',
  supplierName: 'Supplier',
  locationName: 'Location',
  sourceLocationName: 'From',
  destinationLocationName: 'To',
  state: 'Status',
  actor: 'User',
  createdBy: 'Created by',
  currentStock: 'Available',
  onTheWay: 'Incoming',
  pendingQuantity: 'Pending sync',
  previousQuantity: 'Before',
  newQuantity: 'After',
  delta: 'Change',
  referenceName: 'Document',
  reference: 'Document reference',
  kind: 'Type',
  accountNumber: 'Account number',
  avgDailySales: 'Daily sales',
  daysOfStockRemaining: 'Days of stock left',
  periodDays: 'Days of the period',
  share: 'Share (%)',
  cumulativeShare: 'Cumulative share (%)',
  wape: 'Forecast error (%)',
  accuracy: 'Accuracy (%)',
  accuracyByValue: 'Accuracy by value (%)',
  abcClass: 'Class',
  gapOn: 'Runs out on',
  stockoutDate: 'Runs out on',
  orderByDate: 'Order by',
  inTimePosition: 'Available and arriving in time',
  gapUntil: 'In stock again on',
  arrivingInGap: 'Arriving after it runs out',
  lateOnOrder: 'Arriving too late',
  isRecount: 'In recount',
  itemCount: 'Products',
  lineItemCount: 'Lines',
  lineCount: 'Lines',
  orderCount: 'Orders',
  countCount: 'Counts',
  adjustmentCount: 'Adjustments',
  uncostedQuantity: 'Pieces without cost',
  uncostedPieces: 'Pieces without cost',
  uncostedUnits: 'Units without cost',
  uncostedItemCount: 'Products without cost',
  supplierMinimumValue: "Supplier's minimum value",
  supplierMinimumQuantity: "Supplier's minimum quantity",
  leadTimeDaysMean: 'Mean lead time (days)',
  statedLeadTimeDays: 'Stated lead time (days)',
  costPrice: 'Unit cost',
  sourceNumber: 'Earlier number',
  packBarcode: 'Pack barcode',
}

/** `leadTimeDays` is "Lead time (days)", `onTimePercent` "On time (%)", `createdAt` "Created", `variantId` "Variant ID". */
function headingOf(key: string): string {
  const known = headings[key]
  if (known !== undefined) return known
  const words = key
    .replace(/(?<=\w)(At|On)$/, '')
    .replace(/^is(?=[A-Z])/, '')
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .trim()
    .replace(/ percent$/, ' (%)')
    .replace(/ days$/, ' (days)')
    .replace(/ id$/, ' ID')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
