import { call, type FreshApiKey } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Key } from 'lucide-react'
import { useState } from 'react'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { momentText } from '../../kernel/dates/days.ts'
import { Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { Ask, Once, Sect } from './parts.tsx'

const queryKey = ['own-keys']

/** The person's own keys. Whoever may not have any does not see this part. */
export function ApiKeys() {
  const { user } = useSession()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [fresh, setFresh] = useState<FreshApiKey>()
  const { data } = useQuery({
    queryKey,
    queryFn: () => call(gantry, 'GET /admin/api-key', { query: { ownerUserId: user.id, limit: 100 } }),
  })
  if (!data) return null
  const refetch = () => client.invalidateQueries({ queryKey })
  const create = (name: string) =>
    attempt(async () => {
      setAsking(false)
      setFresh(await call(gantry, 'POST /admin/api-key', { body: { name } }))
      await refetch()
    })
  const revoke = (id: string) =>
    attempt(async () => {
      await call(gantry, 'DELETE /admin/api-key/{id}', { path: { id } })
      await refetch()
    })
  return (
    <Sect
      title={say.keys}
      note={String(data.length)}
      action={!isAsking && <Button onClick={() => setAsking(true)}>{say.newKey}</Button>}
    >
      {isAsking && <Ask label={say.keyName} onDone={name => void create(name)} onCancel={() => setAsking(false)} />}
      {fresh && <Once title={fresh.name} secret={fresh.RawKey} onDone={() => setFresh(undefined)} />}
      {data.length === 0 && <p className="hint">{say.noKeys}</p>}
      {data.map(key => (
        <div key={key.id} className="dv ak">
          <Key className="ic" />
          <bdi className="cut">{key.name}</bdi>
          <code className="meta wide">
            {key.prefix}…{key.last4}
          </code>
          <span className="r">{key.lastUsedAt ? momentText(key.lastUsedAt, user.timezone) : say.neverUsed}</span>
          <span className="end">
            <Button look="danger" onClick={() => void revoke(key.id)}>
              {say.revoke}
            </Button>
          </span>
        </div>
      ))}
    </Sect>
  )
}
