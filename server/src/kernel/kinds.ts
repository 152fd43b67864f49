import type { Resource } from './resource.ts'

/** Every kind by its name, so that a reference can be checked without importing the kind it points at. */
const kinds = new Map<string, Resource>()

export function register(made: Resource): void {
  kinds.set(made.entity, made)
}

export function kind(entity: string): Resource {
  const found = kinds.get(entity)
  if (!found) throw new Error(`no kind is called ${entity}`)
  return found
}

export function kindNamed(entity: string): Resource | undefined {
  return kinds.get(entity)
}

export function allKinds(): Resource[] {
  return [...kinds.values()]
}
