import type { Id } from '../kernel/id.ts'

/** Inputs of a tenant that wait for the run under way, and the outcomes of their own run, in the same order. */
interface Batch<Input, Result> {
  readonly inputs: Input[]
  settled: Promise<readonly PromiseSettledResult<Result>[]>
}

/**
 * Collects the work of each tenant: one run at a time, and what arrives meanwhile is done by the next one. If a run of several
 * fails, each of them is run by itself, all at once: only those that fail then have failed, and one that waits holds up no other.
 */
export function openTenantBatches<Input, Result>(
  maxSize: number,
  /** Delays each run, so that more work arrives for it. */
  gather?: (tenantId: Id) => Promise<unknown>,
) {
  const collecting = new Map<Id, Batch<Input, Result>>()
  const last = new Map<Id, Promise<unknown>>()

  /** Runs the work after the one before of the same tenant. */
  function afterLast<T>(tenantId: Id, work: () => Promise<T>): Promise<T> {
    const mine = (last.get(tenantId) ?? Promise.resolve()).then(work).finally(() => {
      if (last.get(tenantId) === mine) last.delete(tenantId)
    })
    last.set(tenantId, mine)
    return mine
  }

  return async (tenantId: Id, input: Input, run: (inputs: readonly Input[]) => Promise<Result[]>): Promise<Result> => {
    const open = collecting.get(tenantId)
    const batch: Batch<Input, Result> =
      open && open.inputs.length < maxSize ? open : { inputs: [], settled: Promise.resolve([]) }
    const place = batch.inputs.push(input) - 1
    if (batch !== open) {
      collecting.set(tenantId, batch)
      batch.settled = afterLast(tenantId, async () => {
        if (gather) await gather(tenantId)
        if (collecting.get(tenantId) === batch) collecting.delete(tenantId)
        return await settle(batch.inputs, run)
      })
    }
    const outcome = (await batch.settled)[place]
    if (outcome?.status !== 'fulfilled') throw outcome?.reason ?? new Error('the run has no outcome')
    return outcome.value
  }
}

async function settle<Input, Result>(
  inputs: readonly Input[],
  run: (inputs: readonly Input[]) => Promise<Result[]>,
): Promise<PromiseSettledResult<Result>[]> {
  if (inputs.length > 1) {
    const [whole] = await Promise.allSettled([run(inputs)])
    if (whole.status === 'fulfilled') return whole.value.map(value => ({ status: 'fulfilled', value }))
  }
  const alone = async (input: Input): Promise<Result> => {
    const [value] = await run([input])
    if (value === undefined) throw new Error('the run has no outcome')
    return value
  }
  return await Promise.allSettled(inputs.map(alone))
}
