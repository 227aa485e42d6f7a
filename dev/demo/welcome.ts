import { demoShop } from './demo-data.ts'

export type Welcome = {
  webUrl: string
  simulatorUrl: string
  orderId: number | undefined
  isNew: boolean
}

/**
 * The addresses of the running system and a command to try. The command fetches its own token, so it can be
 * repeated.
 */
export function welcome({ webUrl, simulatorUrl, orderId, isNew }: Welcome): string {
  return `
Quartermaster is running${isNew ? ', with a new demo shop' : ''}. Ctrl-C stops it; the data is kept.

  Admin     ${simulatorUrl}/shops/${demoShop}/admin
  Shop      ${simulatorUrl}/shops/${demoShop}
  API       ${webUrl}/docs
  Inbox     ${simulatorUrl}/inbox
  Simulator ${simulatorUrl}/

${orderId === undefined ? 'The demo shop has no order to mail: create one in the admin or through the API.' : sendCommand(webUrl, simulatorUrl, orderId)}
`
}

function sendCommand(webUrl: string, simulatorUrl: string, orderId: number): string {
  return `Mail a purchase order to its supplier, then open the inbox:

curl -X POST ${webUrl}/api/purchase-orders/${orderId}/send \\
  -H "Authorization: Bearer $(curl -s ${simulatorUrl}/shops/${demoShop}/session-token.txt)" \\
  -H 'Content-Type: application/json' -d '{"resend":true}'`
}
