type Step = () => void | Promise<void>

/** A stack of clean-up steps. */
export type Undo = {
  add: (step: Step) => void
  /** Runs all steps, the last one first, even when some fail; then throws the first failure. */
  run: () => Promise<void>
}

export function createUndo(): Undo {
  const steps: Step[] = []
  return {
    add: (step) => void steps.push(step),
    async run() {
      const failures: unknown[] = []
      for (let step = steps.pop(); step; step = steps.pop()) {
        try {
          await step()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
