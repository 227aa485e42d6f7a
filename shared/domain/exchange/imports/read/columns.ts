/*
 * The names of columns, by kind of import and field. They match in lower case without spaces and punctuation, so "Vendor/
 * Supplier" is `vendorsupplier`. A new alias is one word in one line; a column belongs to the first field that has it.
 */

import { productColumnNames } from '../../../kit/csv/product-names.ts'
import { plainName } from '../../../kit/csv/rows.ts'
import { ruleColumnNames } from '../../../planning/reorder/import-columns.ts'
import { ownListOf } from './own-lists.ts'

export const fileNameColumn = 'File name'

/** The fields by which a row names its product. */
export const productFields = Object.keys(productColumnNames)

export const aliases = {
  purchase_orders: {
    orderId: 'purchaseorderid orderid poid id',
    number:
      'no number ponumber po pono purchaseorder purchaseordernumber ordernumber order reference referencenumber sequentialid',
    fileName: 'filename',
    supplierId: 'supplierid vendorid',
    supplier: 'vendorsupplier supplier vendor suppliername vendorname',
    status: 'status state orderstatus postatus',
    archived: 'archived isarchived',
    orderedAt: 'podate orderedat orderdate dateordered orderedon ordered date sentat purchasedate',
    createdAt: 'generatedat createdat datecreated creationdate created createddate',
    expectedAt: 'expecteddate expectedon expectedat expected eta duedate arrivaldate expectedarrival',
    paymentDueOn: 'paymentdue paymentdueon paymentduedate',
    paidAt: 'paid paidat paidon ispaid paiddate',
    invoiceNumber: 'invoiceno invoicenumber invoice',
    invoiceDate: 'invoicedate',
    currency: 'currency currencycode suppliercurrency',
    location:
      'receivelocation location warehouse shiptolocation destination destinationlocation receivelocationname locationname shopifyreceivelocationid receivelocationid',
    notes: 'notes note comments comment',
    supplierReference: 'supplierref supplierreference supplierorderno',
    ...productColumnNames,
    lineId: 'lineitemid lineid itemid id',
    supplierSku: 'suppliersku suppliercode stockcode vendorsku vendorproductcode supplierproductcode',
    title: 'title producttitle product productname itemdescription description name',
    quantity:
      'qtyordered quantityordered orderedquantity orderquantity quantity qty replenishment orderedqty',
    received: 'received receivedquantity quantityreceived qtyreceived receivedqty',
    lineStatus: 'linestatus itemstatus',
    receivedAt: 'receivedat receiveddate datereceived receivedon',
    baseCost: 'costbase basecost unitcostbase',
    supplierCost: 'suppliercostprice suppliercost vendorcost',
    cost: 'cost costprice unitcost price unitprice purchaseprice',
    taxRate: 'tax taxrate taxpercent vat vatrate',
    discountPercent: 'discount discountpercent',
    total: 'totalcost total ordertotal totalcostbase totalamount amount',
    shipping: 'shipping shippingcost shippingtotal freight',
    adjustments: 'adjustments adjustment adjustmenttotal',
    packSize: 'packsize casesize',
    rate: 'exchangerate',
    supplierNotes: 'suppliernotes notestothesupplier',
    copies: 'copiesto cc',
    sourceNumber: 'earliernumber oldnumber',
    // only in our own export, where they are mapped by list (`own-lists.ts`)
    sentAt: '',
    arrivedAt: '',
    closedAt: '',
    closedBy: '',
    cancelledAt: '',
    cancelledBy: '',
    ownReference: '',
    revision: '',
    discountAmount: '',
    taxAmount: '',
    isOwnTax: '',
    isArrivalKnown: '',
    line: '',
    lineTitle: '',
    cancelled: '',
    credited: '',
    roundedUpBy: '',
    chargeKind: '',
    chargeAmount: '',
    chargeBasis: '',
    chargeLines: '',
    chargeShares: '',
    isEstimate: '',
    receipt: '',
    receiptState: '',
    reversedAt: '',
    deliveryNote: '',
    accepted: '',
    rejected: '',
    rejectReason: '',
    rejectOutcome: '',
  },
  suppliers: {
    externalRef: 'supplierid vendorid externalreference externalref id',
    name: 'name suppliername vendorname supplier vendor vendorsupplier companyname company',
    companyName: 'companyname company',
    email: 'email supplieremail orderemail emailaddress',
    contactName: 'contactname contact contactperson',
    contactEmail: 'contactemail',
    contactPhone: 'contactphone',
    contactRole: 'contactrole',
    alias: 'alias aliases vendoralias',
    phone: 'phone telephone phonenumber tel',
    accountNumber: 'accountnumber account accountno customernumber',
    addressLine1: 'address1 addressline1 address street',
    addressLine2: 'address2 addressline2',
    city: 'city town',
    region: 'provincecode province region state county',
    postalCode: 'zip postalcode postcode zipcode',
    countryCode: 'countrycode country countryname',
    currency: 'currency currencycode',
    taxId: 'taxid vatnumber taxnumber vatid',
    leadTimeDays: 'leadtime leadtimedays leadtimeindays',
    minimumOrderValue: 'minimumordervalue minimumorder minordervalue',
    minimumOrderQuantity: 'minimumorderquantity minorderquantity',
    freeFreightValue: 'freefreightfrom freefreight freeshippingfrom',
    orderCycleDays: 'ordercycledays ordercycle',
    defaultTaxRate: 'taxrate defaulttaxrate',
    language: 'language',
    address: '',
    paymentTerms: 'paymentterms terms',
    notes: 'notes note comments',
    isHidden: 'ishidden hidden archived isarchived',
  },
  supplier_products: {
    supplierId: 'supplierid vendorid',
    supplier: 'vendorsupplier supplier vendor suppliername vendorname',
    ...productColumnNames,
    title: 'title producttitle product productname name varianttitle',
    supplierSku: 'suppliersku suppliercode stockcode vendorsku vendorproductcode supplierproductcode',
    supplierTitle: 'supplierstitle suppliertitle supplierproductname',
    packSize: 'packsize casesize',
    packBarcode: 'packbarcode casebarcode',
    minimumQuantity: 'minimumquantity minimumorderquantity moq minquantity',
    quantityMultiple: 'quantitymultiple multiple',
    leadTimeDays: 'leadtime leadtimedays leadtimeindays',
    rank: 'rank priority',
    isActive: 'active isactive',
    fromQuantity: 'fromquantity breakquantity',
    price: 'suppliercostprice suppliercost supplierprice price costprice unitcost cost purchaseprice',
    currency: 'currency currencycode suppliercurrency',
    validFrom: 'validfrom',
    validTo: 'validto',
    source: '',
  },
  reorder_rules: ruleColumnNames,
  adjustments: {
    adjustmentId: 'stockadjustmentid adjustmentid id',
    ...productColumnNames,
    title: 'title producttitle product productname name varianttitle variant',
    location: 'location locationname warehouse',
    adjustedAt: 'adjustedat adjustedon adjustmentdate date createdat',
    quantity: 'quantity adjustment quantityadjusted delta change qty',
    previousQuantity: 'previousquantity quantitybefore before',
    newQuantity: 'newquantity quantityafter after',
    reason: 'reason adjustmentreason',
    notes: 'notes note comments comment',
  },
  costs: {
    ...productColumnNames,
    title: 'title producttitle product productname name varianttitle',
    cost: 'averagecost avgcost movingaverage averagecostprice costprice unitcost cost costperitem',
  },
  stock_counts: {
    ...productColumnNames,
    title: 'title producttitle product productname name varianttitle',
    countName: 'stocktake stocktakename countname stocktakeid countid',
    fileName: 'filename',
    location: 'location locationname warehouse',
    countedAt: 'date countedat stocktakedate completedat completedon countdate',
    expected: 'expectedstock expected expectedquantity systemstock previousquantity',
    counted: 'actualstock actual counted countedquantity actualquantity count newquantity',
    cost: 'costprice unitcost cost',
  },
} as const satisfies Record<string, Record<string, string>>

