import t from 'tap'
import { expectSoon, startAdmin } from '../../support/core/admin.ts'
import { lists } from '../../support/web/lists.ts'
import { visit } from '../../support/web/page-tour.ts'

t.test('each list shows and requests what its address says', async (t) => {
  const { install, open, send } = await startAdmin(t)
  await install()
  await send('POST', '/suppliers', { name: 'Northgate' })
  const tab = await open('/')
  const { app, page } = tab
  await app.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const chips = app
    .getByRole('list', { name: 'Active filters' })
    .getByRole('button', { name: /^Remove filter / })
  const chipNames = async () =>
    (await chips.evaluateAll((all) => all.map((chip) => chip.getAttribute('aria-label') ?? '')))
      .map((name) => name.replace('Remove filter ', ''))
      .sort()

  /** What the page has asked for since it was visited: the bell asks for alerts, too. */
  let asked: URL[] = []
  page.on('request', (request) => asked.push(new URL(request.url())))

  for (const { list, page: path, path: endpoint, filter, chips: expected, empty, sorts } of lists) {
    const sort = sorts?.at(-1)
    const params = Object.entries({ ...filter, ...(sort && { sort: sort.value }) })
    const query = params.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
    asked = []
    await visit(tab, `${path}?${query}`)
    const isAsked = async () =>
      asked.some(
        ({ pathname, searchParams }) =>
          pathname === `/api${endpoint}` &&
          params.every(([name, value]) => searchParams.get(name) === String(value)),
      )
    await expectSoon(t, isAsked, true, `the request of ${list}`)
    await app.getByText(empty).first().waitFor()
    await expectSoon(t, chipNames, [...expected].sort(), `the chips of ${list}`)
    if (sort) await app.getByRole('button', { name: `Sort: ${sort.label}` }).waitFor()
    for (const name of ['Columns', 'Views']) await app.getByRole('button', { name, exact: true }).waitFor()
  }
})
