import { refuseFaults } from '../../errors.ts'

/** How an error names the selected records, and the state that they need. */
type Words = { code: string; noun: string; state: string }

/** Throws an error with a fault for each selected record that the shop does not have, or that has another status. */
export function requireCancellable(
  ids: readonly number[],
  locked: readonly { id: number; status: string }[],
  wanted: string,
  { code, noun, state }: Words,
): void {
  const statusOf = new Map(locked.map(({ id, status }) => [id, status]))
  const faults = ids.flatMap((id, at) => {
    const status = statusOf.get(id)
    if (status === wanted) return []
    const message = status ? `is ${status.replace('_', ' ')}` : `is not a ${noun} of this shop`
    return [{ path: `/ids/${at}`, message }]
  })
  const numbers = ids.filter((id) => statusOf.get(id) !== wanted).map((id) => `#${id}`)
  refuseFaults(
    code,
    `No ${noun} was cancelled, because these are not ${state}: ${numbers.join(', ')}. Reload the list.`,
    faults,
  )
}