export type SheetKind = keyof typeof aliases
export const sheetKinds = Object.keys(aliases) as SheetKind[]

const wordsOf = (kind: SheetKind): [field: string, words: string[]][] =>
  Object.entries(aliases[kind]).map(([field, words]) => [field, words.split(' ').filter(Boolean)])

const knownNames = new Set(sheetKinds.flatMap((kind) => wordsOf(kind).flatMap(([, words]) => words)))

/** How many cells of a row are names of columns. */
export const countKnownNames = (cells: readonly string[]) =>
  cells.filter((cell) => knownNames.has(plainName(cell))).length

export const fieldsOf = (kind: SheetKind): string[] => Object.keys(aliases[kind])

/**
 * The field of each column, null where none fits. A field takes the column of its first alias that the file has; a list of our
 * own export has its own mapping.
 */
export function guessFields(kind: SheetKind, columns: readonly string[], name = ''): (string | null)[] {
  const own = ownListOf(name, columns)
  if (own?.kind === kind) return columns.map((column) => own.fields[column] ?? null)
  const names = columns.map(plainName)
  const fields: (string | null)[] = columns.map(() => null)
  for (const [field, words] of wordsOf(kind)) {
    const at = words
      .map((word) => names.findIndex((name, place) => name === word && fields[place] === null))
      .find((place) => place !== -1)
    if (at !== undefined) fields[at] = field
  }
  return kind === 'purchase_orders' ? withLineIds(names, fields) : fields
}

/** In a table of lines that has a number of the order and a plain `id`, the id is that of the line. */
function withLineIds(names: readonly string[], fields: (string | null)[]): (string | null)[] {
  const isOfLines = fields.includes('quantity') && fields.includes('number') && !fields.includes('lineId')
  return isOfLines
    ? fields.map((field, at) => (field === 'orderId' && names[at] === 'id' ? 'lineId' : field))
    : fields
}
