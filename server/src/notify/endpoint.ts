import { Type } from 'typebox'
import { action, actionTypes } from '../containers/action/action.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { type Fault, fault } from '../kernel/refusal.ts'
import { Text, Texts } from '../kernel/schema/values.ts'
import { headerFault, urlFault } from '../platform/outbound/outbound.ts'
import { dropSecrets, mask, readSecret, storeSecret, UnsealFailed } from '../platform/secrets.ts'
import { Code } from '../records/code-table.ts'
import { complete, type Entry, withIds } from '../records/input/entries.ts'

/** A call to an external address. Header values often contain tokens, so they are stored encrypted and never shown. */
export const endpoint = {
  actionType: Code(actionTypes),
  url: Text(2048),
  httpHeader: Texts(50, 8192),
  to: Text(2000, {
    description:
      'Of a text message (47): numbers and people (`+49 30 1234`, a user or a group by its id, `@assignee`, `@requester`, `@author`, `@actor`, `@watcher`), by commas.',
  }),
  text: Text(2000, {
    description:
      'Of a text message (47): what it says, or the id of a content template; the key and the title if empty.',
  }),
  id: Text(100),
  active: Type.Boolean({ default: true }),
}

export type Endpoint = Entry<typeof endpoint>
type Given = Parameters<typeof complete<typeof endpoint>>[1]

/** Endpoints separated into what the record stores and the header values that are stored encrypted. */
export interface ReadEndpoints {
  /** As they are stored, shown and logged: every header is `Name: ***`; `to` and `text` are left out where they are empty. */
  masked: (Omit<Endpoint, 'to' | 'text'> & Partial<Endpoint>)[]
  /** New header values by the name of their secret. */
  fresh: Map<string, string>
  /** The names of the secrets that stay as they are. */
  kept: string[]
  faults: Fault[]
}

/** Separates the header values from the endpoints. A mask that a client sends back stands for the stored value. */
export function readEndpoints(ctx: Context, given: Given, before: Given): ReadEndpoints {
  const stored = complete(endpoint, before)
  const endpoints = withIds(complete(endpoint, given), stored, ({ actionType, url }) => `${actionType} ${url}`)
  const read: ReadEndpoints = { masked: [], fresh: new Map(), kept: [], faults: [] }
  for (const [i, each] of endpoints.entries()) {
    const was = stored.find(({ id }) => id === each.id)
    const wrong = was?.url === each.url ? undefined : addressFault(ctx, each)
    if (wrong) read.faults.push(fault(['actionEndpoint', i, 'url'], 'url', wrong, each.url))
    const { to, text, ...called } = each
    const httpHeader = readHeaders(each, was, ['actionEndpoint', i, 'httpHeader'], read)
    read.masked.push({ ...called, httpHeader, ...(to === '' ? {} : { to }), ...(text === '' ? {} : { text }) })
  }
  return read
}

/** A missing address is a finding and no fault; Slack is also addressed by the name of a channel. */
function addressFault({ services }: Context, { actionType, url }: Endpoint): string | undefined {
  if (url === '' || (actionType === action.slack && !url.includes(':'))) return undefined
  return urlFault(url, services.outboundRules)
}

function readHeaders(
  each: Endpoint,
  was: Endpoint | undefined,
  path: (string | number)[],
  read: ReadEndpoints,
): string[] {
  const known = new Set(was ? secretNames(was) : [])
  const names = secretNames(each)
  return each.httpHeader.map((line, i) => {
    // The fault does not repeat the line, because it may contain a token.
    const wrong = headerFault(line)
    if (wrong) read.faults.push(fault([...path, i], 'header', wrong))
    const colon = line.indexOf(':')
    const [header, value] = [line.slice(0, colon), line.slice(colon + 1).trim()]
    const name = names[i] ?? ''
    if (value !== mask) read.fresh.set(name, value)
    else if (!known.has(name)) read.faults.push(fault([...path, i], 'no-value', 'no value is stored for this header'))
    else if (was && hostOf(was.url) !== hostOf(each.url)) {
      // Otherwise somebody who may change a rule, but not read its secrets, could send them to a host of their own.
      read.faults.push(fault([...path, i], 'other-host', 'the address has another host: enter the value again'))
    } else read.kept.push(name)
    return `${header}: ${mask}`
  })
}

/** The name of a secret contains the endpoint, the header and a counter, so that it survives a reordering. */
function secretNames({ id, httpHeader }: Endpoint): string[] {
  const seen = new Map<string, number>()
  return httpHeader.map(line => {
    const header = line.slice(0, line.indexOf(':')).toLowerCase()
    const n = seen.get(header) ?? 0
    seen.set(header, n + 1)
    return JSON.stringify(['actionEndpoint', id, header, n])
  })
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

/** Whether one of the new values differs from the stored one. */
export async function differsFromStored(ctx: Context, ruleId: Id, { fresh }: ReadEndpoints): Promise<boolean> {
  for (const [name, value] of fresh) if ((await storedValue(ctx, ruleId, name)) !== value) return true
  return false
}

/** A value that can no longer be decrypted counts as missing. */
async function storedValue(ctx: Context, ruleId: Id, name: string): Promise<string | undefined> {
  try {
    return await readSecret(ctx, ruleId, name)
  } catch (error) {
    if (error instanceof UnsealFailed) return undefined
    throw error
  }
}

/** The headers with their values, for a call; a header whose value is missing is left out. */
export async function headerValues(ctx: Context, ownerId: Id, each: Endpoint): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  const names = secretNames(each)
  for (const [i, line] of each.httpHeader.entries()) {
    const value = await storedValue(ctx, ownerId, names[i] ?? '')
    if (value !== undefined) values[line.slice(0, line.indexOf(':')).toLowerCase()] = value
  }
  return values
}

/** Stores the new values and deletes those that are no longer used. */
export async function storeHeaderValues(ctx: Context, ruleId: Id, { fresh, kept }: ReadEndpoints): Promise<void> {
  for (const [name, value] of fresh) await storeSecret(ctx, ruleId, name, value)
  await dropSecrets(ctx, ruleId, [...fresh.keys(), ...kept])
}
