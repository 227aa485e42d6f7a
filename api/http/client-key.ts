import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** The length of the network part of an IPv6 address: an internet provider gives each customer at least a /64. */
const ipv6NetworkBytes = 8

/** The IPv4 address of the client, or the network of its IPv6 address, since a client may use any address of it. */
export function clientKey({ ip }: FastifyRequest): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  const network = address.toByteArray().map((byte, at) => (at < ipv6NetworkBytes ? byte : 0))
  return `${ipaddr.fromByteArray(network).toString()}/${ipv6NetworkBytes * 8}`
}
