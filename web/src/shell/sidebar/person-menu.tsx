import { useNavigate } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { CommandKeys } from '../../kernel/commands/command-keys.tsx'
import { useCommands } from '../../kernel/commands/commands.ts'
import { language, languages } from '../../kernel/messages/messages.ts'
import { isCompact, setCompact, setLanguage, setTheme, themeNow, themes } from '../appearance.ts'
import { say } from '../messages.ts'
import { signOut } from '../sign-out.ts'
import { AnchoredMenu, type AnchoredProps } from './anchored-menu.tsx'

export const languageNames = { en: 'English', de: 'Deutsch' }
export const themeNames = { auto: () => say.themeAuto, light: () => say.themeLight, dark: () => say.themeDark }

/** What belongs to the person: their profile, how the app looks, the way out. */
export function PersonMenu(props: AnchoredProps) {
  const navigate = useNavigate()
  const help = useCommands(state => state.commands.get('help'))
  return (
    <AnchoredMenu {...props}>
      <Line onSelect={() => void navigate({ to: '/profile' })}>{say.profile}</Line>
      <Line onSelect={() => void navigate({ to: '/undo' })}>
        <span className="grow">{say.undoCentre}</span>
        <CommandKeys id="go.undo" />
      </Line>
      <Line onSelect={() => void help?.run()}>
        <span className="grow">{say.help}</span>
        <CommandKeys id="help" />
      </Line>
      <hr />
      <Choices
        name={say.theme}
        value={themeNow()}
        choices={themes.map(each => ({ value: each, label: themeNames[each]() }))}
        onPick={each => void setTheme(each)}
      />
      <Choices
        name={say.rows}
        value={isCompact() ? 'compact' : 'cosy'}
        choices={[
          { value: 'cosy', label: say.cosy },
          { value: 'compact', label: say.compact },
        ]}
        onPick={each => setCompact(each === 'compact')}
      />
      <Choices
        name={say.language}
        value={language()}
        choices={languages.map(each => ({ value: each, label: languageNames[each] }))}
        onPick={each => void setLanguage(each)}
      />
      <hr />
      <Line onSelect={() => void signOut()}>{say.signOut}</Line>
    </AnchoredMenu>
  )
}

function Line({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <DropdownMenu.Item className="it" onSelect={onSelect}>
      {children}
    </DropdownMenu.Item>
  )
}

function Choices<T extends string>({
  name,
  value,
  choices,
  onPick,
}: {
  name: string
  value: T
  choices: readonly { value: T; label: string }[]
  onPick: (value: T) => void
}) {
  return (
    <DropdownMenu.RadioGroup value={value} aria-label={name}>
      <DropdownMenu.Label className="hd">{name}</DropdownMenu.Label>
      {choices.map(choice => (
        <DropdownMenu.RadioItem
          key={choice.value}
          value={choice.value}
          className="it"
          onSelect={() => onPick(choice.value)}
        >
          <span className="grow">{choice.label}</span>
          <DropdownMenu.ItemIndicator>
            <Check className="ic" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}
