/** The code of each page, by the first word of its address. */
export const pages = {
  '': () => import('./items/my-work/my-work.tsx'),
  container: () => import('./planning/container-page/container-page.tsx'),
  item: () => import('./items/item-page.tsx'),
  people: () => import('./admin/people/people-page.tsx'),
  inbox: () => import('./notify/inbox/inbox.tsx'),
  profile: () => import('./shell/profile/profile.tsx'),
  undo: () => import('./shell/undo/undo-centre.tsx'),
  'signed-in-again': () => import('./kernel/connection/signed-in-again.tsx'),
}

/** The code of a board, which the page of a container shows. */
export const boardCode = () => import('./planning/board/board.tsx')
