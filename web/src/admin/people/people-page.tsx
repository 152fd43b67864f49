import { call, type Invitation, type User } from '@gantry/sdk'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { useLiveList } from '../../kernel/data/live/live-list.ts'
import { put } from '../../kernel/data/records/store.ts'
import { useMay } from '../../kernel/data/session/may.ts'
import { Button, Empty, Skeleton } from '../../kit/kit.tsx'
import { InvitationLink, Invite } from './invite.tsx'
import { say } from './messages.ts'
import { PersonRow } from './person-row.tsx'

const pageSize = 100
const queryKey = ['people']

/** Everybody in the workspace, and the way in for those who are not. */
export function PeoplePage() {
  const client = useQueryClient()
  const [inviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<User & { invitation: Invitation }>()
  const mayInvite = useMay('user.invite')
  const people = usePeople()
  useLiveList(queryKey, { entity: 'User' })
  const invite = async (person: User) => {
    setInviting(false)
    await attempt(async () => {
      const invitation = await call(gantry, 'POST /user/{id}/invite', { path: { id: person.id } })
      setInvited({ ...person, invitation })
    })
    await client.invalidateQueries({ queryKey })
  }
  return (
    <>
      <header className="bar">
        <h1>{say.people}</h1>
        <span className="count">{people.total}</span>
        <span className="grow" />
        {mayInvite && (
          <Button look="primary" onClick={() => setInviting(true)}>
            <Plus className="ic" />
            {say.invite}
          </Button>
        )}
      </header>
      {people.isLoading && <Skeleton />}
      <div className="scroll page">
        <table className="tbl people">
          <thead>
            <tr>
              <th>{say.name}</th>
              <th className="wide">{say.email}</th>
              <th>{say.role}</th>
              <th className="wide">{say.lastSeen}</th>
              <th aria-label={say.more} />
            </tr>
          </thead>
          <tbody>
            {people.ids.map(id => (
              <PersonRow key={id} id={id} onInvite={invite} />
            ))}
          </tbody>
        </table>
        {people.more && (
          <Button look="ghost" onClick={people.more}>
            {say.loadMore}
          </Button>
        )}
        {people.ids.length === 1 && mayInvite && <Empty title={say.nobody} />}
      </div>
      <Invite open={inviting} onClose={() => setInviting(false)} onInvited={invite} />
      {invited && <InvitationLink person={invited} onClose={() => setInvited(undefined)} />}
    </>
  )
}

function usePeople() {
  const { data, isLoading, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? {} : { cursor: pageParam }
      const query = { limit: pageSize, sort: 'name', count: 'exact' as const, ...cursor }
      const { answer, headers } = await call(gantry, 'GET /user', { query, signal }).withResponse()
      for (const person of answer) put(person)
      return {
        ids: answer.map(({ id }) => id),
        next: headers.get('x-next-cursor') ?? undefined,
        total: headers.get('x-total-count') ?? '',
      }
    },
    getNextPageParam: page => page.next,
  })
  return {
    ids: data?.pages.flatMap(page => page.ids) ?? [],
    total: data?.pages[0]?.total ?? '',
    isLoading,
    more: hasNextPage ? () => void fetchNextPage() : undefined,
  }
}
