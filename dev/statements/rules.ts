import { unknownName } from './read-templates.ts'

/** A node of libpg-query's tree: one key with the type's name, or the fields alone where only one type can stand. */
type Fields = Record<string, unknown>

export type RuleInput = {
  tree: unknown
  /** The tables that are distributed by shop. */
  shopTables: ReadonlySet<string>
  /** Whether an expression is the shop's id or a list of ids: a parameter of a statement or of a function. */
  isShop: (expression: Fields) => boolean
  /** Expressions of a fragment may become a part of any statement, also of an UPDATE. */
  isPartial: boolean
}

/** `table` is empty when the violation does not concern a table. */
export type Violation = { table: string; text: string }

type Source = { table: string; alias: string; isShopTable: boolean }
type Condition = { expression: Fields; holdsFor: readonly Source[] }
type Place = 'read' | 'update' | 'case of an update' | 'upsert'

/** `target` is the table that the statement changes; an empty name is any table. */
type Context = { ctes: ReadonlySet<string>; place: Place; target: string }

const volatile = new Set([
  'clock_timestamp',
  'gen_random_uuid',
  'random',
  'nextval',
  'timeofday',
  'uuidv4',
  'uuidv7',
])
const unstable = new Set([...volatile, 'now', 'transaction_timestamp', 'statement_timestamp'])
const addsJobs = new Set(['add_job', 'add_jobs'])

/** The places where a statement, a fragment or a function's body breaks the rules for Citus (docs/operations.md, "Many machines"). */
export function violationsOf({ tree, shopTables, isShop, isPartial }: RuleInput): Violation[] {
  const violations: Violation[] = []
  const report = (text: string, table = '') => violations.push({ table, text })

  // the outermost statement of a fragment is only what stands around it
  let isFrame = isPartial

  function walk(value: unknown, context: Context): void {
    if (Array.isArray(value)) {
      for (const item of value) walk(item, context)
      return
    }
    if (!isFields(value)) return
    for (const [type, child] of Object.entries(value)) {
      if (!isFields(child)) walk(child, context)
      else if (type === 'SelectStmt' || type === 'larg' || type === 'rarg') select(child, context)
      else if (type === 'UpdateStmt') change(child, context, 'fromClause')
      else if (type === 'DeleteStmt') change(child, context, 'usingClause')
      else if (type === 'InsertStmt') insert(child, context)
      else if (type === 'CaseExpr') caseOf(child, context)
      else if (type === 'CoalesceExpr') walk(child, inCase(context))
      else if (type === 'FuncCall') call(child, context)
      else if (type === 'SQLValueFunction')
        checkFunction(String(child.op).replace('SVFOP_', '').toLowerCase(), context)
      else walk(child, context)
    }
  }

  function select(statement: Fields, context: Context): void {
    // the operands of a join have the names of those of a union
    if (!('op' in statement)) {
      walk(statement, context)
      return
    }
    const { withClause, ...rest } = statement
    // what is inside a sub-select of a fragment is read
    const place = context.target === '' && !isFrame ? 'read' : context.place
    isFrame = false
    const ctes = withCtes(withClause, context)
    const sources = checkLevel(listOf(statement.fromClause), statement.whereClause, [], ctes)
    for (const clause of listOf(statement.lockingClause)) checkLock(clause, sources)
    walk(rest, { ...context, ctes, place })
  }

  function change(statement: Fields, context: Context, others: string): void {
    const { withClause, relation, ...rest } = statement
    const ctes = withCtes(withClause, context)
    const target = sourceOf(relation as Fields, ctes)
    isFrame = false
    checkLevel(listOf(statement[others]), statement.whereClause, [target], ctes)
    walk(rest, { ctes, place: 'update', target: target.table })
  }

  function insert(statement: Fields, context: Context): void {
    const { withClause, relation, onConflictClause, ...rest } = statement
    const ctes = withCtes(withClause, context)
    const { table, isShopTable } = sourceOf(relation as Fields, ctes)
    const columns = listOf(statement.cols).map((column) => String((column.ResTarget as Fields).name))
    if (isShopTable && columns.length > 0 && !columns.some((name) => /^(shop_id|unknown_.*)$/.test(name)))
      report(`an INSERT into ${table} does not name shop_id`, table)
    walk(rest, { ctes, place: 'read', target: table })
    walk(onConflictClause, { ctes, place: 'upsert', target: table })
  }

  /** Checks the CTEs; returns the names that the statement sees. */
  function withCtes(clause: unknown, context: Context): ReadonlySet<string> {
    if (!isFields(clause)) return context.ctes
    const names = new Set(context.ctes)
    for (const { CommonTableExpr } of listOf(clause.ctes)) {
      const { ctename, ctequery } = CommonTableExpr as Fields
      if (clause.recursive) names.add(String(ctename))
      walk(ctequery, { ctes: names, place: 'read', target: '' })
      names.add(String(ctename))
    }
    return names
  }

  function checkLevel(
    from: Fields[],
    where: unknown,
    targets: Source[],
    ctes: ReadonlySet<string>,
  ): Source[] {
    const conditions: Condition[] = []
    const sources = [...targets, ...from.flatMap((item) => sourcesOf(item, conditions, ctes))]
    conditions.push(...conjunctsOf(where).map((expression) => ({ expression, holdsFor: sources })))
    const ofShops = sources.filter(({ isShopTable }) => isShopTable)
    for (const source of ofShops) {
      const isFiltered = conditions.some(
        ({ expression, holdsFor }) =>
          holdsFor.includes(source) && isFilter(expression, source.alias, ofShops.length === 1),
      )
      if (isFiltered) continue
      const name = source.alias === source.table ? source.table : `${source.table} ${source.alias}`
      const column = sources.length === 1 && source.alias === source.table ? '' : `${source.alias}.`
      report(`${name} has no condition "${column}shop_id = \${shopId}" of its own`, source.table)
    }
    return sources
  }

  function sourcesOf(item: Fields, conditions: Condition[], ctes: ReadonlySet<string>): Source[] {
    if (isFields(item.RangeVar)) return [sourceOf(item.RangeVar, ctes)]
    if (!isFields(item.JoinExpr)) return []
    const { larg, rarg, jointype, quals } = item.JoinExpr
    const left = sourcesOf(larg as Fields, conditions, ctes)
    const right = sourcesOf(rarg as Fields, conditions, ctes)
    // the condition of an outer join leaves out rows of one side only
    const filtered: Record<string, Source[]> = {
      JOIN_INNER: [...left, ...right],
      JOIN_LEFT: right,
      JOIN_RIGHT: left,
    }
    const holdsFor = filtered[String(jointype)] ?? []
    conditions.push(...conjunctsOf(quals).map((expression) => ({ expression, holdsFor })))
    return [...left, ...right]
  }

  function sourceOf({ schemaname, relname, alias }: Fields, ctes: ReadonlySet<string>): Source {
    const table = String(relname)
    const isOurs = schemaname === undefined || schemaname === 'public'
    const isShopTable = isOurs && !ctes.has(table) && (shopTables.has(table) || table === unknownName)
    return { table, alias: isFields(alias) ? String(alias.aliasname) : table, isShopTable }
  }

  function isFilter(expression: Fields, alias: string, isOnly: boolean): boolean {
    const operation = expression.A_Expr
    if (!isFields(operation) || nameOf(operation.name) !== '=') return false
    if (operation.kind !== 'AEXPR_OP' && operation.kind !== 'AEXPR_OP_ANY') return false
    const sides = [operation.lexpr, operation.rexpr] as Fields[]
    return sides.some((side, index) => {
      const column = columnOf(side)
      const other = sides[1 - index]
      const isColumn = column.at(-1) === 'shop_id' && (column.length === 1 ? isOnly : column.at(-2) === alias)
      return isColumn && other !== undefined && isShop(withoutCast(other))
    })
  }

  function checkLock({ LockingClause }: Fields, sources: readonly Source[]): void {
    const named = listOf((LockingClause as Fields).lockedRels).map(
      ({ RangeVar }) => (RangeVar as Fields).relname,
    )
    for (const { table, alias } of sources) {
      if (table !== 'shop' || (named.length > 0 && !named.includes(alias))) continue
      report('it locks a row of shop: lock the row of shop_credential instead', 'shop')
    }
  }

  function caseOf(expression: Fields, context: Context): void {
    const isSimple = expression.arg !== undefined
    if (isSimple && context.place !== 'read' && isDistributed(context.target))
      report('an UPDATE has "case x when y": write "case when x = y"', context.target)
    walk(expression, inCase(context))
  }

  function call(expression: Fields, context: Context): void {
    checkFunction(nameOf(expression.funcname), context)
    walk(expression, context)
  }

  function checkFunction(name: string, { place, target }: Context): void {
    if (!isDistributed(target)) return
    const isUnstable = unstable.has(name) || /^(current|local)/.test(name)
    if (place === 'upsert' && isUnstable)
      report(`ON CONFLICT DO UPDATE has ${name}(): take the value from "excluded" or a parameter`, target)
    if (place === 'case of an update' && isUnstable)
      report(`a CASE or COALESCE of an UPDATE has ${name}(): pass the value as a parameter`, target)
    if (place === 'update' && volatile.has(name))
      report(`an UPDATE has ${name}(): pass the value as a parameter`, target)
  }

  const isDistributed = (table: string) => table === '' || table === 'shop' || shopTables.has(table)

  walk(tree, { ctes: new Set(), place: isPartial ? 'update' : 'read', target: '' })
  return violations
}

