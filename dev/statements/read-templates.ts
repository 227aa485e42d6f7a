import { parseSync } from 'vite'

/** The name of a table or column that only the running code knows. */
export const unknownName = 'unknown_name'

/** An expression in a template: `shop` is the shop's id or ids; `unknown` may be any piece of SQL. */
export type Interpolation =
  | { kind: 'shop' }
  | { kind: 'value' }
  | { kind: 'identifier'; name: string }
  | { kind: 'unknown' }

/** A template with SQL: text and interpolations in turn, beginning with text. */
export type Template = {
  file: string
  line: number
  isFragment: boolean
  parts: readonly (string | Interpolation)[]
}

type Node = { type: string; start: number; end: number; [key: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The templates of a file of TypeScript, also those inside other templates. */
export function readTemplates(file: string, code: string): Template[] {
  if (!/[\w)]`/.test(code)) return []
  const program = parseSync(file, code).program as unknown as Node
  const templates: Node[] = []
  const names = new Map<string, Node[]>()
  visit(program, (node) => {
    if (isTemplate(node)) templates.push(node)
    const { id, init } = node
    if (node.type === 'VariableDeclarator' && isNode(id) && isNode(init)) {
      const name = String(id.name)
      names.set(name, [...(names.get(name) ?? []), init])
    }
  })
  // a name with two meanings in the file has no known one
  const pieces = new Map(
    [...names].flatMap(([name, [init, ...others]]) =>
      init && others.length === 0 && isPiece(init) ? [[name, init] as const] : [],
    ),
  )
  const isShopNumber = !/\bshopIds?: (Fragment|ReturnType)/.test(code)
  return templates.map((node) => ({
    file,
    line: code.slice(0, node.start).split('\n').length,
    isFragment: isFragment(node),
    parts: partsOf(node, { code, pieces, isShopNumber }),
  }))
}

/**
 * `pieces`: the constants of the file that hold a fragment or the name of a table or column. `isShopNumber`: no `shopId` of the
 * file is SQL.
 */
type Source = { code: string; pieces: ReadonlyMap<string, Node>; isShopNumber: boolean }

const isPiece = (init: Node) =>
  (isTemplate(init) && isFragment(init)) ||
  (init.type === 'CallExpression' && tagOf(init.callee) === 'identifier')

function visit(value: unknown, use: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, use)
  if (!isNode(value)) return
  use(value)
  for (const key in value) if (typeof value[key] === 'object') visit(value[key], use)
}

/** sql.fragment`…`, sql.type(…)`…`, sql.typeAlias(…)`…` and tags that wrap sql.fragment, as text`…` of the exports. */
const isTemplate = (node: Node) =>
  node.type === 'TaggedTemplateExpression' && (isFragment(node) || /^(type|typeAlias)$/.test(tagOf(node.tag)))

/** The tags whose templates are not SQL. A new one fails in the parser of Postgres until it is added. */
const otherTags = new Set(['html'])

const isFragment = (node: Node) =>
  tagOf(node.tag) === 'fragment' ||
  (node.type === 'TaggedTemplateExpression' &&
    isNode(node.tag) &&
    node.tag.type === 'Identifier' &&
    !otherTags.has(String(node.tag.name)))

/** The name after `sql.`; an empty string for other expressions. */
function tagOf(tag: unknown): string {
  if (!isNode(tag)) return ''
  if (tag.type === 'CallExpression') return tagOf(tag.callee)
  if (tag.type !== 'MemberExpression' || !isNode(tag.object) || !isNode(tag.property)) return ''
  return tag.object.name === 'sql' ? String(tag.property.name) : ''
}

function partsOf(node: Node, source: Source): (string | Interpolation)[] {
  const { quasis, expressions } = node.quasi as { quasis: { value: { raw: string } }[]; expressions: Node[] }
  return quasis.flatMap(({ value }, index) => {
    const expression = expressions[index]
    return expression ? [value.raw, ...interpolationsOf(expression, source)] : [value.raw]
  })
}

/**
 * A fragment in the place where it is used is part of the text, and so are the plain members of `sql.and`; of two that depend on
 * a condition, the first. Each is also a template of its own.
 */
function interpolationsOf(expression: Node, source: Source): (string | Interpolation)[] {
  if (isTemplate(expression) && isFragment(expression)) return partsOf(expression, source)
  if (expression.type === 'ConditionalExpression') {
    const { consequent, alternate } = expression as unknown as { consequent: Node; alternate: Node }
    if (isPiece(consequent)) return interpolationsOf(consequent, source)
    return isPiece(alternate) ? interpolationsOf(alternate, source) : [{ kind: 'unknown' }]
  }
  const text = source.code.slice(expression.start, expression.end)
  const piece = source.pieces.get(text)
  if (piece) return interpolationsOf(piece, source)
  if (/^(\[\.\.\.)?(\w+\.)*(shopIds?|shop\.id)\]?$/.test(text))
    return [{ kind: source.isShopNumber ? 'shop' : 'unknown' }]
  if (expression.type === 'Literal') return [{ kind: 'value' }]
  const called = expression.type === 'CallExpression' ? tagOf(expression.callee) : ''
  const [first] = called === '' ? [] : (expression.arguments as Node[])
  if (called === 'array' && first)
    return interpolationsOf(first, source).map((part) => (isShop(part) ? part : { kind: 'value' }))
  if (called === 'unnest') return ['unnest(', { kind: 'value' }, ')']
  if (called === 'jsonb' || called === 'binary') return [{ kind: 'value' }]
  if (called === 'identifier') {
    const names = ((first?.elements ?? []) as Node[]).map(({ value }) =>
      typeof value === 'string' ? value : unknownName,
    )
    return [{ kind: 'identifier', name: names.join('.') }]
  }
  if (called === 'and' && first?.type === 'ArrayExpression') {
    return (first.elements as Node[]).flatMap((member, index) => [
      index === 0 ? '(' : ') and (',
      ...(isTemplate(member) ? partsOf(member, source) : [{ kind: 'value' } as const]),
      ...(index === (first.elements as Node[]).length - 1 ? [')'] : []),
    ])
  }
  return [{ kind: 'unknown' }]
}

const isShop = (part: string | Interpolation) => typeof part !== 'string' && part.kind === 'shop'
