import { demoShop } from './demo-data.ts'

export type Welcome = {
  webUrl: string
  simulatorUrl: string
  orderId: number | undefined
  isNew: boolean
}

/** What one can do now. The command asks for a token of its own, and works as often as it is pasted. */
export function welcome({ webUrl, simulatorUrl, orderId, isNew }: Welcome): string {
  return `
Quartermaster runs${isNew ? ', with a new demo shop' : ''}. Ctrl-C ends it; the data stays.

  Admin     ${simulatorUrl}/shops/${demoShop}/admin
  Shop      ${simulatorUrl}/shops/${demoShop}
  API       ${webUrl}/docs
  Inbox     ${simulatorUrl}/inbox
  Simulator ${simulatorUrl}/

${orderId === undefined ? 'The demo shop has no order left that can be mailed: create one through the API.' : sendCommand(webUrl, simulatorUrl, orderId)}
`
}

function sendCommand(webUrl: string, simulatorUrl: string, orderId: number): string {
  return `Mail a purchase order to its supplier, then look into the inbox:

curl -X POST ${webUrl}/api/purchase-orders/${orderId}/send \\
  -H "Authorization: Bearer $(curl -s ${simulatorUrl}/shops/${demoShop}/session-token.txt)" \\
  -H 'Content-Type: application/json' -d '{"resend":true}'`
}
