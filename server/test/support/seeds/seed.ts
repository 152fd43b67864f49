import type { Person } from '../people.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into records as a person would
export type Body = Record<string, any>

/** The part of the builder that a seed needs. */
export interface SeedBuilder {
  readonly person: Person
  text(): string
  instant(): string
  /** Returns a record of this kind; the same one each time. */
  one(entity: string): Promise<Body>
  rich(entity: string): Promise<Body>
}

/** The values for a body of a kind, of a path or of a route; `all` asks for every property. */
export type Seed = (builder: SeedBuilder, all: boolean, path: string) => Promise<Body> | Body
