import t from 'tap'
import { parseShopDomain } from '../../../shared/platform/shop-domain.ts'

const suffix = '.myshop.example'

t.test('the parser accepts four forms of a shop domain', async (t) => {
  const domain = 'alice.myshop.example'
  for (const text of [domain, `https://${domain}`, `${domain}/admin`, `https://${domain}/admin`]) {
    t.equal(parseShopDomain(text, suffix), domain, text)
  }
  for (const handle of ['a', '0', 'a-b', 'alice-2', 'a--b', 'x'.repeat(63)]) {
    t.equal(parseShopDomain(handle + suffix, suffix), handle + suffix)
  }
})

t.test('the parser rejects any other text', async (t) => {
  const foreign = [
    '',
    suffix,
    'myshop.example',
    'alice',
    'alice.myshop.example.evil.example',
    'alicemyshop.example',
    'alice.evil.example',
    'alice.myshop.example@evil.example',
    'evil@alice.myshop.example',
    'https://user:word@alice.myshop.example',
    'alice.myshop.example:8443',
    'alice.myshop.example.',
    'alice.myshop.example\n',
    'evil.example\nalice.myshop.example',
    'alice.myshop.example\u0000',
    ' alice.myshop.example',
    'Alice.myshop.example',
    'alice.MYSHOP.example',
    'HTTPS://alice.myshop.example',
    'http://alice.myshop.example',
    'https://https://alice.myshop.example',
    '//alice.myshop.example',
    'alice.myshop.example/',
    'alice.myshop.example/admin/',
    'alice.myshop.example/admin/admin',
    'alice.myshop.example/evil',
    'alice.myshop.example?x=1',
    'alice.myshop.example#x',
    'evil.example/alice.myshop.example',
    'evil.example#alice.myshop.example',
    'a.b.myshop.example',
    '-alice.myshop.example',
    'al_ice.myshop.example',
    'al ice.myshop.example',
    'älice.myshop.example',
    'alice%2emyshop.example',
    `${'x'.repeat(64)}.myshop.example`,
    `${'x'.repeat(100_000)}.myshop.example`,
  ]
  for (const text of foreign) t.equal(parseShopDomain(text, suffix), null, JSON.stringify(text.slice(0, 80)))
})

t.test('the parser rejects values that are not strings', async (t) => {
  for (const value of [
    undefined,
    null,
    1,
    true,
    {},
    ['alice.myshop.example'],
    () => 'alice.myshop.example',
  ]) {
    t.equal(parseShopDomain(value, suffix), null, typeof value)
  }
})
