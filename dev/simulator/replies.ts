import type { FastifyReply } from 'fastify'

/** Never answers. The caller has to give up by itself. */
export function hang(reply: FastifyReply): FastifyReply {
  return reply.hijack()
}

/** Closes the connection without an answer. */
export function drop(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
