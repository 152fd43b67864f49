import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { history } from '../../records/history/history.ts'
import { openStore } from './open-store.ts'
import { outboundStorages } from './outbound-storage.ts'
import { probe } from './probe.ts'
import { recordHealth } from './storage-health.ts'
import { storageKind } from './storage-kind.ts'
import { changeStorage, createStorage, removeStorage } from './write-storage.ts'

const test = operation({
  permission: outboundStorages.permissions.update,
  mode: 'read',
  summary: 'Test a storage',
  description:
    'Writes a small object, reads it in whole and in part, lists and deletes it, and says which step failed and why. `health` of the storage shows the result.',
  reply: {
    status: 200,
    schema: {
      type: 'object',
      properties: {
        ok: { type: 'boolean', description: 'Whether files can be stored there.' },
        step: {
          type: 'string',
          enum: ['', 'write', 'read', 'range', 'list', 'delete'],
          description: 'The step that failed; empty if none did.',
        },
        fault: {
          type: 'string',
          enum: [
            '',
            'unreachable',
            'busy',
            'credentials',
            'denied',
            'no-bucket',
            'region',
            'missing',
            'refused',
            'other-bytes',
          ],
          description: 'What is wrong; empty if nothing is.',
        },
        message: { type: 'string' },
      },
      required: ['ok', 'step', 'fault', 'message'],
    },
    description: 'The result.',
  },
  refusals: [404],
  async run(ctx, { params }) {
    const storage = await outboundStorages.get(ctx, params.id ?? '')
    if (storage.kind !== storageKind.s3) return { body: { ok: true, step: '', fault: '', message: '' } }
    const store = await openStore(ctx, storage)
    const { tenantId } = ctx.caller
    // The reply is a stream, so that no database connection is held while waiting for a foreign host.
    return {
      async *stream(reopen) {
        const result = await probe(store, storage, tenantId)
        await reopen(inner => recordHealth(inner, storage.id, result.message))
        yield JSON.stringify(result)
      },
    }
  },
})

export const routes: Routes = {
  'GET /outbound-storage': list(outboundStorages),
  'POST /outbound-storage': create(outboundStorages, createStorage),
  'PUT /outbound-storage': update(outboundStorages, changeStorage),
  'GET /outbound-storage/:id': get(outboundStorages),
  'PUT /outbound-storage/:id': update(outboundStorages, changeStorage),
  'PATCH /outbound-storage/:id': update(outboundStorages, changeStorage),
  'DELETE /outbound-storage/:id': remove(outboundStorages, removeStorage),
  'POST /outbound-storage/:id/restore': restore(outboundStorages),
  'GET /outbound-storage/:id/history': history(outboundStorages),
  'GET /outbound-storage/:id/check': check(outboundStorages),
  'POST /outbound-storage/:id/test': test,
}
