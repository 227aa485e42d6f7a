/** The scopes that an app may request, with their texts on the consent page. */
export const scopeDescriptions: Readonly<Record<string, string>> = {
  read_products: 'See products, variants and collections',
  write_products: 'Change products, variants and collections',
  read_inventory: 'See stock levels and costs',
  write_inventory: 'Change stock levels',
  read_locations: 'See locations',
  write_locations: 'Change locations',
  read_orders: 'See the orders of the last 60 days',
  write_orders: 'Change the orders of the last 60 days',
  read_all_orders: 'See all orders of the past',
}

/** `write_x` allows what `read_x` allows. */
export const allows = (scopes: readonly string[], required: string) =>
  scopes.includes(required) || scopes.includes(required.replace(/^read_/, 'write_'))

/** The platform's normal form: sorted, distinct, and without implied scopes. */
export function compressScopes(scopes: readonly string[]): string[] {
  const isImplied = (scope: string) =>
    scope.startsWith('read_') && scopes.includes(scope.replace(/^read_/, 'write_'))
  return [...new Set(scopes.filter((scope) => !isImplied(scope)))].sort()
}

/** Adds implied scopes. */
export const expandScopes = (scopes: readonly string[]): string[] =>
  [...new Set(scopes.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]))].sort()
