import type { Id } from '../kernel/id.ts'

/** Inputs of a tenant that wait for the run under way, and the outcomes of their own run, in the same order. */
interface Batch<Input, Result> {
  readonly inputs: Input[]
  outcomes: Promise<readonly Promise<Result>[]>
}

/** How long a run keeps the next one of its tenant waiting, in ms: it may itself wait for a lock that somebody holds. */
const longestTurn = 500

/**
 * Collects the work of each tenant: one run at a time, unless it takes long, and what arrives meanwhile is done by the next one. If a run
 * of several fails, each of them is run by itself, all at once: only those that fail then have failed, and one that waits holds up no other.
 */
export function openTenantBatches<Input, Result>(
  maxSize: number,
  /** Delays each run, so that more work arrives for it. */
  gather?: (tenantId: Id) => Promise<unknown>,
) {
  const collecting = new Map<Id, Batch<Input, Result>>()
  const last = new Map<Id, Promise<void>>()

  /** Runs the work when the turn of the one before of the same tenant is over. */
  async function inTurn(tenantId: Id, work: () => Promise<readonly Promise<Result>[]>) {
    const before = last.get(tenantId)
    const turn = Promise.withResolvers<void>()
    last.set(tenantId, turn.promise)
    await before
    const late = setTimeout(turn.resolve, longestTurn)
    const outcomes = work()
    void outcomes
      .then(
        all => Promise.allSettled(all),
        () => undefined, // those who wait for their outcomes are told
      )
      .finally(() => {
        clearTimeout(late)
        turn.resolve()
        if (last.get(tenantId) === turn.promise) last.delete(tenantId)
      })
    return await outcomes
  }

  return async (tenantId: Id, input: Input, run: (inputs: readonly Input[]) => Promise<Result[]>): Promise<Result> => {
    const open = collecting.get(tenantId)
    const batch: Batch<Input, Result> =
      open && open.inputs.length < maxSize ? open : { inputs: [], outcomes: Promise.resolve([]) }
    const place = batch.inputs.push(input) - 1
    if (batch !== open) {
      collecting.set(tenantId, batch)
      batch.outcomes = inTurn(tenantId, async () => {
        try {
          if (gather) await gather(tenantId)
        } finally {
          if (collecting.get(tenantId) === batch) collecting.delete(tenantId)
        }
        return await outcomesOf(batch.inputs, run)
      })
    }
    const outcome = await (await batch.outcomes)[place]
    if (outcome === undefined) throw new Error('the run has no outcome')
    return outcome
  }
}

/** Runs all inputs together, else each by itself. */
async function outcomesOf<Input, Result>(
  inputs: readonly Input[],
  run: (inputs: readonly Input[]) => Promise<Result[]>,
): Promise<Promise<Result>[]> {
  if (inputs.length > 1) {
    const [whole] = await Promise.allSettled([run(inputs)])
    if (whole.status === 'fulfilled') return whole.value.map(value => Promise.resolve(value))
  }
  return inputs.map(async input => {
    const [value] = await run([input])
    if (value === undefined) throw new Error('the run has no outcome')
    return value
  })
}
