import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileOf, makeKeyFile, restrictAccess, writeKeyFile } from './key-file.ts'

export { fileOf, writeKeyFile }

/** A master key with the id that names it in sealed values: four bytes that say nothing about the key. */
export interface MasterKey {
  readonly id: Buffer
  readonly key: Buffer
}

/** The master keys that a process knows. */
export interface KeyRing {
  /** Where the keys come from. */
  readonly source: 'environment' | 'file'
  /** The key that seals. */
  first(): MasterKey
  /** All keys, the one that seals first. */
  all(): readonly MasterKey[]
  /** The key with this id. */
  find(id: Uint8Array): MasterKey | undefined
}

interface KeyRingOptions {
  /** One or more keys, each 32 bytes as hex or base64; without it they are in `${dataDir}/master.key`, created at the first start. */
  masterKey?: string | undefined
  dataDir: string
}

/** The master key is malformed, or is not the one of this installation. The message tells an operator what to do. */
export class WrongMasterKey extends Error {}

export function openKeyRing({ masterKey, dataDir }: KeyRingOptions): KeyRing {
  if (masterKey) return ringOf('environment', constant(readKeys(masterKey, 'MASTER_KEY')))
  const file = fileOf(dataDir)
  if (!existsSync(file)) makeKeyFile(dataDir, `${newKey()}\n`)
  restrictAccess(file)
  return ringOf('file', followed(file))
}

type ReadKeys = () => readonly [MasterKey, ...MasterKey[]]

function ringOf(source: KeyRing['source'], keys: ReadKeys): KeyRing {
  keys()
  return {
    source,
    first: () => keys()[0],
    all: keys,
    find: id => keys().find(each => each.id.equals(id)),
  }
}

function constant<T>(value: T): () => T {
  return () => value
}

/**
 * The keys of the file as it is now: a process that runs learns of a new key the next time that it seals or opens a value.
 * The look at the file costs microseconds, and values are sealed and opened rarely.
 */
function followed(file: string): ReadKeys {
  let known: { stamp: string; keys: ReturnType<ReadKeys> } | undefined
  return () => {
    try {
      const { mtimeNs, ino, size } = statSync(file, { bigint: true })
      const stamp = `${mtimeNs} ${ino} ${size}`
      if (known?.stamp !== stamp) known = { stamp, keys: readKeys(readFileSync(file, 'utf8'), file) }
    } catch (error) {
      // A service that runs goes on with the keys that it knows.
      if (!known) throw error
    }
    return known.keys
  }
}

/** Reads keys that are separated by white space or commas. */
function readKeys(text: string, source: string): [MasterKey, ...MasterKey[]] {
  const [first, ...more] = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(each => readKey(each, source))
  if (!first) throw new WrongMasterKey(`${source} is empty; it must be 32 bytes, written as hex or base64`)
  return [first, ...more]
}

function readKey(written: string, source: string): MasterKey {
  const key = /^[0-9a-f]{64}$/i.test(written) ? Buffer.from(written, 'hex') : Buffer.from(written, 'base64')
  // Node ignores characters that are not base64, so a mistyped key is detected by its length and its alphabet.
  if (key.length !== 32 || !/^[0-9a-z+/_-]+=?$/i.test(written))
    throw new WrongMasterKey(`${source} must be 32 bytes, written as hex or base64`)
  return { key, id: createHash('sha256').update('gantry master key id').update(key).digest().subarray(0, 4) }
}

const newKey = () => randomBytes(32).toString('base64')

/** Puts a new key before those of the file. */
export function prependKey(dataDir: string): void {
  writeKeyFile(dataDir, `${newKey()}\n${readFileSync(fileOf(dataDir), 'utf8').trim()}\n`)
}

/** Leaves only the first key in the file. */
export function dropOldKeys(dataDir: string): void {
  const [first = ''] = readFileSync(fileOf(dataDir), 'utf8')
    .trim()
    .split(/[\s,]+/)
  writeKeyFile(dataDir, `${first}\n`)
}
