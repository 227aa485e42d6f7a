import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { adminPages } from '../../dev/demo/admin-pages.ts'

const root = new URL('../..', import.meta.url).pathname

t.test(
  'the list of pages, for screenshots and tests of the layout, has every page of the router',
  async (t) => {
    const paths = globSync('web/src/pages/**/routes.ts', { cwd: root }).flatMap((file) =>
      [...readFileSync(`${root}${file}`, 'utf8').matchAll(/^ {2}path: '([^']+)'/gm)].map(
        ([, path]) => path ?? '',
      ),
    )
    t.ok(paths.length > 60, 'the routes are found')
    for (const path of paths) {
      const pattern = new RegExp(`^${path.replaceAll(/\$\w+/g, '\\d+')}$`)
      t.ok(
        adminPages.some((page) => pattern.test(page.replace(/\?.*/, ''))),
        path,
      )
    }
  },
)
