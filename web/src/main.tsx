import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './app.tsx'
import { askForFirstPage, watchFirstPage } from './first-page.ts'
import { followSubItems } from './items/follow-sub-items.ts'
import { readItems } from './items/read-items.ts'
import { Connection } from './kernel/connection/connection.tsx'
import { followTabs } from './kernel/connection/sign-out.ts'
import { keepForOffline } from './kernel/data/kept/offline.ts'
import { keepFresh } from './kernel/data/live/fresh.ts'
import { goLive } from './kernel/data/live/live.ts'
import { fetchAgain, openQueries } from './kernel/data/live/queries.ts'
import { tellOutcomes } from './kernel/data/outbox/outbox.ts'
import { openOutbox } from './kernel/data/outbox/tabs.ts'
import { followSession, onRightsChanged, openSession } from './kernel/data/session/session.ts'
import { tellOutcome } from './kernel/data/updates.ts'
import { whenIdle } from './kernel/later.tsx'
import { languageOf, speak } from './kernel/messages/messages.ts'
import { loadTexts } from './kernel/problems/in-words.ts'
import { openOffline } from './kernel/service-worker.ts'
import { adoptTheme } from './shell/appearance.ts'
import './style/app.css'

const session = await openSession()
const root = document.getElementById('app')
if (session && root) {
  const locales = [session.user.locale, session.tenant.locale, ...navigator.languages]
  speak(languageOf(locales.find(each => each !== '') ?? ''), locales)
  adoptTheme(session.user.darkMode)
  const queries = openQueries()
  // The stream opens before the first list is fetched, so that nothing between the two is missed.
  goLive(new AbortController().signal)
  // Caught at once: without a network it may fail before anybody waits for it.
  const asked = askForFirstPage(queries, session).catch(() => undefined)
  // Before the records change: a child that is deleted still names its parent.
  followSubItems()
  keepFresh({ Item: async ids => readItems(ids) })
  followSession()
  tellOutcomes(tellOutcome)
  openOutbox()
  followTabs()
  onRightsChanged(() => void fetchAgain(queries))
  await keepForOffline(queries)
  watchFirstPage(queries, asked)
  whenIdle(() => void loadTexts().catch(() => undefined)) // a refusal fetches them again
  void openOffline()
  const app = (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Connection />
    </QueryClientProvider>
  )
  // A transition is rendered in slices, between which the browser can answer.
  startTransition(() => createRoot(root).render(app))
}
