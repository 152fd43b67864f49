import { type KeyboardEvent, useState } from 'react'
import { type KnownCommand, useCommands } from '../../kernel/commands/commands.ts'
import { keysOf, keysOfEvent, rivalOf } from '../../kernel/commands/keymap.ts'
import { setPreferences, usePreferences } from '../../kernel/data/session/preferences.ts'
import { Button, Keys } from '../../kit/kit.tsx'
import { placeName } from '../place-names.ts'
import { say } from './messages.ts'
import { Sect } from './parts.tsx'

/** The keys of every command that was met so far: they can be changed, and single keys switched off. */
export function Shortcuts() {
  const { keys = {}, singleKeys = true } = usePreferences()
  const known = useCommands(state => state.known)
  const [editing, setEditing] = useState<string>()
  const set = (id: string, chosen: string | undefined, without?: string) => {
    const { [id]: _, ...others } = keys
    const next = { ...others, ...(chosen === undefined ? {} : { [id]: chosen }), ...(without ? { [without]: '' } : {}) }
    setEditing(undefined)
    void setPreferences({ keys: next })
  }
  const own = Object.keys(keys).length
  return (
    <Sect
      title={say.shortcuts}
      note={own > 0 ? say.yours(own) : ''}
      action={
        <label className="hstack">
          {say.singleKeys}
          <input
            type="checkbox"
            checked={singleKeys}
            onChange={event => void setPreferences({ singleKeys: event.target.checked })}
          />
        </label>
      }
    >
      {[...known.values()]
        .filter(({ keys: given, id }) => given || keys[id])
        .map(command => (
          <div key={command.id} className="sc">
            <span className="cut">
              {command.title} <span className="meta">{command.where && placeName(command.where)}</span>
            </span>
            {editing === command.id ? (
              <Recorder command={command} onSet={set} onCancel={() => setEditing(undefined)} />
            ) : (
              <>
                <Chosen command={command} />
                <Button look="ghost" onClick={() => setEditing(command.id)}>
                  {say.change}
                </Button>
                {keys[command.id] !== undefined && (
                  <Button look="ghost" onClick={() => set(command.id, undefined)}>
                    {say.reset}
                  </Button>
                )}
              </>
            )}
          </div>
        ))}
    </Sect>
  )
}

function Chosen({ command }: { command: KnownCommand }) {
  const keys = keysOf(command, usePreferences())
  return <span className="hstack">{keys ? <Keys keys={keys} /> : <span className="meta">{say.noKey}</span>}</span>
}

interface RecorderProps {
  command: KnownCommand
  onSet: (id: string, keys: string, without?: string) => void
  onCancel: () => void
}

/** Takes the next keys that are pressed. If another command has them, `Enter` takes them from it. */
function Recorder({ command, onSet, onCancel }: RecorderProps) {
  const preferences = usePreferences()
  const known = useCommands(state => state.known)
  const [pressed, setPressed] = useState<string>()
  const rival = pressed ? rivalOf(command, pressed, known.values(), preferences) : undefined
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return onCancel()
    if (event.key === 'Backspace') return onSet(command.id, '')
    if (event.key === 'Enter' && pressed) return onSet(command.id, pressed, rival?.id)
    const keys = keysOfEvent(event)
    if (!keys) return
    setPressed(keys)
    if (!rivalOf(command, keys, known.values(), preferences)) onSet(command.id, keys)
  }
  return (
    <>
      <input
        className="input rec"
        readOnly
        aria-label={`${command.title}: ${say.press}`}
        value={pressed ?? ''}
        placeholder={say.press}
        ref={element => element?.focus()}
        onKeyDown={onKeyDown}
        onBlur={onCancel}
      />
      {rival && (
        <p className="why" role="alert">
          {say.taken(rival.title)}
        </p>
      )}
    </>
  )
}
