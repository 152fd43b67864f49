import type { ContentTemplate, Item } from '@gantry/sdk'
import { LayoutTemplate, Zap } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { say } from '../messages.ts'
import { templateText, useMacro } from './use-templates.ts'

interface TemplateMenuProps {
  item: Item
  answers: readonly ContentTemplate[]
  macros: readonly ContentTemplate[]
  onText: (markdown: string) => void
}

/** Answers that were written in advance, and macros, which change the ticket and answer at once. */
export function TemplateMenu({ item, answers, macros, onText }: TemplateMenuProps) {
  const runMacro = useMacro(item)
  if (answers.length + macros.length === 0) return null
  const insert = async (template: ContentTemplate) => {
    const text = await templateText(item.id, template)
    if (text) onText(text)
  }
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="btn btn-ghost" aria-label={say.template}>
        <LayoutTemplate className="ic" /> <span className="wide">{say.template}</span>{' '}
        <kbd className="kbd wide">::</kbd>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="end"
          sideOffset={4}
          // The text that was inserted has the focus.
          onCloseAutoFocus={event => event.preventDefault()}
        >
          {answers.map(each => (
            <DropdownMenu.Item key={each.id} className="it" onSelect={() => void insert(each)}>
              <bdi className="grow cut">{each.name}</bdi>
              {each.shortcut && <span className="meta">{each.shortcut}</span>}
            </DropdownMenu.Item>
          ))}
          {macros.length > 0 && <DropdownMenu.Label className="hd">{say.macros}</DropdownMenu.Label>}
          {macros.map(each => (
            <DropdownMenu.Item key={each.id} className="it" onSelect={() => void runMacro(each)}>
              <Zap className="ic ic-s" /> <bdi className="grow cut">{each.name}</bdi>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
