import { enqueue } from '../../engine/dispatch/enqueue.ts'
import { Postponed, type Task, type Work } from '../../engine/dispatch/task.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ScannerUnreachable, scanForVirus } from '../../platform/bytes/virus-scan.ts'
import { fileState } from './file-state.ts'

const taskName = 'scan-file'

/** A scanner that is down is asked again after this time, for as long as it takes; ms. */
const pause = 30_000

/** Whether new files are closed until they are scanned. */
export function isScanned({ services }: Context): boolean {
  return services.outboundRules.clamd !== undefined
}

/** Lets a new file be scanned after the transaction that stores it. */
export async function enqueueScan(ctx: Context, id: Id): Promise<void> {
  await enqueue(ctx, { task: taskName, payload: { id } })
}

/** Sets the state of a file that was scanned; `files.update` without its import, which would be a circle. */
type SetState = (ctx: Context, id: Id, state: number) => Promise<void>

/**
 * Scans a file and opens or quarantines it. While the scanner is down, files wait. One that it cannot scan, because it is too
 * large for it, is quarantined: what was not scanned must not pass.
 */
export function scanFileTask(setState: SetState): Task {
  const end = async (work: Work, state: number) =>
    await work.transaction(work.service, ctx => setState(ctx, String(work.payload.id), state))
  return {
    name: taskName,
    retryDelays: [5_000, 60_000, 600_000],
    async run(work) {
      const found = await work.single(work.service, ctx => waitingFile(ctx, String(work.payload.id)))
      if (!found) return
      const virus = await scanForVirus(found.scanner, await found.bytes()).catch(error => {
        throw error instanceof ScannerUnreachable ? new Postponed(pause, error.message) : error
      })
      await end(work, virus === undefined ? fileState.ready : fileState.quarantined)
    },
    async onGiveUp(work) {
      await end(work, fileState.quarantined)
    },
  }
}

async function waitingFile(ctx: Context, id: Id) {
  const { tenantId } = ctx.caller
  const { storedBytes, outboundRules } = ctx.services
  const [file] = await ctx.sql<{ sha256: string }>`select sha256 from file
    where tenant_id = ${tenantId} and id = ${id} and state = ${fileState.scanning} and not deleted`
  if (!file) return undefined
  const scanner = outboundRules.clamd
  if (scanner === undefined) throw new Postponed(pause, 'this process knows no scanner: CLAMD is not set')
  const bytes = await storedBytes.find(ctx, file.sha256)
  return { scanner, bytes: () => bytes.open() }
}
