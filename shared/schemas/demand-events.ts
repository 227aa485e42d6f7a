import { Kind, type Static, type TSchema, Type } from '@sinclair/typebox'
import {
  CalendarDay,
  choices,
  Day,
  Gid,
  Id,
  Nullable,
  pageFields,
  Strict,
  Text,
  Timestamp,
  Version,
} from './common.ts'

/**
 * `event`: the demand of its days differs. `growth`: the demand changes from a day on, and the standard error with it. Before a
 * forecast is computed, the sales of these days are divided by the factor.
 */
export const DemandEventKind = choices('event', 'growth')
export const DemandEventScope = choices('shop', 'product_type', 'vendor', 'variant')
export type DemandEventScope = Static<typeof DemandEventScope>

const Factor = Type.Unsafe<number>({
  [Kind]: 'Decimal',
  type: 'number',
  decimals: 4,
  minimum: 0,
  maximum: 100,
  rule: 'must be a number from 0 to 100 with at most 4 decimals',
  description: 'Of an event: its demand by the usual demand; 2 is twice as much, 0 is none',
})
const GrowthPercent = Type.Unsafe<number>({
  [Kind]: 'Decimal',
  type: 'number',
  decimals: 2,
  minimum: -100,
  maximum: 1000,
  rule: 'must be a percentage from -100 to 1000 with at most 2 decimals',
  description: 'Of growth: 10 is a tenth more than the forecast would be',
})

/** A field that another kind or scope leaves out: null comes first, so an example of a body leaves it out too. */
const Unused = <T extends TSchema>(schema: T) => Type.Union([Type.Null(), schema], { rule: schema.rule })

/**
 * An event needs `endsOn` and `factor`, growth needs `growthPercent`. The scopes `product_type` and `vendor` need
 * `scopeValue`, and `variant` needs `variantId`.
 */
export const DemandEventInput = Strict({
  name: Text(80, 1),
  kind: DemandEventKind,
  scope: DemandEventScope,
  scopeValue: Type.Optional(Unused(Text(255))),
  variantId: Type.Optional(Unused(Gid('ProductVariant'))),
  startsOn: CalendarDay,
  endsOn: Type.Optional(Nullable(CalendarDay)),
  factor: Type.Optional(Nullable(Factor)),
  growthPercent: Type.Optional(Unused(GrowthPercent)),
})
export type DemandEventInput = Static<typeof DemandEventInput>

/** With `version`, the update fails with `stale_version` when another request has changed the event since. */
export const DemandEventPatch = Type.Composite(
  [Type.Partial(DemandEventInput), Type.Object({ version: Type.Optional(Version) })],
  { additionalProperties: false },
)
export type DemandEventPatch = Static<typeof DemandEventPatch>

export const DemandEventFilter = Strict(pageFields)
export type DemandEventFilter = Static<typeof DemandEventFilter>

export const DemandEventRecord = Type.Object({
  id: Id,
  name: Type.String(),
  kind: DemandEventKind,
  scope: DemandEventScope,
  scopeValue: Nullable(Type.String({ description: 'The product type or the vendor' })),
  variantId: Nullable(Gid('ProductVariant')),
  variantTitle: Nullable(Type.String()),
  startsOn: Day,
  endsOn: Nullable(Day),
  factor: Nullable(Type.Number({ description: 'Of an event' })),
  growthPercent: Nullable(Type.Number({ description: 'Of growth' })),
  version: Type.Integer(),
  createdBy: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type DemandEventRecord = Static<typeof DemandEventRecord>
