import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, demandOperation, tenantStatus } from '../access.ts'
import type { Context, ContextOptions } from '../context.ts'
import { newId } from '../id.ts'
import { type Input, NeedsTransaction, type Operation, type Received } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { dryRun } from './dry-run.ts'
import type { HttpOptions } from './http-options.ts'
import { sendProblem } from './problem.ts'
import { queryReader } from './query.ts'
import { header, isStrict, pathParameters, readInput } from './request-input.ts'
import { redacted, sendReply } from './send-reply.ts'

/** Authenticates, authorizes, validates, runs and answers the requests of one operation. */
export function requestHandler(operation: Operation, route: string, options: HttpOptions) {
  const { database, authenticate } = options
  const [method = '', path = ''] = route.split(' ')
  const readQuery = queryReader(operation)
  const observe = options.observe?.(method, `/api${path}`)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const start = performance.now()
    try {
      return await handle(request, reply)
    } catch (error) {
      sendProblem(error, request, reply, options)
      return reply
    } finally {
      // Observed here and not in a hook of the server, which would make a read a tenth slower.
      observe?.(reply.statusCode, (performance.now() - start) / 1000)
    }
  }

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    if (operation.constantHeaders) reply.headers(operation.constantHeaders)
    const caller = await authenticate(request)
    const counted = options.rateLimit?.(caller, reply)
    if (counted) await counted
    demandOperation(caller, operation)
    refuseSuspended(caller, operation)
    const query = readQuery(request.query as Record<string, unknown>)
    const { form, admit } = operation
    if (admit) await database.single(caller, admit)
    const received = await form?.receive(options.readForm(request, form), database.services, {
      params: pathParameters(request),
      query,
      headers: request.headers,
      transaction: work => database.transaction(caller, work, { operation }),
    })
    try {
      return await answer(caller, request, reply, query, received)
    } catch (error) {
      if (error instanceof Refusal)
        Object.assign(error.extra, (await redacted(database, caller, { body: error.extra })).body)
      throw error
    } finally {
      await received?.release()
    }
  }

  async function answer(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
    query: Record<string, unknown>,
    received: Received | undefined,
  ) {
    const input = readInput(operation, request, query, received)
    const more: ContextOptions = {
      strict: isStrict(request),
      operation,
      ...(operation.mode === 'read' ? {} : { changeSet: newId() }),
    }
    const answer = await runOperation(caller, request, input, more)
    if (answer.takeOver) return answer.takeOver({ request, reply, caller, operation })
    if (more.changeSet) reply.header('change-set', answer.headers?.['change-set'] ?? more.changeSet)
    return sendReply(reply, operation, await redacted(database, caller, answer), request, (work, as) =>
      // A transaction that a client reads is as long as the client is slow.
      as === 'transaction'
        ? database.transaction(caller, work, { ...more, operation: undefined })
        : database.single(caller, work, more),
    )
  }

  async function runOperation(caller: Caller, request: FastifyRequest, input: Input, more: ContextOptions) {
    const run = (ctx: Context) => operation.run(ctx, input)
    if (operation.mode !== 'read' && input.query.dryRun === 'true') return await dryRun(database, caller, run, more)
    const key = request.method === 'POST' ? header(request, 'idempotency-key') : ''
    const once = (ctx: Context) =>
      options.idempotently(ctx, { key, route, operation, url: request.url, body: input.raw }, run)
    if (key) return await database.transaction(caller, once, more)
    if (operation.mode === 'write') return await database.transaction(caller, run, more)
    try {
      return await database.single(caller, run, more)
    } catch (error) {
      if (error instanceof NeedsTransaction) return await database.transaction(caller, run, more)
      throw error
    }
  }
}

/** The records of a suspended tenant can be read and not changed. */
function refuseSuspended({ tenantStatus: status = tenantStatus.active }: Caller, { mode }: Operation): void {
  if (status === tenantStatus.active || mode === 'read') return
  throw status === tenantStatus.suspended
    ? new Refusal(403, 'tenant-suspended', 'the tenant is suspended: it can be read and not changed')
    : new Refusal(403, 'tenant-closing', 'the tenant is closing: it can be exported and not changed')
}
