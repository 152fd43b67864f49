import { Builder, seedTenant } from '../builder.ts'
import { roster } from '../isolation/roster.ts'
import { kinds, type Op } from '../operations.ts'
import type { Person, TestPeople } from '../people.ts'
import type { Case, Sensible } from './cases.ts'
import { openOperations } from './open-operations.ts'

interface Sender {
  person: Person
  own: Builder
  other: Builder
}

/** Two tenants whose users send the generated requests, most of them as super admin, who gets furthest. */
export interface FuzzWorld {
  senderOf(one: Case): Sender
  /** Returns the values of a valid request for the operation of a case. */
  sensible(one: Case): Promise<Sensible>
}

/** Fills the first tenant with records of every kind; those of the second are made when a request names them. */
export async function openFuzzWorld(people: TestPeople): Promise<FuzzWorld> {
  const { ada, eve, nobody } = people
  const [ours, theirs] = [new Builder(ada), new Builder(eve)]
  await seedTenant(ours)
  const roles = (await roster(people, ours)).map(each => each.person)
  const rita = await people.person({ name: 'Rita', role: 2, kind: 1 })
  const senders: Sender[] = [
    ...[...Array<Person>(24).fill(ada), ...roles, rita, nobody].map(person => ({ person, own: ours, other: theirs })),
    ...Array<Person>(4)
      .fill(eve)
      .map(person => ({ person, own: theirs, other: ours })),
  ]
  for (const { person } of senders) person.unchecked() // the answers are judged here
  const senderOf = ({ who }: Case): Sender =>
    senders[who % senders.length] ?? { person: nobody, own: ours, other: theirs }
  return {
    senderOf,
    sensible(one) {
      const { own, other } = senderOf(one)
      const builder = one.foreign ? other : own
      // An earlier request may have archived or deleted what the builder would refer to, so it begins anew.
      return sensible(builder, one).catch(() => sensible(new Builder(builder.person), one))
    },
  }
}

/**
 * The body that the operation accepts: newly built for a create, because unique values must be free; otherwise an
 * existing one.
 */
async function sensible(builder: Builder, { op, fresh }: Case): Promise<Sensible> {
  if (openOperations.includes(op)) return await sensibleOpen(builder, op)
  const params = await builder.params(op)
  const kind = builder.kindAt(op) ?? kinds.find(one => one.updateByBody === op)
  const isFresh = kind !== undefined && fresh && op.method === 'DELETE' && op.path === kind.get.path
  const record =
    kind && (isFresh ? (await builder.make(kind, { all: false })).record : await builder.rich(kind.entity, kind.base))
  if (kind && op.params.includes(kind.idName)) params[kind.idName] = record?.id
  if (!op.operation.body && !op.operation.form) return { params, body: undefined, isFresh }
  return { params, body: record && op.method !== 'POST' ? record : await builder.bodyOf(op), isFresh }
}

async function sensibleOpen(builder: Builder, op: Op): Promise<Sensible> {
  const params: Record<string, string> = { token: 'x', secret: 'x' }
  if (op.params.includes('id')) params.id = (await builder.one('Rule')).id
  return { params, body: op.operation.body?.example }
}
