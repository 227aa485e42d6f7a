import type { Test } from 'tap'
import { expectSoon, returnToTab, type Tab } from '../core/admin.ts'
import { visit } from './page-tour.ts'

/** A form of a stored record. Another user changes the record by `change`, once with 1 and once with 2. */
export type Form = {
  /** What the form calls the record. */
  noun: string
  at: [path: string, title: string]
  /** The button that opens the form as a dialog. */
  opener?: string
  mine: [label: string | RegExp, text: string]
  change: (time: number) => Promise<unknown>
  /** The requests with which the page reads the record again while the form is open. */
  reads?: RegExp
  /** Two buttons are pressed in turn. */
  save: [first: string, second?: string]
  differences: (string | RegExp)[]
  /** A field with what the other user has entered first. */
  theirs: [label: string | RegExp, value: string]
  stored: () => Promise<object>
  /** What is stored after the second save. */
  kept: object
}

/**
 * Proves that the form shows what another user has changed since it was opened, without storing anything, and then takes that, or
 * overwrites it with what is typed.
 */
export async function proveConflict(t: Test, tab: Tab, form: Form): Promise<void> {
  const { at, opener, change, save, stored, kept } = form
  const { page, app } = tab
  const fields = opener ? app.getByRole('dialog') : app
  const field = (label: string | RegExp) => fields.getByLabel(label, { exact: true }).first()
  const press = (name: string, within: Pick<typeof app, 'getByRole'> = fields) =>
    within.getByRole('button', { name, exact: true }).first().click()
  const notice = app.getByText(`This ${form.noun} was changed since you opened it`)
  const [label, text] = form.mine
  let isRead = false
  page.on('response', (response) => {
    isRead ||= form.reads?.test(response.url()) ?? false
  })
  await visit(tab, ...at)
  if (opener) await press(opener, app)
  await field(label).fill(text)
  await change(1)
  const changed = await stored()
  if (form.reads) {
    isRead = false
    await returnToTab(tab, async () => isRead)
  }
  await press(save[0])
  await notice.waitFor()
  for (const difference of form.differences) await app.getByText(difference, { exact: true }).waitFor()
  t.strictSame(await stored(), changed, 'nothing is overwritten unseen')
  t.match(await field(label).inputValue(), text, 'what was typed is kept')

  await press('Use theirs')
  await expectSoon(t, () => field(form.theirs[0]).inputValue(), form.theirs[1], 'theirs are taken')
  await notice.waitFor({ state: 'detached' })
  await field(label).fill(text)
  await change(2)
  await press(save[1] ?? save[0])
  await press('Overwrite with mine')
  const own = async () => Object.fromEntries(Object.entries(await stored()).filter(([name]) => name in kept))
  await expectSoon(t, own, kept, 'mine are stored')
  await notice.waitFor({ state: 'detached' })
}
