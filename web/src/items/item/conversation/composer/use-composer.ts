import { codes, type Item, type File as StoredFile } from '@gantry/sdk'
import { useCallback, useState } from 'react'
import { useRunningUploads } from '../../../../documents/upload/running-uploads.ts'
import { useDraft } from '../../../../kernel/data/kept/drafts.ts'
import { useSession } from '../../../../kernel/data/session/session.ts'
import { useOutcomes } from '../../../../kernel/data/updates.ts'
import { uploadTo } from '../../text/upload.ts'
import { say } from '../messages.ts'
import { sendMessage } from './send-message.ts'
import { useServerDraft } from './use-server-draft.ts'

const { annotationKind } = codes

interface Unsent {
  kind: number
  body: string
  mentions: string[]
  /** Who gets the reply in copy, once this person has changed it. */
  cc?: string[] | undefined
}

const nothing: Unsent = { kind: annotationKind.reply, body: '', mentions: [] }

/** The state of the composer of an item, and what it can do. */
export function useComposer(item: Item, isTicket: boolean) {
  const { user } = useSession()
  const place = `reply ${item.id}`
  const draft = useDraft<Unsent>(place, nothing)
  const [asked, setAsked] = useState<number>()
  const [round, setRound] = useState(0)
  const [files, setFiles] = useState<StoredFile[]>([])
  const problem = useOutcomes(({ refused }) => refused.get(place)?.message ?? '')
  const isUploading = useRunningUploads(place).length > 0
  const { value, set, clear } = draft
  const kind = value.body === '' ? (asked ?? value.kind) : value.kind
  const server = useServerDraft(item.id, value.body, kind, found => {
    // Whoever has asked for a note meanwhile must not write to the customer.
    set({ ...nothing, ...found, ...(asked === annotationKind.note ? { kind: asked } : {}) })
    setRound(each => each + 1)
  })
  const open = useCallback(
    (next: number) => {
      setAsked(next)
      set({ ...value, kind: next })
      // The editor is made again, and so takes the focus.
      setRound(each => each + 1)
    },
    [set, value],
  )
  const send = async () => {
    const body = value.body.trim()
    if (body === '' || isUploading) return
    const attachments = files.map(({ id }) => id)
    const unsent = { place, value: { ...value, kind } }
    const { cc, mentions } = value
    const message = { item, isTicket, kind, body, attachments, cc, mentions, authorId: user.id }
    server.stop()
    clear()
    setFiles([])
    setRound(each => each + 1)
    const { problem: why } = await sendMessage({ ...message, draft: unsent, text: say.sent })
    if (!why) return
    // What was typed comes back, with the reason beside it.
    setFiles(files)
    setRound(each => each + 1)
  }
  return {
    place,
    isUploading,
    isOpen: asked !== undefined || value.body !== '',
    isAsked: asked !== undefined,
    kind,
    text: value.body,
    round,
    files,
    problem,
    isSaved: server.isSaved && value.body !== '',
    open,
    close: () => setAsked(undefined),
    write: (body: string, mentions: string[]) => set({ ...value, kind, body, mentions }),
    cc: value.cc,
    setCc: (cc: string[]) => set({ ...value, kind, cc }),
    /** Adds a text at the end. */
    insert: (text: string) => {
      set({ ...value, kind, body: [value.body.trim(), text].filter(Boolean).join('\n\n') })
      setRound(each => each + 1)
    },
    attach: async (chosen: File[]) => {
      for (const file of chosen) {
        const stored = await uploadTo(item.id, file, place)
        if (stored) setFiles(known => [...known, stored])
      }
    },
    send,
  }
}
