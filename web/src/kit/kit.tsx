import type { ComponentProps, ReactNode } from 'react'
import { keysText } from './keys-text.ts'

type ButtonLook = 'plain' | 'ghost' | 'primary' | 'danger' | 'icon'

const looks: Record<ButtonLook, string> = {
  plain: 'btn',
  ghost: 'btn btn-ghost',
  primary: 'btn btn-primary',
  danger: 'btn btn-danger',
  icon: 'btn btn-ghost btn-icon',
}

export function Button({
  look = 'plain',
  keys,
  children,
  ...rest
}: ComponentProps<'button'> & { look?: ButtonLook; keys?: string }) {
  return (
    <button type="button" className={looks[look]} {...rest}>
      {children}
      {keys && <Keys keys={keys} />}
    </button>
  )
}

export function Keys({ keys }: { keys: string }) {
  return keysText(keys).map((key, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may have a key twice
    <kbd key={at} className="kbd">
      {key}
    </kbd>
  ))
}

/** The quiet tint of a person stays the same wherever they are shown. */
export function Avatar({ id, name, size = '' }: { id: string; name: string; size?: '' | 'm' | 'l' }) {
  const tint = (Number.parseInt(id.slice(-4), 16) % 6) + 1
  const initials = name
    .split(/\s+/)
    .map(word => [...word][0] ?? '')
    .filter((_, at, all) => at === 0 || at === all.length - 1)
    .join('')
    .toUpperCase()
  return (
    // The initials are drawn by the stylesheet: as text they would be no part of the name that is read out.
    <span
      className={`av av-${tint} ${size && `av-${size}`}`}
      data-initials={initials}
      role="img"
      aria-label={name}
      title={name}
    />
  )
}

/** What an empty screen says: what belongs here, and one thing to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="center">
      <p className="strong">{title}</p>
      {children}
    </div>
  )
}

export function Skeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div aria-busy="true" className="page">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <span key={at} className="sk" />
      ))}
    </div>
  )
}

/** What a screen says when it has nothing else to show: a sign, a sentence, one thing to do. */
export function Screen({
  icon,
  title,
  text,
  alert,
  children,
}: {
  icon?: ReactNode
  title: string
  text?: string | undefined
  alert?: boolean
  children?: ReactNode
}) {
  return (
    <div className="empty" role={alert ? 'alert' : undefined}>
      {icon}
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children && <div className="hstack">{children}</div>}
    </div>
  )
}
