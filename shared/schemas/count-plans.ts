import { type Static, Type } from '@sinclair/typebox'
import {
  CalendarDay,
  choices,
  Day,
  Gid,
  Id,
  Nullable,
  pageFields,
  Strict,
  Timestamp,
  Whole,
} from './common.ts'
import { AbcClass } from './reports.ts'

const everyDays = Type.Integer({
  minimum: 1,
  maximum: 366,
  rule: 'must be a whole number from 1 to 366',
  description: 'Days between two counts',
})

const planFields = {
  locationId: Gid('Location'),
  everyDays,
  abcClass: Type.Optional(Nullable(AbcClass)),
  blind: Type.Optional(Type.Boolean()),
  maxItems: Type.Optional(Nullable(Whole(1, 10_000))),
  nextOn: Type.Optional(CalendarDay),
}

/** Without `nextOn`, the first count is made in the next night. */
export const CountPlanInput = Strict(planFields)
export type CountPlanInput = Static<typeof CountPlanInput>

export const CountPlanPatch = Type.Partial(CountPlanInput)
export type CountPlanPatch = Static<typeof CountPlanPatch>

export const CountPlanFilter = Strict(pageFields)
export type CountPlanFilter = Static<typeof CountPlanFilter>

export const CountPlan = Type.Object({
  id: Id,
  locationId: Type.String(),
  locationName: Type.String(),
  abcClass: Nullable(AbcClass),
  everyDays: Type.Integer(),
  blind: Type.Boolean(),
  maxItems: Nullable(
    Type.Integer({ description: 'Products of a count, those that were counted longest ago; null: all' }),
  ),
  nextOn: Type.Unsafe<string>({
    ...Day,
    description: 'The worker makes the next count in the night of this day',
  }),
  problem: Type.Unsafe<'nothing_to_count' | 'unknown_location' | null>({
    ...Nullable(choices('nothing_to_count', 'unknown_location')),
    description: 'Why the last due night made no count',
  }),
  openCountId: Nullable(
    Type.Unsafe<number>({ ...Id, description: 'Its count that is not submitted; the next one waits for it' }),
  ),
  createdBy: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type CountPlan = Static<typeof CountPlan>
