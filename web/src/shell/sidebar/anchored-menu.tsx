import { DropdownMenu } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'

export interface AnchoredProps {
  anchor: RefObject<HTMLElement | null>
  label: string
  onClose: () => void
}

/** An open menu beside a button that exists apart from it. */
export function AnchoredMenu({ anchor, label, onClose, children }: AnchoredProps & { children: ReactNode }) {
  return (
    <DropdownMenu.Root open onOpenChange={open => !open && onClose()}>
      <DropdownMenu.Trigger asChild>
        <span className="menu-anchor" ref={element => placeOver(element, anchor.current)} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onCloseAutoFocus={event => {
            event.preventDefault()
            anchor.current?.focus()
          }}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function placeOver(element: HTMLElement | null, anchor: HTMLElement | null): void {
  const box = anchor?.getBoundingClientRect()
  if (!element || !box) return
  element.style.left = `${box.left}px`
  element.style.top = `${box.top}px`
  element.style.width = `${box.width}px`
  element.style.height = `${box.height}px`
}
