/** 0 all · 1 comments and status · 2 status only · 3 muted. */
export const watchLevel = { all: 0, comments: 1, status: 2, muted: 3 } as const

/** 0 manual · 1 author · 2 assignee · 3 mentioned · 4 commented · 5 rule · 6 group default · 7 requester cc. */
export const watchReason = {
  manual: 0,
  author: 1,
  assignee: 2,
  mentioned: 3,
  commented: 4,
  rule: 5,
  group: 6,
  cc: 7,
} as const
