import type { Id } from '../../kernel/id.ts'
import { type ClockDefinition, type ClockTarget, laneOf } from './clock-definition.ts'
import type { CycleStart, ItemMoment, ItemState, Measure } from './cycle.ts'

/** The clocks that have a target on one lane, in the order in which they apply. */
export class LaneCandidates {
  readonly lane: string
  readonly #definitions: readonly ClockDefinition[]

  constructor(lane: string, all: readonly ClockDefinition[]) {
    this.lane = lane
    this.#definitions = all.filter(each => each.targets.some(target => laneOf(each, target) === lane))
  }

  has(clockId: Id): boolean {
    return this.#byId(clockId) !== undefined
  }

  /** The first clock that applies to the item at this moment; that of a support plan comes before all others. */
  applying({ at, itemState, onlyClockId }: ItemMoment): Measure | undefined {
    const planned = itemState.planClockId === undefined ? undefined : this.#byId(itemState.planClockId)
    for (const definition of planned ? [planned, ...this.#definitions] : this.#definitions) {
      const { clock, since, gone = Number.POSITIVE_INFINITY } = definition
      if (!clock.active || at < since || at >= gone) continue
      if (onlyClockId !== undefined && onlyClockId !== clock.id) continue
      if (clock.container.length > 0 && !clock.container.includes(itemState.containerId)) continue
      if (!itemState.holds(clock.id, 'start')) continue
      const target = this.#targetFor(definition, itemState)
      if (target) return { definition, target }
    }
    return undefined
  }

  /** The clock that a command names, whether or not it would apply by itself. */
  named(clockId: Id, itemState: ItemState): Measure | undefined {
    const definition = this.#byId(clockId)
    const target = definition && this.#targetFor(definition, itemState)
    return definition && target ? { definition, target } : undefined
  }

  /** The clock and the target with which a stored cycle began, if it began at this moment. */
  startedAt({ by, at, clockId, targetId }: CycleStart, moment: ItemMoment): Measure | undefined {
    if (by === '' ? moment.at !== at : moment.id !== by) return undefined
    const definition = this.#byId(clockId)
    const own = definition?.targets.filter(each => laneOf(definition, each) === this.lane) ?? []
    const target = own.find(each => each.id === targetId) ?? own[0]
    return definition && target ? { definition, target } : undefined
  }

  #targetFor(definition: ClockDefinition, itemState: ItemState): ClockTarget | undefined {
    return definition.targets.find(
      each => laneOf(definition, each) === this.lane && itemState.holds(definition.clock.id, `target:${each.id}`),
    )
  }

  #byId(clockId: Id): ClockDefinition | undefined {
    return this.#definitions.find(each => each.clock.id === clockId)
  }
}
