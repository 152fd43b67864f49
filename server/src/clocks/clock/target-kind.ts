import { targetKind } from '../../records/clock-codes.ts'

export { targetKind }

const knownKinds: ReadonlySet<number> = new Set(Object.values(targetKind))

export const isTargetKind = (code: number) => knownKinds.has(code)
