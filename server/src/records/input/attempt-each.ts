import type { Context } from '../../kernel/context.ts'
import { forgetUncommitted } from '../../kernel/memory.ts'
import { dataRefusal } from '../../kernel/postgres/data-refusal.ts'
import { type Fault, fault, Refusal, RuleBroken } from '../../kernel/refusal.ts'

/** What became of one of many writes: its value, or why it was refused. */
export type Attempt<T> = { value: T; refusal?: undefined } | { refusal: Refusal }

/** Writes one after the other, each judged by itself: a refused one leaves no effect and stops no other. */
export async function attemptEach<I, T>(
  ctx: Context,
  inputs: readonly I[],
  write: (input: I) => Promise<T>,
): Promise<Attempt<T>[]> {
  const attempts: Attempt<T>[] = []
  for (const input of inputs) {
    await ctx.sql`savepoint attempt`
    try {
      attempts.push({ value: await write(input) })
      await ctx.sql`release savepoint attempt`
    } catch (error) {
      const refusal = error instanceof Refusal ? error : dataRefusal(error)
      if (!refusal) throw error
      await ctx.sql`rollback to savepoint attempt`
      forgetUncommitted(ctx)
      attempts.push({ refusal })
    }
  }
  return attempts
}

/** The part of an outcome that says why a write was refused. */
export function problemOf({ status, code, message: detail, faults }: Refusal): object {
  return { outcome: 'failed', status, code, detail, Fields: faults }
}

/** Refuses all writes if one of them was refused. `path` is the place of a write in the request. */
export function refuseAll(
  attempts: readonly Attempt<unknown>[],
  path: (index: number) => (string | number)[],
  results: readonly object[],
): void {
  const faults = attempts.flatMap(({ refusal }, index) => (refusal ? faultsAt(refusal, path(index)) : []))
  const failed = attempts.filter(each => each.refusal)
  if (failed.length === 0) return
  const message = `${failed.length} of ${attempts.length} entries are refused, so that none is written`
  throw new RuleBroken('entries-refused', message, faults, { results })
}

function faultsAt({ faults, code, message }: Refusal, path: (string | number)[]): Fault[] {
  if (faults.length === 0) return [fault(path, code, message)]
  return faults.map(({ Field, Code, Message, Value }) =>
    fault([...path, ...(Field === '' ? [] : Field.split('.'))], Code, Message, Value),
  )
}
