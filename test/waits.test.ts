import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const folder = fileURLToPath(new URL('web/', import.meta.url))

/** An assertion of a value that is read from the page once: `t.equal(await rows.count(), 3)`. */
const readsOnce =
  /\bt\.\w+\(\s*[(!]*await (?:[^\n]|\n\s*(?=\.))*?\.(?:count|inputValue|innerText|textContent|allInnerTexts|allTextContents|getAttribute|boundingBox|is(?:Visible|Hidden|Enabled|Disabled|Checked|Editable))\(/g

t.test('browser tests wait for a value of the page, which may still be rendering', async (t) => {
  const found = globSync('*.ts', { cwd: folder }).flatMap((file) => {
    const source = readFileSync(folder + file, 'utf8')
    return [...source.matchAll(readsOnce)].map(({ 0: text, index }) => {
      const line = source.slice(0, index).split('\n').length
      return `${file}:${line} ${text}…: use expectSoon(t, () => …, expected) or waitFor`
    })
  })
  t.strictSame(found, [])
})

t.test('the search finds such reads in one line, in several, and in brackets', async (t) => {
  const examples = [
    't.equal(await rows.count(), 3)',
    "t.equal(\n  await app\n    .getByLabel('Name')\n    .inputValue(),\n  '',\n)",
    "t.ok((await field.textContent())?.includes('a'))",
    "t.ok(!(await button('Save').isDisabled()))",
  ]
  for (const example of examples) t.match(example.match(readsOnce), [String], example)
  const waits = 't.equal(await stored(), 3)\nawait expectSoon(t, () => rows.count(), 3)'
  t.equal(waits.match(readsOnce), null)
})
