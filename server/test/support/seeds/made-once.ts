import type { Body, SeedBuilder } from './seed.ts'

/** Makes a record for a builder when it is first needed, and returns the same one each time. */
export function madeOnce(make: (b: SeedBuilder) => Promise<Body>): (b: SeedBuilder) => Promise<Body> {
  const made = new WeakMap<SeedBuilder, Promise<Body>>()
  return b => {
    const one = made.get(b) ?? make(b)
    made.set(b, one)
    return one
  }
}

export async function newItemInContainer(b: SeedBuilder): Promise<Body> {
  return await b.person.post('/item', { title: b.text(), containerId: (await b.one('Container')).id })
}

/** An item in the builder's container. */
export const itemInContainer = madeOnce(newItemInContainer)

/** A group with a member. */
export const queue = madeOnce(b => b.person.post('/user-group', { name: b.text(), members: [b.person.id] }))

/** A merge needs a target in the container; a split is sent without messages. */
export async function forMerging(b: SeedBuilder, path: string): Promise<Body> {
  return path.endsWith('/merge') ? { into: (await itemInContainer(b)).id } : { annotationIds: undefined }
}
