import { Type } from '@sinclair/typebox'
import fastJsonStringify from 'fast-json-stringify'
import t from 'tap'
import { withoutUnions } from '../../../api/http/serialization.ts'
import { choices, Nullable } from '../../../shared/schemas/common.ts'

t.test('a response is the same text without unions', async (t) => {
  const fields = {
    status: choices('draft', 'sent'),
    kind: Nullable(choices('set', 'count')),
    notes: Nullable(Type.String()),
    name: Type.String(),
    count: Nullable(Type.Integer()),
    value: Nullable(Type.Number()),
    isRead: Nullable(Type.Boolean()),
    supplier: Nullable(Type.Object({ id: Type.Integer(), city: Nullable(Type.String()) })),
    lines: Type.Array(Type.Object({ dpi: Type.Union([Type.Literal(203), Type.Literal(300)]) })),
    tags: Nullable(Type.Array(Type.String())),
  }
  const schema = Type.Object(fields)
  const empty = { status: 'draft', kind: null, notes: null, name: '', count: null, value: null, isRead: null }
  const full = {
    status: 'sent',
    kind: 'set',
    notes: 'a "b"\n\u2028',
    name: 'Ł',
    count: 0,
    value: -0.25,
    isRead: false,
  }
  const values = [
    { ...empty, supplier: null, lines: [], tags: null },
    { ...full, supplier: { id: 1, city: null }, lines: [{ dpi: 203 }, { dpi: 300 }], tags: ['a', 'b'] },
    { ...full, supplier: { id: 2, city: 'Köln' }, lines: [{ dpi: 300 }], tags: [] },
  ]
  const compiled = fastJsonStringify(withoutUnions(schema))
  const original = fastJsonStringify(schema)
  for (const value of values) {
    t.equal(compiled(value), JSON.stringify(value))
    t.equal(compiled(value), original(value))
  }
  t.notMatch(JSON.stringify(withoutUnions(schema)), '"anyOf"')
  t.notMatch(compiled({ ...values[0], secret: 'text' }), 'secret', 'a field without a schema is not written')
})

t.test('a response without a required field is refused', async (t) => {
  const compiled = fastJsonStringify(withoutUnions(Type.Object({ notes: Nullable(Type.String()) })))
  t.throws(() => compiled({}), /"notes" is required/)
})

t.test('a union of two kinds of objects stays one', async (t) => {
  const either = Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])
  const compiled = fastJsonStringify(withoutUnions(Type.Object({ either })))
  for (const value of [{ either: { a: 'x' } }, { either: { b: 'y' } }]) {
    t.equal(compiled(value), JSON.stringify(value))
  }
})
