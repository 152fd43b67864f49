import { Settings } from 'lucide-react'
import { type ComponentType, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { later } from '../../kernel/later.tsx'
import { say } from '../messages.ts'
import type { AnchoredProps } from './anchored-menu.tsx'

interface MenuButtonProps {
  label: string
  className: string
  menu: ComponentType<AnchoredProps>
  children: ReactNode
}

/** A button with a menu. The code of the menu is fetched after the first paint. */
export function MenuButton({ label, className, menu: Menu, children }: MenuButtonProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    setOpen(true)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        onKeyDown={openByArrow}
      >
        {children}
      </button>
      {open && <Menu anchor={button} label={label} onClose={() => setOpen(false)} />}
    </>
  )
}

const PersonMenu = later(async () => (await import('./menus.ts')).PersonMenu)

/** The way to what belongs to the person. */
export function PersonButton() {
  return (
    <MenuButton label={say.settings} className="btn btn-ghost btn-icon" menu={PersonMenu}>
      <Settings className="ic" />
    </MenuButton>
  )
}
