import axe from 'axe-core'
import type { Tab } from './admin.ts'

type Findings = {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

/** The accessibility violations that axe finds on a page. */
export async function findViolations({ page }: Tab): Promise<string[]> {
  const frame = page.frames()[1]
  await frame?.evaluate(axe.source)
  const result: unknown = await frame?.evaluate('axe.run({ resultTypes: ["violations"] })')
  const { violations } = result as Findings
  return violations.flatMap(({ id, impact, nodes }) =>
    ['serious', 'critical'].includes(impact)
      ? nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`)
      : [],
  )
}
