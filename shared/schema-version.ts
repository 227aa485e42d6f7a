/** The newest migration this release knows. Raised together with each file added to `db/migrations/`. */
export const schemaVersion = 6
