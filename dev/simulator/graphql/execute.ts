import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type DocumentNode,
  execute,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import type { Shop } from '../shops/shop.ts'
import { actualCost, requestedCost } from './cost.ts'
import type { KeyFault } from './inventory-answers.ts'
import { createInventoryMutations } from './inventory-mutations.ts'
import { createQueryRoot } from './query-root.ts'
import { createSubscriptionMutations } from './subscription-mutations.ts'
import type { Throttle } from './throttle.ts'
import { createViewContext } from './views.ts'

let schema: GraphQLSchema | undefined

/** The schema that the simulator supports; the platforms of a process share it. */
export function readSchema(): GraphQLSchema {
  schema ??= buildSchema(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'))
  return schema
}

export type GraphqlRequest = {
  query: string
  variables: Record<string, unknown>
  operationName?: string | undefined
}

export type ExecuteOptions = {
  schema: GraphQLSchema
  throttle: Throttle
  apiKey: string
  maxQueryCost: number
}

export type Caller = { shop: Shop; scopes: readonly string[]; keyFault: KeyFault; isThrottled: boolean }

type Failure = { message: string; extensions?: Record<string, unknown> }

/** Runs a document for an app in a shop. Errors are part of the response; this function does not throw. */
export async function executeRequest(
  { schema, throttle, apiKey, maxQueryCost }: ExecuteOptions,
  { shop, scopes, keyFault, isThrottled }: Caller,
  request: GraphqlRequest,
): Promise<object> {
  const parsed = readDocument(schema, request)
  if ('errors' in parsed) return parsed
  const { operation, fragments, document } = parsed
  const { coerced, errors } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    request.variables,
  )
  if (errors)
    return {
      errors: errors.map((error) => ({ ...error.toJSON(), extensions: { code: 'INVALID_VARIABLE' } })),
    }

  const requestedQueryCost = requestedCost({ schema, operation, fragments, variables: coerced })
  const cost = (actualQueryCost: number | null) => ({
    cost: { requestedQueryCost, actualQueryCost, throttleStatus: throttle.status(shop.domain) },
  })
  if (requestedQueryCost > maxQueryCost)
    return refuse(
      'MAX_COST_EXCEEDED',
      `Query cost is ${requestedQueryCost}, which exceeds the single query max cost limit (${maxQueryCost}).`,
      { cost: requestedQueryCost, maxCost: maxQueryCost },
    )
  if (isThrottled || !throttle.take(shop.domain, requestedQueryCost))
    return { ...refuse('THROTTLED', 'Throttled'), extensions: cost(null) }

  const context = createViewContext(shop, scopes)
  const rootValue = {
    ...createQueryRoot(context, apiKey),
    ...createSubscriptionMutations(context),
    ...createInventoryMutations(context, keyFault),
  }
  const { operationName } = request
  const variableValues = request.variables
  const result = await execute({ schema, document, rootValue, variableValues, operationName })
  const actual = Math.min(requestedQueryCost, Math.max(0, actualCost(result.data, operation)))
  throttle.refund(shop.domain, requestedQueryCost - actual)
  return {
    ...(result.data !== undefined && { data: result.data }),
    ...(result.errors && { errors: result.errors.map((error) => error.toJSON()) }),
    extensions: cost(actual),
  }
}

function refuse(code: string, message: string, more: Record<string, unknown> = {}): { errors: Failure[] } {
  return { errors: [{ message, extensions: { code, ...more } }] }
}

/** Valid documents by their text: the worker sends the same few again and again. */
const documents = new LRUCache<string, DocumentNode>({ max: 200 })

function readDocument(schema: GraphQLSchema, { query, operationName }: GraphqlRequest) {
  try {
    let document = documents.get(query)
    if (!document) {
      document = parse(query)
      const errors = validate(schema, document)
      if (errors.length > 0) return { errors: errors.map((error) => error.toJSON()) }
      documents.set(query, document)
    }
    const operations = document.definitions.filter(
      (definition): definition is OperationDefinitionNode => definition.kind === 'OperationDefinition',
    )
    const operation = operations.find(
      ({ name }) => operationName === undefined || name?.value === operationName,
    )
    if (!operation || (operationName === undefined && operations.length > 1))
      return refuse('BAD_REQUEST', 'An operation name is required')
    const fragments = new Map(
      document.definitions
        .filter(
          (definition): definition is FragmentDefinitionNode => definition.kind === 'FragmentDefinition',
        )
        .map((fragment) => [fragment.name.value, fragment]),
    )
    return { document, operation, fragments }
  } catch (error) {
    return { errors: [{ message: error instanceof Error ? error.message : String(error) }] }
  }
}
