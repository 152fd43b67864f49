import { call } from '@gantry/sdk'
import { useEffect } from 'react'
import { gantry } from '../kernel/data/client.ts'
import { onChanges, onNotice } from '../kernel/data/live/live.ts'
import { patchSession, refreshSession } from '../kernel/data/session/session.ts'

/** What a change of means that the sidebar shows something else. */
const ofTheSession = new Set(['Container', 'ContainerFilter', 'Board', 'Tenant', 'Timer', 'AppSetting'])

/** Keeps the number of unread entries, the timer, the stars and the containers as they are now. */
export function useLiveSession(): void {
  useEffect(() => {
    const stopNotices = onNotice(name => {
      if (name === 'inbox.changed') void countUnread()
      if (name === 'timer.changed') void refresh()
    })
    const stopChanges = onChanges(changes => {
      if (changes.some(({ entity, own }) => ofTheSession.has(entity) && !(own && entity === 'AppSetting')))
        void refresh()
    })
    return () => {
      stopNotices()
      stopChanges()
    }
  }, [])
}

// A session that has ended is noticed by the connection, which asks to sign in again.
const refresh = () => refreshSession().catch(() => undefined)

export async function countUnread(): Promise<void> {
  const counted = await call(gantry, 'GET /notification/inbox/count').catch(() => undefined)
  if (counted) patchSession(counted)
}
