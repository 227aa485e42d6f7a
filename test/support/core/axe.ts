import axe from 'axe-core'
import type { Tab } from './admin.ts'

type Findings = {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

/**
 * The accessibility violations of any impact that axe finds on a page. The rule `region` is off: what opens over a page is drawn
 * at the end of the document, outside the landmarks of the page that it belongs to. No rule in use reads style sheets, so axe
 * does not load them. Without `hasContrast` it leaves out the contrast of texts, which takes as long as all other rules.
 */
export async function findViolations({ page }: Tab, { hasContrast = true } = {}): Promise<string[]> {
  const frame = page.frames()[1]
  if (!(await frame?.evaluate('"axe" in window'))) await frame?.evaluate(axe.source)
  const options = {
    resultTypes: ['violations'],
    rules: { region: { enabled: false }, 'color-contrast': { enabled: hasContrast } },
    preload: { assets: ['media'] },
  }
  const result: unknown = await frame?.evaluate(`axe.run(${JSON.stringify(options)})`)
  const { violations } = result as Findings
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${id} (${impact}): ${node.html} ${node.failureSummary}`),
  )
}
