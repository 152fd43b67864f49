import type { RemovedSample } from '@gantry/sdk'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { run, useCommands } from '../../kernel/commands/commands.ts'
import { useMay } from '../../kernel/data/session/may.ts'
import { setPreferences, usePreferences } from '../../kernel/data/session/preferences.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { startKey } from './start-here.ts'
import { useBeginning, useSample } from './use-sample.ts'

/** What an admin can begin with, alone in a new workspace; later only if they ask for it. */
export function FirstSteps() {
  const { firstSteps } = usePreferences()
  const may = useMay('tenant.sample') && firstSteps !== false
  const { data } = useBeginning(may)
  const { doing, problem, kept, load, remove } = useSample()
  if (!may || !data || !(data.isAlone || data.isLoaded || firstSteps)) return null
  return (
    <section className="first" aria-label={say.firstSteps}>
      <h2>
        <span className="grow">{say.firstSteps}</span>
        <Button look="icon" aria-label={say.hide} onClick={() => void setPreferences({ firstSteps: false })}>
          <X className="ic" />
        </Button>
      </h2>
      <p>{data.isLoaded ? say.isLoaded : say.isNew}</p>
      {!data.isLoaded && <p className="meta">{say.whatSample}</p>}
      <div className="first-acts">
        {data.isLoaded ? (
          <Button disabled={doing !== undefined} onClick={remove}>
            {say.remove}
          </Button>
        ) : (
          <Button look="primary" disabled={doing !== undefined} onClick={load}>
            {say.load}
          </Button>
        )}
        <Others />
      </div>
      <p className="meta" role="status">
        {doing === 'load' && say.loading}
        {doing === 'remove' && say.removing}
      </p>
      {doing && <progress aria-label={doing === 'load' ? say.loading : say.removing} />}
      {problem && (
        <p className="why" role="alert">
          {problem}
        </p>
      )}
      <Kept records={kept} />
    </section>
  )
}

/** The ways to begin without a sample. */
function Others() {
  const { containers } = useSession()
  const mayInvite = useMay('user.invite')
  const newContainer = useCommands(({ commands }) => commands.get('container.create'))
  return (
    <>
      {containers.some(({ key }) => key === startKey) && (
        <Link className="btn" to="/container/$key" params={{ key: startKey }}>
          {say.openStart}
        </Link>
      )}
      {mayInvite && (
        <Link className="btn" to="/people">
          {say.invite}
        </Link>
      )}
      {newContainer && <Button onClick={() => run(newContainer)}>{say.newContainer}</Button>}
    </>
  )
}

const shown = 8

/** What was not removed, and why. */
function Kept({ records }: { records: RemovedSample['kept'] }) {
  if (records.length === 0) return null
  return (
    <>
      <p>{say.kept(records.length)}</p>
      <ul>
        {records.slice(0, shown).map(({ id, name, because }) => (
          <li key={id}>
            <bdi>{name}</bdi> <span className="meta">{because}</span>
          </li>
        ))}
        {records.length > shown && <li className="meta">{say.more(records.length - shown)}</li>}
      </ul>
    </>
  )
}
