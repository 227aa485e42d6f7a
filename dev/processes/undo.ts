type Step = () => void | Promise<void>

/** How what has been started is ended again. */
export type Undo = {
  add: (step: Step) => void
  /** Takes every step, the last one first, also after one that fails; then throws what the first one threw. */
  run: () => Promise<void>
}

export function createUndo(): Undo {
  const steps: Step[] = []
  return {
    add: (step) => void steps.push(step),
    async run() {
      const faults: unknown[] = []
      for (let step = steps.pop(); step; step = steps.pop()) {
        try {
          await step()
        } catch (error) {
          faults.push(error)
        }
      }
      if (faults.length > 0) throw faults[0]
    },
  }
}
