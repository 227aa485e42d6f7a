import { type Static, Type } from '@sinclair/typebox'
import { Email, Id, LongText, Nullable, pageFields, Strict, Text, Timestamp } from './common.ts'

const LeadTimeDays = Type.Integer({
  minimum: 0,
  maximum: 730,
  rule: 'must be a whole number of days from 0 to 730',
})

/** The fields that a merchant may set. `null` and an empty string both mean "not given". */
export const SupplierInput = Strict({
  name: Text(200, 1),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Text(50))),
  address: Type.Optional(Nullable(LongText(1000))),
  leadTimeDays: Type.Optional(Nullable(LeadTimeDays)),
  paymentTerms: Type.Optional(Nullable(Text(200))),
  notes: Type.Optional(Nullable(LongText(5000))),
})
export type SupplierInput = Static<typeof SupplierInput>

export const SupplierPatch = Type.Partial(SupplierInput)
export type SupplierPatch = Static<typeof SupplierPatch>

export const SupplierContactInput = Strict({
  name: Text(200, 1),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Text(50))),
  role: Type.Optional(Nullable(Text(100))),
})
export type SupplierContactInput = Static<typeof SupplierContactInput>

export const SupplierContactPatch = Type.Partial(SupplierContactInput)
export type SupplierContactPatch = Static<typeof SupplierContactPatch>

export const SupplierContact = Type.Object({
  id: Id,
  supplierId: Id,
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  role: Type.String(),
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
  contacts: Type.Array(SupplierContact),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Supplier = Static<typeof Supplier>

export const SupplierFilter = Strict({ search: Type.Optional(Text(200)), ...pageFields })
export type SupplierFilter = Static<typeof SupplierFilter>

export const SupplierListItem = Type.Pick(Supplier, [
  'id',
  'name',
  'phone',
  'leadTimeDays',
  'paymentTerms',
  'createdAt',
])
export type SupplierListItem = Static<typeof SupplierListItem>

export const CreatedSupplier = Type.Pick(Supplier, ['id', 'name', 'createdAt'])
export type CreatedSupplier = Static<typeof CreatedSupplier>

export const UpdatedSupplier = Type.Pick(Supplier, ['id', 'name', 'updatedAt'])
export type UpdatedSupplier = Static<typeof UpdatedSupplier>

export const SupplierContactParams = Strict({ id: Id, contactId: Id })
