import { call, type UserSession } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, Smartphone } from 'lucide-react'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { notify } from '../../kernel/data/undo.ts'
import { momentText } from '../../kernel/dates/days.ts'
import { Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { Sect } from './parts.tsx'

const queryKey = ['sessions']

/** Where the person is signed in. */
export function Devices() {
  const { timezone } = useSession().user
  const client = useQueryClient()
  const { data = [] } = useQuery({ queryKey, queryFn: () => call(gantry, 'GET /session/all') })
  const others = data.filter(({ current }) => !current)
  const end = (sessions: readonly UserSession[]) =>
    attempt(async () => {
      for (const { id } of sessions) await call(gantry, 'DELETE /session/{id}', { path: { id } })
      notify(say.deviceEnded)
      await client.invalidateQueries({ queryKey })
    })
  return (
    <Sect
      title={say.devices}
      note={String(data.length)}
      action={others.length > 1 && <Button onClick={() => void end(others)}>{say.endOthers(others.length)}</Button>}
    >
      {data.map(session => (
        <div key={session.id} className="dv">
          {/iPhone|Android|Mobile/.test(session.userAgent) ? <Smartphone className="ic" /> : <Laptop className="ic" />}
          <span className="n cut" title={session.userAgent}>
            <bdi>{deviceName(session)}</bdi>
            {session.current && <span className="badge badge-good">{say.thisOne}</span>}
          </span>
          <span className="meta wide">{session.address}</span>
          <time className="r" dateTime={session.lastUsed}>
            {momentText(session.lastUsed, timezone)}
          </time>
          <span className="end">
            {!session.current && <Button onClick={() => void end([session])}>{say.end}</Button>}
          </span>
        </div>
      ))}
    </Sect>
  )
}

const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari']
const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' }
const systems = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac OS', 'Linux']

/** `Firefox, Linux`; other clients by their name. */
function deviceName({ userAgent, client }: UserSession): string {
  const browser = browsers.find(each => userAgent.includes(`${each}/`))
  const system = systems.find(each => userAgent.includes(each))
  const known = [browser && (names[browser] ?? browser), system].filter(Boolean).join(', ')
  return known || client || say.unknownDevice
}
