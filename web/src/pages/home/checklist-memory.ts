import { shop } from '../../browser/host.ts'

const key = `quartermaster.first-steps.${shop}`

/** Whether the merchant has hidden the first steps of this shop in this browser, or completed them. */
export function isChecklistOver(): boolean {
  try {
    return localStorage.getItem(key) === 'over'
  } catch {
    // a browser may refuse storage to frames
    return false
  }
}

export function rememberChecklistIsOver(): void {
  try {
    localStorage.setItem(key, 'over')
  } catch {
    // without storage the checklist shows again at the next visit
  }
}
