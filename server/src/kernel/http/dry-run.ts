import type { Caller } from '../access.ts'
import type { Context, ContextOptions } from '../context.ts'
import type { Database } from '../database.ts'
import { collected, type Reply } from '../operation.ts'

/** Runs an operation in a transaction that is always rolled back, and answers what it would have answered. */
export async function dryRun(
  database: Database,
  caller: Caller,
  run: (ctx: Context) => Promise<Reply>,
  more: ContextOptions,
): Promise<Reply> {
  try {
    return await database.transaction(
      caller,
      async ctx => {
        throw new RolledBack(await collected(await run(ctx), ctx))
      },
      more,
    )
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
    const { body, text, headers, dryRun: more } = error.reply
    const applied = headers?.['preference-applied']
    const would = text === undefined ? (body ?? null) : JSON.parse(text)
    return {
      status: 200,
      body: { would, warnings: [], ...more },
      ...(applied ? { headers: { 'preference-applied': applied } } : {}),
    }
  }
}

class RolledBack extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super('dry run')
    this.reply = reply
  }
}
