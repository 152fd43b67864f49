import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Id, newId } from '../../kernel/id.ts'
import { type ObjectStore, StoreFailure, type StoreFault } from '../../platform/object-store/object-store.ts'
import { keyPrefix } from './open-store.ts'
import type { OutboundStorage } from './outbound-storage.ts'

interface ProbeResult {
  ok: boolean
  step: string
  fault: StoreFault | 'other-bytes' | ''
  message: string
}

/** Tries with a small object everything that files need of a store. */
export async function probe(
  store: ObjectStore,
  storage: Pick<OutboundStorage, 'prefix'>,
  tenantId: Id,
): Promise<ProbeResult> {
  const key = `${keyPrefix(storage, tenantId)}probe-${newId()}`
  const bytes = Buffer.from(`Gantry was here: ${key}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const same = (found: Buffer, wanted: Buffer) => {
    if (!found.equals(wanted)) throw new OtherBytes('the store answers other bytes than were written')
  }
  const steps: Record<string, () => Promise<void>> = {
    write: () => store.put(key, { size: bytes.length, sha256, read: async () => Readable.from([bytes]) }),
    read: async () => same(await buffer(await store.get(key)), bytes),
    range: async () => same(await buffer(await store.get(key, { start: 3, end: 8 })), bytes.subarray(3, 9)),
    list: async () => {
      const found = await Array.fromAsync(store.list(key))
      if (!found.includes(key)) throw new OtherBytes('the store does not list what was written')
    },
    delete: () => store.remove(key),
  }
  for (const [step, act] of Object.entries(steps)) {
    try {
      await act()
    } catch (error) {
      if (step !== 'write' && step !== 'delete') await store.remove(key).catch(() => {})
      if (!(error instanceof StoreFailure || error instanceof OtherBytes)) throw error
      const fault = error instanceof StoreFailure ? error.fault : 'other-bytes'
      return { ok: false, step, fault, message: error.message }
    }
  }
  return { ok: true, step: '', fault: '', message: '' }
}

class OtherBytes extends Error {}
