import type { Caller } from './access.ts'
import type { Context } from './database.ts'

/**
 * What follows by itself from something that a caller may do (a reply that opens a closed ticket again) is done in their
 * name and asks for no further right of theirs.
 */
export function byItself(ctx: Context): Context {
  return as(ctx, { ...ctx.caller, scopes: [], authority: { ...ctx.caller.authority, superAdmin: true, wholly: true } })
}

/** The same transaction, as somebody else asks. */
export function as(ctx: Context, caller: Caller): Context {
  return {
    caller,
    now: ctx.now,
    sql: ctx.sql,
    single: ctx.single,
    strict: ctx.strict,
    baseUrl: ctx.baseUrl,
    outbound: ctx.outbound,
    apart: ctx.apart,
    atDoor: ctx.atDoor,
    actFor: (caller, work) => ctx.actFor(caller, work),
    get changeSet() {
      return ctx.changeSet
    },
    get secrets() {
      return ctx.secrets
    },
    get blobs() {
      return ctx.blobs
    },
    afterCommit: work => ctx.afterCommit(work),
  }
}
