import { codes, type Item } from '@gantry/sdk'
import { Check, Lock, Paperclip, Reply } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { UploadLines } from '../../../../documents/upload/upload-lines.tsx'
import { useOffer } from '../../../../kernel/commands/keys.ts'
import { atFoot } from '../../../../kernel/foot.ts'
import { Editor } from '../../../../kit/editor/editor.tsx'
import { Button, Keys } from '../../../../kit/kit.tsx'
import { editorTexts } from '../../text/editor-texts.ts'
import { uploadIntoText } from '../../text/upload.ts'
import { usePeopleFinder } from '../../text/use-people-finder.ts'
import { useIsTicket, useTicket } from '../../use-ticket.ts'
import { say } from '../messages.ts'
import { Recipients } from './recipients.tsx'
import { TemplateMenu } from './template-menu.tsx'
import { useComposer } from './use-composer.ts'
import { templatesLike, templateText, useTemplates } from './use-templates.ts'

const { annotationKind } = codes
const closedFoot = atFoot('composer-closed')
const openFoot = atFoot('composer')
const none: readonly string[] = []

/** Where a reply or a note is written. Its text is kept until it is sent. */
export function Composer({ item, onReplying }: { item: Item; onReplying: (isReplying: boolean) => void }) {
  const findPeople = usePeopleFinder()
  const isTicket = useIsTicket(item)
  const composer = useComposer(item, isTicket)
  const { isOpen, kind, text, round, files, problem, isSaved } = composer
  const picker = useRef<HTMLInputElement>(null)
  const isNote = kind === annotationKind.note
  const replyName = isTicket ? say.reply : say.comment
  const ticket = useTicket(item, isOpen)
  const templates = useTemplates(item, isTicket, isOpen)
  const { open } = composer
  useOffer(
    useMemo(
      () => [
        { id: 'item.reply', title: replyName, keys: 'r', where: 'item', run: () => open(annotationKind.reply) },
        { id: 'item.note', title: say.note, keys: 'n', where: 'item', run: () => open(annotationKind.note) },
      ],
      [open, replyName],
    ),
  )
  useEffect(() => onReplying(isOpen && text !== ''), [isOpen, text, onReplying])
  if (!isOpen)
    return (
      <div ref={closedFoot} className="composer-closed">
        <button type="button" className="btn grow" onClick={() => open(annotationKind.reply)}>
          <Reply className="ic" /> <span className="grow">{replyName}</span>
          <Keys keys="r" />
        </button>
        <button type="button" className="btn" onClick={() => open(annotationKind.note)}>
          <Lock className="ic" /> {say.note} <Keys keys="n" />
        </button>
      </div>
    )
  return (
    <section
      ref={openFoot}
      className={`composer ${isNote ? 'is-note' : ''}`}
      aria-label={isNote ? say.note : replyName}
    >
      <div className="composer-top">
        <span className="seg">
          <button
            type="button"
            className={isNote ? '' : 'is-on'}
            aria-pressed={!isNote}
            onClick={() => open(annotationKind.reply)}
          >
            <Reply className="ic ic-s" /> {replyName}
          </button>
          <button
            type="button"
            className={isNote ? 'is-on' : ''}
            aria-pressed={isNote}
            onClick={() => open(annotationKind.note)}
          >
            <Lock className="ic ic-s" /> {say.note}
          </button>
        </span>
        <span className="grow" />
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={event => composer.attach([...(event.target.files ?? [])])}
        />
        <TemplateMenu item={item} {...templates} onText={composer.insert} />
        <Button look="icon" aria-label={say.attach} onClick={() => picker.current?.click()}>
          <Paperclip className="ic" />
        </Button>
      </div>
      {isTicket && !isNote && (
        <Recipients item={item} ticket={ticket} copies={composer.cc ?? ticket?.cc ?? none} onCopies={composer.setCc} />
      )}
      <Editor
        key={round}
        label={isNote ? say.writeNote : isTicket ? say.writeReply : say.writeComment}
        placeholder={isNote ? say.writeNote : isTicket ? say.writeReply : say.writeComment}
        text={text}
        texts={editorTexts()}
        findPeople={findPeople}
        findSnippets={found =>
          templatesLike(templates.answers, found).map(template => ({
            id: template.id,
            name: template.name,
            read: () => templateText(item.id, template),
          }))
        }
        autoFocus={composer.isAsked}
        onText={composer.write}
        onSend={composer.send}
        onEscape={composer.close}
        upload={file => uploadIntoText(item.id, file, composer.place)}
      />
      {problem && (
        <p className="why" role="alert">
          {problem}
        </p>
      )}
      <UploadLines place={composer.place} />
      <div className="composer-foot">
        {files.map(({ id, name }) => (
          <span key={id} className="pill">
            <Paperclip className="ic ic-s" /> <bdi className="cut">{name}</bdi>
          </span>
        ))}
        {isSaved && (
          <span className="meta hstack">
            <Check className="ic ic-s" /> {say.draftSaved}
          </span>
        )}
        <span className="grow" />
        <Button
          look="primary"
          keys="$mod+Enter"
          disabled={text.trim() === '' || composer.isUploading}
          onClick={composer.send}
        >
          {say.send}
        </Button>
      </div>
    </section>
  )
}
