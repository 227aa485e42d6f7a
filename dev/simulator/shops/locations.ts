import { instant, type LocationFacts, type Seed } from './seed.ts'

export type Location = LocationFacts & {
  createdAt: string
  updatedAt: string
  deactivatedAt: string | null
  /** A deleted location keeps its place in the list, because levels refer to places. */
  isDeleted: boolean
}

/** Added and changed locations by their place in the list. */
export type ChangedLocations = Map<number, Location>

/** The locations of a shop: those of its seed, with all later changes. */
export function listLocations(seed: Seed, changed: ChangedLocations, openedAt: Date): Location[] {
  const at = instant(openedAt)
  const locations = seed.locations.map((facts) => ({
    ...facts,
    createdAt: at,
    updatedAt: at,
    deactivatedAt: facts.isActive ? null : at,
    isDeleted: false,
  }))
  for (const [place, location] of changed) locations[place] = location
  return locations
}
