import { call, codes, type Item, type Ticket } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { gantry } from '../../kernel/data/client.ts'
import { useSession } from '../../kernel/data/session/session.ts'

/** Whether an item is on a service desk. */
export function useIsTicket({ containerId }: Item): boolean {
  const { containers } = useSession()
  return containers.some(({ id, kind }) => id === containerId && kind === codes.containerKind.desk)
}

/** What a ticket has beyond an item: who asked, and who gets a copy. */
export function useTicket(item: Item, isWanted: boolean): Ticket | undefined {
  const isTicket = useIsTicket(item)
  return useQuery({
    queryKey: ['ticket', item.id],
    enabled: isTicket && isWanted,
    queryFn: ({ signal }) => call(gantry, 'GET /ticket/{id}', { path: { id: item.id }, signal }),
  }).data
}
