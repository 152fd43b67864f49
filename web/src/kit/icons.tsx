/** Status is a shape first: ring, half, full, pause, check, cross. */
export type StatusShape = 'todo' | 'half' | 'full' | 'wait' | 'check' | 'cross'

/** A sign beside its name is drawn only; one that stands alone is read out. */
const named = (label: string) => (label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })

export function StatusIcon({ shape, label }: { shape: StatusShape; label: string }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has a name, or stands beside it
    <svg className={`st st-${shape}`} viewBox="0 0 16 16" {...named(label)}>
      {shape === 'check' || shape === 'cross' ? (
        <circle cx="8" cy="8" r="6.5" fill="currentColor" />
      ) : (
        <circle cx="8" cy="8" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.5" />
      )}
      {shape === 'half' && <path d="M8 5v6a3 3 0 0 0 0-6Z" fill="currentColor" stroke="currentColor" strokeWidth="1" />}
      {shape === 'full' && <circle cx="8" cy="8" r="3.25" fill="currentColor" />}
      {shape === 'wait' && (
        <path d="M6.5 5.75v4.5M9.5 5.75v4.5" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      )}
      {shape === 'check' && <path d="m5.25 8.25 2 2 3.5-4" fill="none" stroke="var(--sheet)" strokeWidth="1.6" />}
      {shape === 'cross' && <path d="m5.75 5.75 4.5 4.5m0-4.5-4.5 4.5" stroke="var(--sheet)" strokeWidth="1.6" />}
    </svg>
  )
}

/** Priority is bars in ink; only the highest is red. One element, since lists have many: the stylesheet draws it. */
export function PriorityIcon({ level, label }: { level: 0 | 1 | 2 | 3 | 4; label: string }) {
  return <span className={`bars bars-${level === 0 ? 0 : 5 - level}`} {...named(label)} />
}
