import { createHash } from 'node:crypto'
import type { Id } from '../../kernel/id.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { LogPosition } from '../live/log-position.ts'

/** The ends of a chain. They are stored sealed, so that nobody without the master key can shorten the chain. */
export interface ChainHead {
  tenantId: Id
  /** The first seal that is kept, and the hash of the one before it. */
  first: number
  before: string
  /** The last seal, and its hash. */
  last: number
  hash: string
  /** Retention may have deleted rows up to this seal. */
  forgotten: number
}

/** A batch of rows of the log in their order. */
export interface LogSeal extends LogPosition {
  n: number
  rows: number
  digests: Buffer
}

/** The hash that precedes the first seal of a chain. */
const noHash = ''

/** The chain before its first seal. */
export const emptyChain = (tenantId: Id): ChainHead => ({
  tenantId,
  first: 1,
  before: noHash,
  last: 0,
  hash: noHash,
  forgotten: 0,
})

const purpose = 'audit-chain'

/** Version of what is hashed; another content gets another number. */
const format = 1

/** The hash of a seal, which depends on all seals before it. */
export function hashOf(tenantId: Id, { n, xact, id, rows, digests }: LogSeal, previous: string): string {
  const content = createHash('sha256').update(digests).digest('hex')
  return createHash('sha256')
    .update(JSON.stringify([format, tenantId, n, previous, xact, id, rows, content]))
    .digest('hex')
}

export const sealHead = (secrets: Secrets, head: ChainHead) => secrets.sealText(purpose, JSON.stringify(head))

export const openHead = (secrets: Secrets, sealed: string): ChainHead => JSON.parse(secrets.openText(purpose, sealed))
