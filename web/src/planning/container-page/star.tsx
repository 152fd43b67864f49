import { Star as StarIcon } from 'lucide-react'
import { setPreferences, usePreferences } from '../../kernel/data/session/preferences.ts'
import { patchSession, useSession } from '../../kernel/data/session/session.ts'
import { say } from '../messages.ts'

/** Keeps something at hand in the sidebar, or no longer. */
export function Star({ entity, id, name }: { entity: string; id: string; name: string }) {
  const { starred } = useSession()
  const { starred: kept = [] } = usePreferences()
  const isOn = starred.some(each => each.id === id)
  const toggle = () => {
    patchSession({
      starred: isOn ? starred.filter(each => each.id !== id) : [...starred, { entity, id, name, containerId: null }],
    })
    void setPreferences({ starred: isOn ? kept.filter(each => each.id !== id) : [...kept, { entity, id }] })
  }
  return (
    <button type="button" className="btn btn-ghost btn-icon" aria-pressed={isOn} aria-label={say.star} onClick={toggle}>
      <StarIcon className={isOn ? 'ic is-full' : 'ic'} />
    </button>
  )
}
