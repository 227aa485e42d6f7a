import t from 'tap'
import { createTokenCipher } from '../../shared/token-cipher.ts'

const key = (seed: string) => Buffer.alloc(32, seed).toString('base64')
const cipherOf = (...keys: string[]) => createTokenCipher({ TOKEN_ENCRYPTION_KEYS: keys.join(',') })

const shop = 'alice.myshop.example'
const token = 'access-token-äöü-of-alice'

/** Changes one part of `v1:key:nonce:tag:ciphertext`. */
const withPart = (sealed: string, at: number, change: (bytes: Buffer) => Buffer) =>
  sealed
    .split(':')
    .map((part, i) => (i === at ? change(Buffer.from(part, 'base64url')).toString('base64url') : part))
    .join(':')

const flipFirstBit = (bytes: Buffer) => Buffer.from(bytes.map((byte, i) => (i === 0 ? byte ^ 1 : byte)))

t.test('a sealed token opens again, and its text is not visible', async (t) => {
  const cipher = cipherOf(key('a'))
  const sealed = cipher.seal(token, shop)
  t.equal(cipher.open(sealed, shop), token)
  t.match(sealed, /^v1:[0-9a-f]{8}:[\w-]{16}:[\w-]{22}:[\w-]+$/, 'a 96-bit nonce and a 16-byte tag')
  t.notMatch(Buffer.from(sealed.split(':')[4] ?? '', 'base64url').toString('utf8'), 'access-token')
  t.not(cipher.seal(token, shop), sealed, 'a nonce is never used twice')
})

t.test('a token does not open for another shop', async (t) => {
  const cipher = cipherOf(key('a'))
  const sealed = cipher.seal(token, shop)
  for (const other of ['mallory.myshop.example', '', `${shop}.`, shop.toUpperCase()]) {
    t.throws(() => cipher.open(sealed, other), other)
  }
})

t.test('a token with a changed bit does not open', async (t) => {
  const cipher = cipherOf(key('a'))
  const sealed = cipher.seal(token, shop)
  for (const [part, at] of Object.entries({ nonce: 2, tag: 3, text: 4 })) {
    t.throws(() => cipher.open(withPart(sealed, at, flipFirstBit), shop), part)
  }
})

t.test('a token with a shortened tag does not open', async (t) => {
  const cipher = cipherOf(key('a'))
  const sealed = cipher.seal(token, shop)
  for (const length of [0, 4, 8, 12, 15]) {
    t.throws(
      () =>
        cipher.open(
          withPart(sealed, 3, (tag) => tag.subarray(0, length)),
          shop,
        ),
      `${length} bytes`,
    )
  }
})

t.test('text that was never sealed does not open', async (t) => {
  const cipher = cipherOf(key('a'))
  const sealed = cipher.seal(token, shop)
  for (const text of ['', token, 'v1', 'v1:::::', sealed.replace('v1', 'v2'), sealed.slice(0, -30)]) {
    t.throws(() => cipher.open(text, shop), text)
  }
})

t.test('encryption keys rotate without a new installation', async (t) => {
  const before = cipherOf(key('old')).seal(token, shop)
  const both = cipherOf(key('new'), key('old'))
  t.equal(both.open(before, shop), token, 'the old key still opens')

  const after = both.seal(token, shop)
  t.equal(cipherOf(key('new')).open(after, shop), token, 'the first key seals')
  t.throws(() => cipherOf(key('old')).open(after, shop))
  t.throws(() => cipherOf(key('new')).open(before, shop), 'a removed key opens nothing')
})

t.test('an error does not contain the token', async (t) => {
  const sealed = cipherOf(key('a')).seal(token, shop)
  for (const cipher of [cipherOf(key('a')), cipherOf(key('b'))]) {
    const open = () => cipher.open(sealed, 'mallory.myshop.example')
    t.throws(open, { message: /^(?!.*access-token)(?!.*v1:)/ })
  }
})
