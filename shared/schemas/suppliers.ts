import { type Static, Type } from '@sinclair/typebox'
import {
  CountryCode,
  Currency,
  choices,
  Email,
  Id,
  ListOf,
  LongText,
  Money,
  Nullable,
  Percent,
  Quantity,
  Strict,
  sortedFields,
  sortsBy,
  Text,
  Timestamp,
  Version,
} from './common.ts'

export const LeadTimeDays = Type.Integer({
  minimum: 0,
  maximum: 730,
  rule: 'must be a whole number of days from 0 to 730',
})

const OrderCycleDays = Type.Integer({
  minimum: 1,
  maximum: 365,
  rule: 'must be a whole number of days from 1 to 365',
})

/** The languages of an order's PDF and mail. */
export const DocumentLanguage = choices('en', 'de', 'fr', 'es', 'it', 'nl', 'pt')

/** The full list of the names by which the platform's products call the supplier, besides its own name. */
const Aliases = ListOf(Text(200, 1), 0, 100, 'names')

/** The fields that a merchant may set. `null` and an empty string both mean "not given". */
export const SupplierInput = Strict({
  name: Text(200, 1),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Text(50))),
  address: Type.Optional(Nullable(LongText(1000))),
  leadTimeDays: Type.Optional(Nullable(LeadTimeDays)),
  paymentTerms: Type.Optional(Nullable(Text(200))),
  notes: Type.Optional(Nullable(LongText(5000))),
  accountNumber: Type.Optional(Nullable(Text(100))),
  currency: Type.Optional(Nullable(Currency)),
  addressLine1: Type.Optional(Nullable(Text(200))),
  addressLine2: Type.Optional(Nullable(Text(200))),
  city: Type.Optional(Nullable(Text(100))),
  region: Type.Optional(Nullable(Text(100))),
  postalCode: Type.Optional(Nullable(Text(30))),
  countryCode: Type.Optional(Nullable(CountryCode)),
  taxId: Type.Optional(Nullable(Text(50))),
  minimumOrderValue: Type.Optional(Nullable(Money(2))),
  minimumOrderQuantity: Type.Optional(Nullable(Quantity)),
  freeFreightValue: Type.Optional(Nullable(Money(2))),
  orderCycleDays: Type.Optional(Nullable(OrderCycleDays)),
  defaultTaxRate: Type.Optional(Nullable(Percent)),
  language: Type.Optional(Nullable(DocumentLanguage)),
  externalRef: Type.Optional(Nullable(Text(200))),
  aliases: Type.Optional(Aliases),
})
export type SupplierInput = Static<typeof SupplierInput>

/** With `version`, the update fails with `stale_version` when another request has changed the supplier since. */
export const SupplierPatch = Strict({
  ...Type.Partial(SupplierInput).properties,
  version: Type.Optional(Version),
})
export type SupplierPatch = Static<typeof SupplierPatch>

export const SupplierContactInput = Strict({
  name: Text(200, 1),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Text(50))),
  role: Type.Optional(Nullable(Text(100))),
})
export type SupplierContactInput = Static<typeof SupplierContactInput>

/** With `version`, the update fails with `stale_version` when another request has changed the contact since. */
export const SupplierContactPatch = Strict({
  ...Type.Partial(SupplierContactInput).properties,
  version: Type.Optional(Version),
})
export type SupplierContactPatch = Static<typeof SupplierContactPatch>

export const SupplierContact = Type.Object({
  id: Id,
  supplierId: Id,
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  role: Type.String(),
  version: Type.Integer(),
})
export type SupplierContact = Static<typeof SupplierContact>

export const Supplier = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  address: Type.String(),
  leadTimeDays: Nullable(Type.Integer()),
  paymentTerms: Type.String(),
  notes: Type.String(),
  accountNumber: Type.String({ description: "The shop's number at this supplier" }),
  currency: Nullable(Type.String({ description: "ISO 4217; null: the shop's" })),
  addressLine1: Type.String(),
  addressLine2: Type.String(),
  city: Type.String(),
  region: Type.String(),
  postalCode: Type.String(),
  countryCode: Nullable(Type.String()),
  taxId: Type.String(),
  minimumOrderValue: Nullable(Type.Number({ description: "In the supplier's currency" })),
  minimumOrderQuantity: Nullable(Type.Integer({ description: 'Pieces' })),
  freeFreightValue: Nullable(
    Type.Number({ description: 'From this value on the supplier pays the freight' }),
  ),
  orderCycleDays: Nullable(Type.Integer()),
  defaultTaxRate: Nullable(Type.Number({ description: 'Percent' })),
  language: Nullable(DocumentLanguage),
  externalRef: Type.String({ description: "The supplier's id in another system" }),
  aliases: Type.Array(Type.String()),
  version: Type.Integer(),
  contacts: Type.Array(SupplierContact),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
