import { codes, type Item } from '@gantry/sdk'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../../kernel/data/session/session.ts'
import { momentText } from '../../../kernel/dates/days.ts'
import { Prose } from '../../../kernel/prose.tsx'
import { Avatar } from '../../../kit/kit.tsx'
import { useUsers } from '../../catalogue.ts'
import { FileChips } from '../parts/file-chips.tsx'
import { annotationVia, isInternal } from './annotation-kind.ts'
import { MessageEditor } from './message-editor.tsx'
import { MessageMenu, Reactions } from './message-menu.tsx'
import { say } from './messages.ts'
import type { Message } from './thread.ts'

const { annotationKind } = codes

/** What the heading of a message says beside its author. */
function kindText({ kind, via, mail, reachesNobody }: Message): string[] {
  const named = {
    [annotationKind.note]: say.internal,
    [annotationKind.decision]: say.decision,
    [annotationKind.resolution]: say.resolution,
    [annotationKind.update]: say.statusUpdate,
  }[kind]
  return [
    ...(named ? [named] : []),
    ...(mail.to?.length ? [`${say.to} ${mail.to.join(', ')}`] : []),
    ...(mail.cc?.length ? [`${say.cc} ${mail.cc.join(', ')}`] : []),
    ...(via === annotationVia.mail ? [say.byMail] : []),
    ...(reachesNobody ? [say.reachesNobody] : []),
  ]
}

export function MessageView({ item, message }: { item: Item; message: Message }) {
  const [editing, setEditing] = useState(false)
  const users = useUsers()
  const { user } = useSession()
  const name = users.get(message.authorId)?.name ?? ''
  const internal = isInternal(message.kind)
  return (
    <article className={`msg ${internal ? 'msg-note' : ''}`} aria-label={name} id={`message-${message.id}`}>
      <Avatar id={message.authorId || message.id} name={name} size="m" />
      <div>
        <div className="who">
          <b>
            <bdi>{name}</bdi>
          </b>
          <span className="meta hstack">
            {internal && <Lock className="ic ic-s" aria-hidden="true" />}
            {kindText(message).map(text => (
              <bdi key={text}>{text} ·</bdi>
            ))}
            <time dateTime={message.created}>{momentText(message.created, user.timezone)}</time>
            {message.edited.length > 0 && <span>· {say.edited}</span>}
          </span>
          <span className="grow" />
          {!message.deleted && message.version > 0 && (
            <MessageMenu item={item} message={message} onEdit={() => setEditing(true)} />
          )}
        </div>
        {message.deleted ? (
          <p className="body dim">{say.deletedMessage}</p>
        ) : editing ? (
          <MessageEditor item={item} message={message} onDone={() => setEditing(false)} />
        ) : message.bodyHtml === undefined ? (
          <p className="body pre" aria-busy="true">
            <bdi>{message.body}</bdi>
          </p>
        ) : (
          <Prose className="body" html={message.bodyHtml} />
        )}
        <FileChips ids={message.attachments} itemId={item.id} />
        <Reactions message={message} />
      </div>
    </article>
  )
}
