import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fault that a tired engineer makes: `from` becomes `to`. */
export type Mutation = {
  /** The domain folder whose tests come first. */
  room: string
  file: string
  why: string
  /** Occurs once in the file. */
  from: string
  to: string
  /** Tests that come first although their folders do not have the name of the room. */
  near?: readonly string[]
}

/** The faults whose place is not in the code any more, or not once. */
export const findStale = (root: string, mutations: readonly Mutation[]): Mutation[] =>
  mutations.filter(({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length !== 2)

export const isOfAdmin = ({ file }: Mutation) => file.startsWith('web/')
