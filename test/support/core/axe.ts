import axe from 'axe-core'
import type { Tab } from './admin.ts'

type Findings = {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

/**
 * The accessibility violations of any impact that axe finds on a page. The rule `region` is off: what opens over a page is drawn
 * at the end of the document, outside the landmarks of the page that it belongs to. No rule in use reads style sheets, so axe
 * does not load them.
 */
export async function findViolations({ page }: Tab): Promise<string[]> {
  const frame = page.frames()[1]
  if (!(await frame?.evaluate('"axe" in window'))) await frame?.evaluate(axe.source)
  const result: unknown = await frame?.evaluate(
    'axe.run({ resultTypes: ["violations"], rules: { region: { enabled: false } }, preload: { assets: ["media"] } })',
  )
  const { violations } = result as Findings
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${id} (${impact}): ${node.html} ${node.failureSummary}`),
  )
}