const inCase = (context: Context): Context =>
  context.place === 'update' ? { ...context, place: 'case of an update' } : context

/** Whether a statement adds jobs and reads tables of shops: Citus runs add_job on the coordinator only. */
export function mixesJobs(tree: unknown, shopTables: ReadonlySet<string>): boolean {
  let hasJobs = false
  let hasTables = false
  const search = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) search(item)
    else if (isFields(value)) {
      if (addsJobs.has(nameOf(value.funcname))) hasJobs = true
      if (shopTables.has(String(value.relname))) hasTables = true
      for (const child of Object.values(value)) search(child)
    }
  }
  search(tree)
  return hasJobs && hasTables
}

/** The parts of a name, of a column or an operator. */
export function columnOf({ ColumnRef }: Fields): string[] {
  return isFields(ColumnRef)
    ? listOf(ColumnRef.fields).map((part) => String((part.String as Fields)?.sval))
    : []
}

const nameOf = (parts: unknown) => String((listOf(parts).at(-1)?.String as Fields | undefined)?.sval ?? '')

const withoutCast = (expression: Fields): Fields =>
  isFields(expression.TypeCast) ? withoutCast(expression.TypeCast.arg as Fields) : expression

function conjunctsOf(condition: unknown): Fields[] {
  if (!isFields(condition)) return []
  const all = condition.BoolExpr
  return isFields(all) && all.boolop === 'AND_EXPR' ? listOf(all.args).flatMap(conjunctsOf) : [condition]
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as Fields[]) : [])

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
