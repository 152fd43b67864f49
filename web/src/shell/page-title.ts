import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../kernel/data/session/session.ts'
import { say } from './messages.ts'

/** The name of the page that is open: in the tab of the browser, and in the bar of a phone. */
export function usePageTitle(): string {
  const { tenant, containers, unread } = useSession()
  // Only the name: a change of what the address says about the page renders no shell.
  const title = useMatches({
    select: matches => {
      const match = matches.at(-1)
      const params: { key?: string } = match?.params ?? {}
      return titleOf(match?.routeId ?? '/', params.key, key => containers.find(each => each.key === key)?.name)
    },
  })
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${title} · ${tenant.name}`
  }, [title, unread, tenant.name])
  return title
}

function titleOf(routeId: string, key: string | undefined, nameOf: (key: string) => string | undefined): string {
  if (routeId.startsWith('/container/')) return (key && nameOf(key)) ?? key ?? ''
  if (routeId.startsWith('/item/')) return key ?? ''
  if (routeId.startsWith('/inbox')) return say.inbox
  if (routeId.startsWith('/people')) return say.people
  if (routeId.startsWith('/undo')) return say.undoCentre
  if (routeId.startsWith('/profile')) return say.profile
  return say.myWork
}
