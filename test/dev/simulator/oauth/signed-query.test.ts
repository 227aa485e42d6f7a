import t from 'tap'
import { signQuery } from '../../../../dev/simulator/oauth/signed-query.ts'

t.test('the signature matches the example in the platform’s documentation', async (t) => {
  const query = {
    timestamp: '1337178173',
    shop: 'some-shop.myshopify.com',
    code: '0907a61c0c8d55e99db179b68161bc00',
  }
  t.match(signQuery(query, 'hush'), /&hmac=4712bf92ffc2917d15a2f5a273e39f0116667419aa4b6ac0b3baaf26fa3c4d20$/)
})

t.test('parameters are sorted by name and percent-encoded', async (t) => {
  t.match(
    signQuery({ state: 'a b=&', host: 'YQ==' }, 'x'),
    /^host=YQ%3D%3D&state=a%20b%3D%26&hmac=[0-9a-f]{64}$/,
  )
})
