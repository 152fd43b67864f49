import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

/** A part of an item with its name, its number and what can be done with it. */
export function Part({
  name,
  count,
  folded,
  acts,
  foot,
  children,
}: {
  name: string
  count?: string | number | undefined
  folded: boolean
  acts?: ReactNode
  /** What is shown also while the part is folded. */
  foot?: ReactNode
  children: ReactNode
}) {
  const [open, setOpen] = useState(!folded)
  return (
    <section className="sect part" aria-label={name}>
      <div className="sect-h">
        <button type="button" className="part-fold grow" aria-expanded={open} onClick={() => setOpen(!open)}>
          <ChevronRight className="ic ic-s" />
          {name} {count ? <span className="count">{count}</span> : null}
        </button>
        {acts}
      </div>
      {open && children}
      {foot}
    </section>
  )
}
