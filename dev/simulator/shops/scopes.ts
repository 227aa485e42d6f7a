/** What an app may ask for, in the words of the consent page. */
export const scopeWords: Readonly<Record<string, string>> = {
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
export const allows = (scopes: readonly string[], wanted: string) =>
  scopes.includes(wanted) || scopes.includes(wanted.replace(/^read_/, 'write_'))

/** As the platform notes them: sorted, each once, and without those that another one implies. */
export function compressScopes(scopes: readonly string[]): string[] {
  const isImplied = (scope: string) =>
    scope.startsWith('read_') && scopes.includes(scope.replace(/^read_/, 'write_'))
  return [...new Set(scopes.filter((scope) => !isImplied(scope)))].sort()
}

/** With those that are implied. */
export const expandScopes = (scopes: readonly string[]): string[] =>
  [...new Set(scopes.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]))].sort()
