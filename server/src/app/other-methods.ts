import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Routes } from '../kernel/operation.ts'
import { Refusal } from '../kernel/refusal.ts'

// An address answers 405 to the methods that it does not have. These are 1,600 answers, which as routes took 3 MiB of every process
// and had to be added at every start. So only those are routes whose requests another route would take.

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface Address {
  path: string
  segments: string[]
  served: Set<string>
}

/** Mounts the answers that must be routes; returns the one to a request that no route took, if its address has other methods. */
export function mountOtherMethods(
  app: FastifyInstance,
  routes: Routes,
): (request: Pick<FastifyRequest, 'method' | 'url'>) => Refusal | undefined {
  const byLength = Map.groupBy(addressesOf(routes), ({ segments }) => segments.length)
  for (const addresses of byLength.values())
    for (const { address, methods } of routesThatRefuse(addresses))
      app.route({
        method: methods,
        url: address.path,
        handler: async () => {
          throw refusal(address)
        },
      })
  return ({ method, url }) => {
    const segments = segmentsOf(url.replace(/[?#;].*$/s, '').replace(/(?<=.)\/$/, ''))
    const found = byLength.get(segments.length)?.find(address => leads(segments, address))
    return found && methods.includes(method) ? refusal(found) : undefined
  }
}

/** Returns the addresses, fixed segments before parameters: the first one that fits a path is the one that the router takes. */
function addressesOf(routes: Routes): Address[] {
  const byPath = Map.groupBy(Object.keys(routes), route => `/api${route.split(' ')[1]}`)
  const rank = (path: string) => path.replaceAll('/:', '/\uffff')
  return [...byPath]
    .map(([path, its]) => ({ path, segments: segmentsOf(path), served: servedBy(its) }))
    .sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1))
}

function servedBy(routes: readonly string[]): Set<string> {
  const served = new Set(routes.map(route => route.split(' ')[0] ?? ''))
  return served.has('GET') ? served.add('HEAD') : served
}

const segmentsOf = (path: string) => path.split('/')
const isParameter = (segment: string | undefined) => segment?.startsWith(':') === true

/** Returns the methods of addresses that a later one would take: without a route, `GET /item/bulk` would be `GET /item/:id`. */
function routesThatRefuse(addresses: readonly Address[]): { address: Address; methods: string[] }[] {
  const later: { address: Address; takes: Set<string> }[] = []
  return addresses.toReversed().flatMap(address => {
    const overlapping = later.filter(other => overlap(address, other.address))
    const taken = methods.filter(each => !address.served.has(each) && overlapping.some(({ takes }) => takes.has(each)))
    later.push({ address, takes: new Set([...address.served, ...taken]) })
    return taken.length > 0 ? [{ address, methods: taken }] : []
  })
}

const overlap = (one: Address, other: Address) =>
  one.segments.every((each, at) => each === other.segments[at] || isParameter(each) || isParameter(other.segments[at]))

const leads = (given: readonly string[], { segments }: Address) =>
  segments.every((each, at) => (isParameter(each) ? given[at] !== '' : each === given[at]))

function refusal({ served }: Address): Refusal {
  const allow = [...served].join(', ')
  return new Refusal(405, 'method-not-allowed', `this address accepts ${allow}`, { headers: { allow } })
}
