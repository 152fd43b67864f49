import { TriangleAlert, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from './kit.tsx'

interface FormDialogProps {
  open: boolean
  title: string
  /** The names of the buttons. */
  submit: string
  cancel: string
  busy?: boolean
  /** What the service refused as a whole; faults of a field are shown beside it. */
  problem?: string | undefined
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A short form over the page. `Mod+Enter` submits it from everywhere in it. */
export function FormDialog({
  open,
  title,
  submit,
  cancel,
  busy,
  problem,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) onSubmit()
  }
  return (
    <Dialog.Root open={open} onOpenChange={next => !next && onClose()}>
      <Dialog.Portal>
        {/* The form is inside: beside it the two could come in either order. */}
        <Dialog.Overlay className="scrim">
          <Dialog.Content className="menu form-dialog" aria-describedby={undefined} onOpenAutoFocus={focusFirstField}>
            <div className="bar">
              <Dialog.Title className="strong grow">{title}</Dialog.Title>
              <Dialog.Close asChild>
                <Button look="icon" aria-label={cancel}>
                  <X className="ic" />
                </Button>
              </Dialog.Close>
            </div>
            <form
              onSubmit={send}
              onKeyDown={event => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
              }}
            >
              {children}
              {problem && (
                <p className="why" role="alert">
                  <TriangleAlert className="ic" />
                  <bdi>{problem}</bdi>
                </p>
              )}
              <div className="form-foot">
                <Button look="ghost" onClick={onClose}>
                  {cancel}
                </Button>
                <Button look="primary" type="submit" disabled={busy} keys="$mod+Enter">
                  {submit}
                </Button>
              </div>
            </form>
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Whoever opens a form writes in it: without this the button that closes it would have the focus. */
function focusFirstField(event: Event): void {
  const field = event.target instanceof Element && event.target.querySelector('form :is(input, select, textarea)')
  if (!(field instanceof HTMLElement)) return
  event.preventDefault()
  field.focus()
}

interface FormFieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** The control, which gets the attributes that tie it to its label and its fault. */
  children: (tied: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactNode
}

export function FormField({ label, hint, error, children }: FormFieldProps) {
  const id = useId()
  const about = error || hint ? `${id}-about` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': about })}
      {(error ?? hint) && (
        <p id={about} className={error ? 'why' : 'hint'}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}
