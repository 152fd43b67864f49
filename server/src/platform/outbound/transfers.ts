import { type Outbound, type OutboundRules, openOutbound } from './outbound.ts'

declare module '../../kernel/context.ts' {
  interface Services {
    /** Sends and receives bytes of any length, for the stores of tenants. */
    transfer: Outbound['transfer']
  }
}

/** Opens the client at its first use, because most installations call no stores. Its idle connections keep no process alive. */
export function openTransfers(rules: OutboundRules): Outbound['transfer'] {
  let client: Outbound | undefined
  return request => {
    client ??= openOutbound(rules)
    return client.transfer(request)
  }
}
