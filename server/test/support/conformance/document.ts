import { apiDocument } from '../../../src/app/routes/routes.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into, part by part
export type Json = any

/** The OpenAPI document that the service publishes. */
export const document: Json = JSON.parse(JSON.stringify(apiDocument('http://gantry.localhost')))

/** The paths of the document as a tree of their segments. */
interface Segment {
  fixed: Map<string, Segment>
  parameter?: Segment
  pathItem?: Json
}

const root: Segment = { fixed: new Map() }
for (const [path, pathItem] of Object.entries<Json>(document.paths)) {
  let at = root
  for (const step of path.split('/')) {
    const next = (step.startsWith('{') ? at.parameter : at.fixed.get(step)) ?? { fixed: new Map() }
    if (step.startsWith('{')) at.parameter = next
    else at.fixed.set(step, next)
    at = next
  }
  at.pathItem = pathItem
}

/** Finds the path item of a URL; a fixed segment takes precedence over a parameter. */
export function describedAt(pathname: string): Json | undefined {
  return find(root, pathname.split('/'))
}

function find(at: Segment, [step, ...rest]: string[]): Json | undefined {
  if (step === undefined) return at.pathItem
  const next = at.fixed.get(step)
  // The web server does not take an empty segment as a parameter.
  return (next && find(next, rest)) ?? (at.parameter && step !== '' ? find(at.parameter, rest) : undefined)
}

/** Returns the part of the document that a reference names, or the value itself. */
export function resolved(value: Json): Json {
  if (typeof value?.$ref !== 'string') return value
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((part: Json, step: string) => part?.[step], document)
}
