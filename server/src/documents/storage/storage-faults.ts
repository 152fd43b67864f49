import { type Fault, fault } from '../../kernel/refusal.ts'
import { type OutboundRules, urlFault } from '../../platform/outbound/outbound.ts'
import { storageKind } from './storage-kind.ts'

interface StorageSettings {
  kind: number
  endpoint: string
  region: string
  bucket: string
  prefix: string
}

/** Returns what is wrong with the settings of a storage, as far as it is visible without a call. */
export function storageFaults(
  { kind, endpoint, region, bucket, prefix }: StorageSettings,
  rules: OutboundRules,
): Fault[] {
  if (kind === storageKind.local) return []
  if (kind !== storageKind.s3) return [fault(['kind'], 'not-supported', 'must be 0 (disk) or 1 (S3)', kind)]
  const wrong = {
    endpoint: endpointFault(endpoint, rules),
    region: /^[a-z0-9-]*$/i.test(region) ? undefined : 'must be letters, digits and hyphens',
    bucket: /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(bucket)
      ? undefined
      : 'must be 3 to 63 letters, digits, hyphens and dots',
    prefix:
      prefix === '' || prefix.split('/').every(part => /^(?!\.{1,2}$)[\w.-]+$/.test(part))
        ? undefined
        : 'must be names of letters, digits, `_`, `-` and `.`, with `/` between them',
  }
  const given: Record<string, string> = { endpoint, region, bucket, prefix }
  return Object.entries(wrong).flatMap(([property, message]) =>
    message === undefined
      ? []
      : [fault([property], property === 'endpoint' ? 'url' : 'pattern', message, given[property])],
  )
}

function endpointFault(endpoint: string, rules: OutboundRules): string | undefined {
  const wrong = urlFault(endpoint, rules)
  if (wrong !== undefined) return wrong
  const { pathname, search, hash } = new URL(endpoint)
  return pathname === '/' && search === '' && hash === '' ? undefined : 'must be an address without a path'
}