export type Supplier = Static<typeof Supplier>

export const SupplierSort = sortsBy('name')
export type SupplierSort = Static<typeof SupplierSort>

export const SupplierFilter = Strict({
  search: Type.Optional(Text(200)),
  archived: Type.Optional(Type.Boolean({ rule: 'must be true or false' })),
  ...sortedFields(SupplierSort),
})
export type SupplierFilter = Static<typeof SupplierFilter>

export const SupplierListItem = Type.Pick(Supplier, [
  'id',
  'name',
  'email',
  'phone',
  'leadTimeDays',
  'paymentTerms',
  'accountNumber',
  'currency',
  'createdAt',
  'archivedAt',
])
export type SupplierListItem = Static<typeof SupplierListItem>

export const CreatedSupplier = Type.Pick(Supplier, ['id', 'name', 'createdAt'])
export type CreatedSupplier = Static<typeof CreatedSupplier>

export const UpdatedSupplier = Type.Pick(Supplier, ['id', 'name', 'updatedAt', 'version'])
export type UpdatedSupplier = Static<typeof UpdatedSupplier>

export const SupplierSelection = Strict({
  ids: ListOf(Id, 1, 500, 'ids of suppliers'),
})
export type SupplierSelection = Static<typeof SupplierSelection>

export const ArchivedSuppliers = Type.Object({
  archived: Type.Integer(),
  rules: Type.Integer({ description: 'Reorder rules that lost their supplier' }),
})
export type ArchivedSuppliers = Static<typeof ArchivedSuppliers>

export const RestoredSuppliers = Type.Object({ restored: Type.Integer() })
export type RestoredSuppliers = Static<typeof RestoredSuppliers>

export const SupplierContactParams = Strict({ id: Id, contactId: Id })

/** The supplier that takes over the orders, rules, products, contacts and names. */
export const SupplierMerge = Strict({ intoId: Id })
export type SupplierMerge = Static<typeof SupplierMerge>

export const MergedSupplier = Type.Object({
  id: Id,
  name: Type.String(),
  orders: Type.Integer(),
  reorderRules: Type.Integer(),
  products: Type.Integer({ description: 'Products that the surviving supplier did not have' }),
})
export type MergedSupplier = Static<typeof MergedSupplier>

/** A vendor of `names` counts as this supplier. */
const VendorName = Strict({ vendor: Text(255, 1), supplier: Text(200, 1) })

/** The supplier that is created of this vendor gets this address. */
const VendorEmail = Strict({ vendor: Text(255, 1), email: Email })

export const VendorSuppliersInput = Strict({
  dryRun: Type.Boolean({ description: 'Answers what would be created, and creates nothing' }),
  names: Type.Optional(ListOf(VendorName, 0, 1000, 'names')),
  emails: Type.Optional(
    Type.Array(VendorEmail, {
      maxItems: 1000,
      rule: 'must be a list of at most 1000 e-mail addresses',
      description: 'Of the suppliers that are created',
    }),
  ),
})
export type VendorSuppliersInput = Static<typeof VendorSuppliersInput>

export const VendorSupplier = Type.Object({
  supplierId: Nullable(Id),
  supplierName: Type.String(),
  outcome: choices('created', 'matched', 'archived'),
  vendors: Type.Array(Type.String({ description: 'The spellings in the shop; several are twins' })),
  productCount: Type.Integer(),
  newAliases: Type.Integer(),
  newProducts: Type.Integer({ description: 'Variants that the supplier gets' }),
})
export type VendorSupplier = Static<typeof VendorSupplier>

/** The counts are of what this request creates. */
export const VendorSuppliers = Type.Object({
  suppliersCreated: Type.Integer(),
  suppliersMatched: Type.Integer(),
  aliasesCreated: Type.Integer(),
  productsCreated: Type.Integer(),
  suppliers: Type.Array(VendorSupplier),
})
export type VendorSuppliers = Static<typeof VendorSuppliers>
