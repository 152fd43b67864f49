import { codes, type Item, isProblem, type File as StoredFile } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useDraft } from '../../../../kernel/data/drafts.ts'
import { useSession } from '../../../../kernel/data/session.ts'
import { remember } from '../../../../kernel/data/undo.ts'
import { uploadTo } from '../../text/upload.ts'
import { say } from '../messages.ts'
import type { Message } from '../thread.ts'
import { pendingMessage, sendMessage } from './send-message.ts'
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
  const client = useQueryClient()
  const { user } = useSession()
  const draft = useDraft<Unsent>(`reply ${item.id}`, nothing)
  const [asked, setAsked] = useState<number>()
  const [round, setRound] = useState(0)
  const [files, setFiles] = useState<StoredFile[]>([])
  const [problem, setProblem] = useState('')
  const { value, set, clear } = draft
  const kind = value.body === '' ? (asked ?? value.kind) : value.kind
  const server = useServerDraft(item.id, value.body, kind, found => {
    set({ ...nothing, ...found })
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
    if (body === '') return
    const attachments = files.map(({ id }) => id)
    const key = ['conversation', item.id]
    const pending = pendingMessage({ item, kind, body, attachments, authorId: user.id })
    client.setQueryData<Message[]>(key, known => [...(known ?? []), pending])
    server.stop()
    clear()
    setFiles([])
    setProblem('')
    setRound(each => each + 1)
    try {
      const changeSet = await sendMessage({
        item,
        isTicket,
        kind,
        body,
        attachments,
        cc: value.cc,
        mentions: value.mentions,
      })
      remember(changeSet, say.sent)
    } catch (error) {
      // What was typed comes back, with the reason beside it.
      set({ ...value, kind })
      setFiles(files)
      setRound(each => each + 1)
      setProblem(isProblem(error) ? error.message : String(error))
    }
    await client.invalidateQueries({ queryKey: key })
  }
  return {
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
        const stored = await uploadTo(item.id, file)
        if (stored) setFiles(known => [...known, stored])
      }
    },
    send,
  }
}
