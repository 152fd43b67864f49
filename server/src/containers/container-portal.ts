import { Type } from 'typebox'
import type { Id } from '../kernel/id.ts'
import { fault, RuleBroken } from '../kernel/refusal.ts'
import { Part, Refs } from '../kernel/schema/values.ts'
import { containerKind } from './container-kind.ts'

/** What a container shows of itself to requesters, and to people without an account. */
export interface ContainerPortal {
  enabled?: boolean
  visitors?: boolean
  types?: Id[]
}

export const Portal = Type.Unsafe<ContainerPortal>({
  ...Part({
    enabled: Type.Boolean({
      description:
        'Requesters see the service desk and create tickets on it. Tickets that they have stay theirs when it is switched off.',
    }),
    visitors: Type.Boolean({
      description: 'People without an account see what can be asked for here, by `GET /api/portal/{slug}`.',
    }),
    types: {
      ...Refs('Process', 100),
      description: 'The processes that can be asked for on the portal; if empty, all of `processIds`.',
    },
  }),
  default: { enabled: false, visitors: false, types: [] },
  description:
    'Only service desks (`kind` 1) have a portal. A container that is created as one, or becomes one, without `portal` has it enabled for requesters.',
})

interface Given {
  kind?: number
  portal?: ContainerPortal
  processIds?: readonly Id[]
}

/** The portal after a write: the given one, or one that follows a change of the kind and of the processes. */
export function portalOf(given: Given, before?: Required<Given>): Required<ContainerPortal> {
  const isDesk = (given.kind ?? before?.kind) === containerKind.desk
  const wasDesk = before?.kind === containerKind.desk
  const {
    enabled = false,
    visitors = false,
    types = [],
  } = (given.portal === undefined ? before?.portal : given.portal) ?? {}
  if (given.portal !== undefined) return { enabled, visitors, types }
  const processIds = given.processIds ?? before?.processIds ?? []
  return {
    enabled: isDesk && (enabled || !wasDesk),
    visitors: isDesk && visitors,
    types: types.filter(each => processIds.includes(each)),
  }
}

/** Only service desks have a portal; it offers processes of its container, and is open to visitors only if it is to requesters. */
export function refuseWrongPortal({ kind, portal, processIds }: Required<Given>): void {
  const { enabled = false, visitors = false, types = [] } = portal
  const wrong = (path: (string | number)[], message: string) => fault(['portal', ...path], 'wrong-portal', message)
  const faults = [
    ...(enabled && kind !== containerKind.desk
      ? [wrong(['enabled'], 'must be false: this is no service desk (kind 1)')]
      : []),
    ...(visitors && !enabled ? [wrong(['visitors'], 'must be false where the portal is not enabled')] : []),
    ...types.flatMap((each, i) =>
      processIds.includes(each) ? [] : [wrong(['types', i], 'must be one of processIds')],
    ),
  ]
  if (faults.length > 0) throw new RuleBroken('wrong-portal', 'the portal does not fit the container', faults)
}

/** Whether a request of this type can be made on the portal. */
export const offers = ({ types = [] }: ContainerPortal, processId: Id | '') =>
  types.length === 0 || (processId !== '' && types.includes(processId))

/** Refuses a request that the portal of the desk does not take, whatever else the requester was granted there. */
export function refuseClosedPortal({ portal }: { portal: ContainerPortal }, processId: Id | ''): void {
  if (portal.enabled !== true)
    throw new RuleBroken('portal-disabled', 'the service desk has no portal, so requesters create nothing there', [
      fault(['containerId'], 'portal-disabled', 'is a service desk without a portal'),
    ])
  if (offers(portal, processId)) return
  throw new RuleBroken('not-on-portal', 'the portal of the service desk does not offer this type', [
    fault(['processId'], 'not-on-portal', 'is not one of the request types of the service desk', processId),
  ])
}
