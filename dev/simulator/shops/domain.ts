import { Type } from '@sinclair/typebox'

/** A shop's domain, for example demo.myshop.example, in the path of a request. */
export const ShopParams = Type.Object({
  shop: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*(\\.[a-z0-9-]+)+$', maxLength: 200 }),
})

export const isShopDomain = (text: string) =>
  /^[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)+$/.test(text) && text.length <= 200
