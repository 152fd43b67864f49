import { CloudOff } from 'lucide-react'
import { useConnection } from '../data/client.ts'
import { useOutbox } from '../data/outbox/outbox.ts'
import { atFoot } from '../foot.ts'
import { later } from '../later.tsx'
import { say } from './messages.ts'

const SignInAgain = later(async () => (await import('../over-page.ts')).SignInAgain)

/** What people have to know about the way to the service: nothing while it is open. */
export function Connection() {
  const { offline, signedOut } = useConnection()
  return (
    <>
      <div role="status">{offline && !signedOut && <OfflineBar />}</div>
      {signedOut && <SignInAgain />}
    </>
  )
}

const foot = atFoot('connection')

function OfflineBar() {
  const waiting = useOutbox(state => state.waiting)
  return (
    <p ref={foot} className="banner banner-warn connection" title={waiting.map(({ text }) => text).join('\n')}>
      <CloudOff className="ic" />
      <span>
        {say.offline}
        {waiting.length > 0 && ` · ${say.waiting(waiting.length)}`}
      </span>
    </p>
  )
}
