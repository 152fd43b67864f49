import { type Fault, Invalid } from '../../kernel/refusal.ts'

/** Reads a body that has a `patch` for many records, so that the faults of both are reported together. */
export function readPatchBody<E, P>(
  body: unknown,
  readEnvelope: (body: unknown) => E,
  readPatch: (patch: object) => P,
): E & { patch: P } {
  const envelope = attempt(() => readEnvelope(body))
  const patch = attempt(() => readPatch(patchOf(body)))
  const faults = [
    ...envelope.faults,
    ...patch.faults.map(each => ({ ...each, Field: `patch.${each.Field}`, Pointer: `/patch${each.Pointer}` })),
  ]
  if (faults.length > 0 || !envelope.value || !patch.value) throw new Invalid(faults)
  return { ...envelope.value, patch: patch.value }
}

/** Collects the faults of a part. */
function attempt<T>(read: () => T): { value?: T; faults: readonly Fault[] } {
  try {
    return { value: read(), faults: [] }
  } catch (error) {
    if (error instanceof Invalid) return { faults: error.faults }
    throw error
  }
}

/** The patch by its case-insensitive name; a value that is no object is reported with the rest of the body. */
function patchOf(body: unknown): object {
  const entries = body !== null && typeof body === 'object' ? Object.entries(body) : []
  const patch: unknown = entries.find(([name]) => name.toLowerCase() === 'patch')?.[1]
  return patch !== null && typeof patch === 'object' && !Array.isArray(patch) ? patch : {}
}
