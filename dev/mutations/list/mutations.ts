import type { Mutation } from '../mutation.ts'
import { ordersMutations } from './orders.ts'
import { stockMutations } from './stock.ts'

/** Five faults in each of eight rooms; none leaves the behaviour as it is. */
export const mutations: readonly Mutation[] = [...ordersMutations, ...stockMutations]
