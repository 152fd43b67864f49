import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { pages } from './pages.ts'
import { type ListSearch, readListSearch } from './planning/container-list/list-search.ts'
import { PageFailed, PageLoading, PageMissing } from './shell/router-screens.tsx'
import { Shell } from './shell/shell.tsx'

// Every address of the app, in order. Each room is loaded when it is first needed.

const root = createRootRoute({ component: Shell })

const myWork = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: ({ peek }: Record<string, unknown>): Pick<ContainerSearch, 'peek'> =>
    typeof peek === 'string' ? { peek } : {},
  component: lazyRouteComponent(pages[''], 'MyWork'),
})

/** What the address of a container says. */
export interface ContainerSearch extends ListSearch {
  peek?: string
  view?: 'board' | undefined
  /** The id of a board. */
  board?: string
  /** The ids of the quick filters that are on. */
  quick?: string
}

const container = createRoute({
  getParentRoute: () => root,
  path: '/container/$key',
  validateSearch: ({ peek, view, board, quick, ...list }: Record<string, unknown>): ContainerSearch => ({
    ...readListSearch(list),
    ...(typeof peek === 'string' ? { peek } : {}),
    ...(view === 'board' ? { view } : {}),
    ...(typeof board === 'string' ? { board } : {}),
    ...(typeof quick === 'string' && quick !== '' ? { quick } : {}),
  }),
  component: lazyRouteComponent(pages.container, 'ContainerPage'),
})

const item = createRoute({
  getParentRoute: () => root,
  path: '/item/$key',
  component: lazyRouteComponent(pages.item, 'ItemPage'),
})

const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  component: lazyRouteComponent(pages.people, 'PeoplePage'),
})

const signedInAgain = createRoute({
  getParentRoute: () => root,
  path: '/signed-in-again',
  component: lazyRouteComponent(pages['signed-in-again'], 'SignedInAgain'),
})

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: ({ peek }: Record<string, unknown>): Pick<ContainerSearch, 'peek'> =>
    typeof peek === 'string' ? { peek } : {},
  component: lazyRouteComponent(pages.inbox, 'Inbox'),
})

const profile = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  component: lazyRouteComponent(pages.profile, 'Profile'),
})

const undo = createRoute({
  getParentRoute: () => root,
  path: '/undo',
  component: lazyRouteComponent(pages.undo, 'UndoCentre'),
})

export const router = createRouter({
  routeTree: root.addChildren([myWork, container, item, people, inbox, profile, undo, signedInAgain]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: PageMissing,
  defaultPendingComponent: PageLoading,
  defaultPendingMs: 150,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
