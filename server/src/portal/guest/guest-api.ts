import type { FastifyInstance, FastifyReply } from 'fastify'
import { getTicket } from '../../desk/ticket/read-ticket.ts'
import type { Context } from '../../kernel/context.ts'
import type { Guest } from './find-guest.ts'
import { close, emptyBody, messageBody, rate, ratingBody, reopen, writeMessage } from './guest-actions.ts'
import type { GuestDoor, GuestRequest } from './guest-door.ts'
import { downloadForGuest, guestDownload } from './guest-file.ts'
import { readForGuest } from './guest-ticket.ts'

/**
 * Mounts the API for guests. Its routes are no operations, because a guest has no account and no permissions: the token in the path is
 * the only credential.
 */
export function mountGuestApi(app: FastifyInstance, enter: GuestDoor): void {
  const path = '/api/guest/:token'
  app.get(path, async (request: GuestRequest, reply) => secret(reply).send(await enter(request, 'read', readForGuest)))

  app.get(`${path}/file/:fileId`, { exposeHeadRoute: false }, async (request: GuestRequest, reply) => {
    const { headers, params } = request
    const { answer, caller } = await enter(request, 'read', async (ctx, guest) => ({
      answer: await downloadForGuest(ctx, guest, params.fileId ?? '', { headers, query: {} }),
      caller: ctx.caller,
    }))
    if (answer.takeOver) return await answer.takeOver({ request, reply, caller, operation: guestDownload })
    return reply
      .code(answer.status ?? 200)
      .headers(answer.headers ?? {})
      .send()
  })
  const action = (verb: string, act: (ctx: Context, guest: Guest, body: unknown) => Promise<unknown>) =>
    app.post(`${path}/${verb}`, async (request: GuestRequest, reply) => {
      const answer = await enter(request, 'write', async (ctx, guest) => {
        const followUp = await act(ctx, guest, request.body ?? {})
        const ticket = await getTicket(ctx, guest.ticket.id, { anywhere: true })
        return { ...(await readForGuest(ctx, { ...guest, ticket })), ...(followUp ? { followUp } : {}) }
      })
      return secret(reply).send(answer)
    })
  action('message', (ctx, guest, body) => writeMessage(ctx, guest, messageBody.read(body)))
  const without = (act: typeof close) => (ctx: Context, guest: Guest, body: unknown) => {
    emptyBody.read(body)
    return act(ctx, guest)
  }
  action('close', without(close))
  action('reopen', without(reopen))
  action('csat', (ctx, guest, body) => rate(ctx, guest, ratingBody.read(body)))
}

/** What a link shows is for nobody else. */
const secret = (reply: FastifyReply) => reply.header('cache-control', 'no-store')
