// The addresses of the API as a tree of their segments. As routes of the web server, a thousand of them would take 7 MB and a third of
// the start of every process; here they take what the tree needs.

/** What an address serves: the route of each method. */
export type Served = ReadonlyMap<string, string>

interface Place {
  fixed: Map<string, Place>
  parameter?: Place
  served: Map<string, string>
}

/** Longer segments name no record. */
const maxParameter = 2000

/** Returns the function that finds the address of a path, and the values of its parameters in order. */
export function routeTable(
  routes: readonly string[],
): (path: string) => { served: Served; values: string[] } | undefined {
  const root = newPlace()
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ')
    const { served } = segmentsOf(path).reduce(placeBelow, root)
    served.set(method, route)
    if (method === 'GET') served.set('HEAD', route)
  }
  return path => {
    const segments = segmentsOf(path)
    return search(root, path.includes('%') ? segments.map(decodeURIComponent) : segments, [])
  }
}

const newPlace = (): Place => ({ fixed: new Map(), served: new Map() })

/** The segments of a path; one slash at its end means nothing. */
function segmentsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? -1 : undefined
  return path.slice(1, end).split('/')
}

function placeBelow(place: Place, segment: string): Place {
  if (segment.startsWith(':')) {
    place.parameter ??= newPlace()
    return place.parameter
  }
  const next = place.fixed.get(segment) ?? newPlace()
  place.fixed.set(segment, next)
  return next
}

/** A fixed segment comes before a parameter, whatever the method: `GET /item/bulk` is not the item `bulk`. */
function search(place: Place, segments: string[], values: string[]): { served: Served; values: string[] } | undefined {
  const [segment, ...rest] = segments
  if (segment === undefined) return place.served.size > 0 ? { served: place.served, values } : undefined
  const fixed = place.fixed.get(segment)
  const found = fixed && search(fixed, rest, values)
  if (found || !place.parameter || segment === '' || segment.length > maxParameter) return found
  return search(place.parameter, rest, [...values, segment])
}
