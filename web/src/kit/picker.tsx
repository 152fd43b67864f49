import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

export interface Choice<T> {
  value: T
  label: string
  icon?: ReactNode
  /** Why it cannot be chosen. */
  why?: string | undefined
}

/** One value of a few, behind a button. */
export function Picker<T extends string | number>({
  choices,
  value,
  onPick,
  label,
  children,
  className,
}: {
  choices: readonly Choice<T>[]
  value: T | undefined
  onPick: (value: T) => void
  label: string
  children: ReactNode
  className?: string
}) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <button type="button" className={className} aria-label={label} onClick={event => event.stopPropagation()}>
          {children}
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4} onClick={event => event.stopPropagation()}>
          {choices.map(choice => (
            <DropdownMenu.Item
              key={choice.value}
              className={`it ${choice.value === value ? 'is-on' : ''} ${choice.why ? 'is-off' : ''}`}
              disabled={choice.why !== undefined}
              onSelect={() => onPick(choice.value)}
            >
              {choice.icon}
              <bdi className="grow">{choice.label}</bdi>
              {choice.why && <span className="meta">{choice.why}</span>}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
