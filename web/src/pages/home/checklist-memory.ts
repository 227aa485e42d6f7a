import { shop } from '../../browser/host.ts'

const key = `quartermaster.first-steps.${shop}`

/** Whether this browser has hidden the shop's first steps, or seen the last of them done. */
export function isChecklistOver(): boolean {
  try {
    return localStorage.getItem(key) === 'over'
  } catch {
    // a browser may keep nothing for pages in frames
    return false
  }
}

export function rememberChecklistIsOver(): void {
  try {
    localStorage.setItem(key, 'over')
  } catch {
    // then they are there again next time
  }
}
