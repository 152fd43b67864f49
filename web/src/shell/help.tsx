import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useCommands } from '../kernel/commands/commands.ts'
import { keysOf } from '../kernel/commands/keymap.ts'
import { usePreferences } from '../kernel/data/session/preferences.ts'
import { Button, Keys } from '../kit/kit.tsx'
import { say } from './messages.ts'
import { placeName } from './place-names.ts'

/** Every key that does something here, read from the commands themselves. */
export function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog.Root open={open} onOpenChange={next => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="menu help" aria-describedby={undefined}>
          <div className="bar">
            <Dialog.Title className="strong grow">{say.help}</Dialog.Title>
            <Link to="/profile" className="btn btn-ghost" onClick={onClose}>
              {say.changeKeys}
            </Link>
            <Dialog.Close asChild>
              <Button look="icon" aria-label={say.close}>
                <X className="ic" />
              </Button>
            </Dialog.Close>
          </div>
          <HelpBody />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function HelpBody() {
  const commands = useCommands(state => state.commands)
  const preferences = usePreferences()
  const shown = [...commands.values()].flatMap(command => {
    const keys = keysOf(command, preferences)
    return keys ? [{ command, keys }] : []
  })
  const groups = Map.groupBy(shown, ({ command }) => command.where)
  return (
    <div className="help-body">
      {preferences.singleKeys === false && <p className="hint">{say.singleKeysOff}</p>}
      {[...groups].sort(byPlace).map(([where, those]) => (
        <section key={where ?? ''} aria-label={placeName(where)}>
          <h2 className="hd">{placeName(where)}</h2>
          <dl>
            {[...Map.groupBy(those, ({ command }) => command.title)].map(([title, ways]) => (
              <HelpLine key={title} title={title} ways={ways.map(({ keys }) => keys)} />
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

/** What counts everywhere comes last: a person asks about the page first. */
const byPlace = ([one]: [string | undefined, unknown], [other]: [string | undefined, unknown]) =>
  Number(one === undefined) - Number(other === undefined)

/** What can be done, and the keys for it: `J` and `↓` do the same. */
function HelpLine({ title, ways }: { title: string; ways: readonly string[] }) {
  return (
    <div className="help-line">
      <dt>{title}</dt>
      {ways.map(keys => (
        <dd key={keys}>
          <Keys keys={keys} />
        </dd>
      ))}
    </div>
  )
}
