import { useRouter } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useEffect } from 'react'
import { Button } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import { SidebarBody, type SidebarProps } from './sidebar.tsx'
import { Workspace } from './workspace.tsx'

/** Over the page where there is none. It closes as soon as a person has gone somewhere. */
export function SidebarSheet({ open, onClose, ...props }: SidebarProps & { open: boolean; onClose: () => void }) {
  const router = useRouter()
  useEffect(() => (open ? router.subscribe('onBeforeNavigate', onClose) : undefined), [open, router, onClose])
  return (
    <Dialog.Root open={open} onOpenChange={next => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="side sheet" aria-describedby={undefined}>
          <Dialog.Title className="sr">{say.menu}</Dialog.Title>
          <div className="hstack sheet-top">
            <Workspace />
            <Dialog.Close asChild>
              <Button look="icon" aria-label={say.close}>
                <X className="ic" />
              </Button>
            </Dialog.Close>
          </div>
          <SidebarBody {...props} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
