import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

export type CostInput = {
  schema: GraphQLSchema
  operation: OperationDefinitionNode
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  variables: Record<string, unknown>
}

const mutationCost = 10

/** The max length of a list with these arguments; 1 for a list without a limit. */
const lengthOf = ({ ids, first }: Record<string, unknown>) =>
  Array.isArray(ids) ? ids.length : typeof first === 'number' ? first : 1

/**
 * The maximum cost of an operation, computed before it runs: an object 1 point, a scalar 0, a mutation 10, a list
 * argument `ids` once per id, a list with `first` as often as that, a connection 2 plus its nodes.
 * Example: `products(first: 50) { nodes { id } }` costs 2 + 50 * 1 = 52.
 */
export function requestedCost({ schema, operation, fragments, variables }: CostInput): number {
  const root = schema.getRootType(operation.operation)
  if (!root) return 0

  function costOf(type: GraphQLNamedType, selections: SelectionSetNode): number {
    let sum = 0
    let maxOfTypes = 0
    for (const selection of selections.selections) {
      if (selection.kind === 'Field') {
        sum += fieldCost(type, selection)
        continue
      }
      const fragment = selection.kind === 'FragmentSpread' ? fragments.get(selection.name.value) : selection
      const condition = fragment?.typeCondition?.name.value
      const inner = (condition === undefined ? undefined : schema.getType(condition)) ?? type
      const cost = fragment ? costOf(inner, fragment.selectionSet) : 0
      // An object has one type only, so the most expensive possible type counts.
      if (isAbstractType(type)) maxOfTypes = Math.max(maxOfTypes, cost)
      else sum += cost
    }
    return sum + maxOfTypes
  }

  function fieldCost(parent: GraphQLNamedType, field: FieldNode): number {
    if (!isObjectType(parent) || !field.selectionSet) return 0
    const definition = parent.getFields()[field.name.value]
    if (!definition) return 0
    const type = getNamedType(definition.type)
    if (!isCompositeType(type)) return 0
    const args = getArgumentValues(definition, field, variables)
    if (type.name.endsWith('Connection')) {
      const first = typeof args.first === 'number' ? args.first : 0
      return 2 + first * (1 + nodeCost(type, field.selectionSet))
    }
    const own = parent === schema.getMutationType() ? mutationCost : type.name === 'PageInfo' ? 0 : 1
    const times = isListType(getNullableType(definition.type)) ? lengthOf(args) : 1
    return times * (own + costOf(type, field.selectionSet))
  }

  /** The cost of each node, selected under `nodes` or under `edges`. */
  function nodeCost(type: GraphQLNamedType, selections: SelectionSetNode): number {
    const inner = costOf(type, selections)
    const wrappers = selections.selections.filter(
      (selection) => selection.kind === 'Field' && ['nodes', 'edges'].includes(selection.name.value),
    )
    const edges = wrappers.flatMap((wrapper) =>
      wrapper.kind === 'Field' && wrapper.name.value === 'edges'
        ? (wrapper.selectionSet?.selections ?? []).filter(
            (selection) => selection.kind === 'Field' && selection.name.value === 'node',
          )
        : [],
    )
    return inner - wrappers.length - edges.length
  }

  return costOf(root, operation.selectionSet)
}

/** The actual cost: 1 point per object in the result (wrappers of connections excluded), 10 per mutation. */
export function actualCost(data: unknown, operation: OperationDefinitionNode): number {
  const mutations = operation.operation === 'mutation' ? operation.selectionSet.selections.length : 0
  return countObjects(data) - 1 + mutations * (mutationCost - 1)
}

function countObjects(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countObjects(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value).reduce<number>((sum, item) => sum + countObjects(item), 0)
  const isWrapping = 'nodes' in value || 'edges' in value || 'node' in value || 'hasNextPage' in value
  return inner + (isWrapping ? 0 : 1)
}
