import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
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
  component: lazyRouteComponent(() => import('./items/my-work/my-work.tsx'), 'MyWork'),
})

/** What the address of a container says. */
interface ContainerSearch extends ListSearch {
  peek?: string
  view?: 'board'
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
  component: lazyRouteComponent(() => import('./planning/container-page/container-page.tsx'), 'ContainerPage'),
})

const item = createRoute({
  getParentRoute: () => root,
  path: '/item/$key',
  component: lazyRouteComponent(() => import('./items/item-page.tsx'), 'ItemPage'),
})

const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  component: lazyRouteComponent(() => import('./admin/people/people-page.tsx'), 'PeoplePage'),
})

const signedInAgain = createRoute({
  getParentRoute: () => root,
  path: '/signed-in-again',
  component: lazyRouteComponent(() => import('./kernel/connection/signed-in-again.tsx'), 'SignedInAgain'),
})

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: ({ peek }: Record<string, unknown>): Pick<ContainerSearch, 'peek'> =>
    typeof peek === 'string' ? { peek } : {},
  component: lazyRouteComponent(() => import('./notify/inbox/inbox.tsx'), 'Inbox'),
})

const profile = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  component: lazyRouteComponent(() => import('./shell/profile/profile.tsx'), 'Profile'),
})

const undo = createRoute({
  getParentRoute: () => root,
  path: '/undo',
  component: lazyRouteComponent(() => import('./shell/undo/undo-centre.tsx'), 'UndoCentre'),
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
