import type { Cycle, Label, Process, SessionState, User } from '@gantry/sdk'
import type { FieldChoice, Property } from '../../kernel/fields/fields.ts'
import { StatusIcon, type StatusShape } from '../../kit/icons.tsx'
import { Avatar } from '../../kit/kit.tsx'
import { shapeOf, statusesOf } from '../catalogue.ts'
import { say } from '../messages.ts'
import { findLabels, findPeople, nothing } from './find-choices.tsx'

/** The choices that the catalogue of a tenant gives to the properties of items. */
export interface Catalogue {
  /** The statuses of all processes, in the order in which work goes through them. */
  statuses: readonly (FieldChoice & { category: number })[]
  shapeOf: (status: string, category: number | undefined) => StatusShape
  people: readonly FieldChoice[]
  /** The person first, and nobody last. */
  assignable: readonly FieldChoice[]
  findPeople: Pick<Property, 'findChoices'>
  labels: readonly FieldChoice[]
  findLabels: Pick<Property, 'findChoices'>
  containers: readonly FieldChoice[]
  cycles: readonly FieldChoice[]
}

interface Sources {
  processes: readonly Process[]
  /** Undefined while the list is on its way. */
  users: ReadonlyMap<string, User> | undefined
  labels: readonly Label[] | undefined
  cycles: readonly Cycle[]
  session: SessionState
}

/** From so many people or labels on, and while their list is on its way, the service is asked for them: an editor that is open keeps the choices it has. */
export const knownUsers = 200

export function catalogueChoices({ processes, users, labels, cycles, session }: Sources): Catalogue {
  const { statuses, shapes } = statusChoices(processes)
  const { user: me, containers } = session
  const own = personChoice(me)
  const others = [...(users?.values() ?? [])].filter(({ id }) => id !== me.id).map(personChoice)
  const nobody: FieldChoice = { value: '', label: say.nobody, icon: <span className="av av-none" /> }
  const find = async (text: string) => (await findPeople(text)).map(personChoice)
  return {
    statuses,
    shapeOf: (status, category) => shapes.get(status) ?? shapeOf(category),
    people: [own, ...others],
    assignable: [own, ...others, nobody],
    findPeople: users && users.size < knownUsers ? {} : { findChoices: find },
    labels: (labels ?? []).map(({ name }) => ({ value: name, label: name })),
    findLabels: labels && labels.length < knownUsers ? {} : { findChoices: findLabels },
    containers: containers.map(({ id, name, key }) => ({ value: id, label: name, hint: key })),
    cycles: [
      nothing(),
      ...cycles.map(({ id, name, number }) => ({ value: id, label: name || say.cycleNumber(number) })),
    ],
  }
}

const personChoice = ({ id, name }: { id: string; name: string }): FieldChoice => ({
  value: id,
  label: name,
  icon: <Avatar id={id} name={name} />,
})

/** Of several states in which work is under way, the last one is nearly done and has a fuller shape. */
function statusChoices(processes: readonly Process[]) {
  const shapes = new Map<string, StatusShape>()
  const categories = new Map<string, number>()
  for (const process of processes) {
    const states = statusesOf(process)
    for (const [at, { name, category }] of states.entries()) {
      const shape = shapeOf(category)
      const isLast = shape === 'half' && states[at - 1]?.category === category && states[at + 1]?.category !== category
      if (shapes.has(name)) continue
      shapes.set(name, isLast ? 'full' : shape)
      categories.set(name, category)
    }
  }
  const statuses = [...categories]
    .sort(([, one], [, other]) => one - other)
    .map(([name, category]) => ({
      value: name,
      label: name,
      category,
      icon: <StatusIcon shape={shapes.get(name) ?? 'todo'} label={name} />,
    }))
  return { statuses, shapes }
}
