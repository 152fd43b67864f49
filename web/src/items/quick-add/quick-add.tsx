import { Dialog } from 'radix-ui'
import { say } from '../messages.ts'
import { QuickForm } from './quick-form.tsx'

/** A new item by one line, from anywhere. What was typed stays until it is sent. */
export function QuickAdd({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog.Root open={open} onOpenChange={next => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="menu palette"
          aria-describedby={undefined}
          // The editor of a value lies beside the dialog, not inside of it.
          onInteractOutside={event => {
            if (event.target instanceof Element && event.target.closest('.editor')) event.preventDefault()
          }}
        >
          <Dialog.Title className="sr">{say.create}</Dialog.Title>
          <QuickForm onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
