/**
 * The time of a step on this machine, divided by its time on an idle one: `test/run.ts` measures it at the start of a run. A file that is
 * run alone has no measurement, so its deadlines are long.
 */
const factor = Number(process.env.TEST_MACHINE_FACTOR ?? 4)

/**
 * The deadline of a wait whose event takes at most `idleMs` on an idle machine. A deadline ends a test that hangs; no result of a
 * test that works depends on it.
 */
export const deadline = (idleMs: number): number => Math.round(idleMs * Math.max(1, factor))
