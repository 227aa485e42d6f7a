import type { FastifyReply } from 'fastify'

/** Never responds, so that the caller times out. */
export function hang(reply: FastifyReply): FastifyReply {
  return reply.hijack()
}

/** Closes the connection without a response. */
export function drop(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
