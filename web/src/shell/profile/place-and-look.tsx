import { call } from '@gantry/sdk'
import { type ReactNode, useState } from 'react'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { patchSession, useSession } from '../../kernel/data/session/session.ts'
import { notify } from '../../kernel/data/undo.ts'
import { language, languages } from '../../kernel/messages/messages.ts'
import { isCompact, setCompact, setLanguage, setTheme, themeNow, themes } from '../appearance.ts'
import { say as shell } from '../messages.ts'
import { languageNames, themeNames } from '../sidebar/person-menu.tsx'
import { say } from './messages.ts'
import { Sect } from './parts.tsx'

/** Language and time zone: how days and times are written. */
export function PlaceAndLanguage() {
  const { user } = useSession()
  const setZone = (timezone: string) =>
    attempt(async () => {
      await call(gantry, 'PATCH /user/me', { body: { timezone } })
      patchSession({ user: { ...user, timezone } })
      notify(say.saved)
    })
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    <Sect title={say.place}>
      <Setting name={say.language}>
        <Segments
          name={say.language}
          value={language()}
          choices={languages.map(value => ({ value, label: languageNames[value] }))}
          onPick={each => void attempt(() => setLanguage(each))}
        />
      </Setting>
      <label className="f">
        <span>{say.zone}</span>
        <select className="input" value={user.timezone} onChange={event => void setZone(event.target.value)}>
          {[...new Set([user.timezone, 'UTC', ...zones])].map(zone => (
            <option key={zone}>{zone}</option>
          ))}
        </select>
      </label>
    </Sect>
  )
}

export function Look() {
  const [theme, showTheme] = useState(themeNow)
  const [compact, showCompact] = useState(isCompact)
  return (
    <Sect title={say.look}>
      <Setting name={say.theme}>
        <Segments
          name={say.theme}
          value={theme}
          choices={themes.map(value => ({ value, label: themeNames[value]() }))}
          onPick={each => {
            showTheme(each)
            void attempt(() => setTheme(each))
          }}
        />
      </Setting>
      <Setting name={say.rows}>
        <Segments
          name={say.rows}
          value={compact ? 'compact' : 'cosy'}
          choices={[
            { value: 'compact', label: shell.compact },
            { value: 'cosy', label: shell.cosy },
          ]}
          onPick={each => {
            showCompact(each === 'compact')
            setCompact(each === 'compact')
          }}
        />
      </Setting>
    </Sect>
  )
}

function Setting({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="f">
      <span>{name}</span>
      {children}
    </div>
  )
}

interface SegmentsProps<T extends string> {
  name: string
  value: T
  choices: readonly { value: T; label: string }[]
  onPick: (value: T) => void
}

function Segments<T extends string>({ name, value, choices, onPick }: SegmentsProps<T>) {
  return (
    <div className="seg" role="group" aria-label={name}>
      {choices.map(choice => (
        <button
          key={choice.value}
          type="button"
          className={choice.value === value ? 'is-on' : ''}
          aria-pressed={choice.value === value}
          onClick={() => onPick(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
