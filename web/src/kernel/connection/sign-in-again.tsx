import { Dialog } from 'radix-ui'
import { Button } from '../../kit/kit.tsx'
import { useOutbox } from '../data/outbox/outbox.ts'
import { say } from './messages.ts'
import { signOut } from './sign-out.ts'

/** The page stays, but nobody reads it whom the service does not know. */
export function SignInAgain() {
  const waiting = useOutbox(state => state.waiting.length)
  const openWindow = () => window.open('/sign-in?to=/signed-in-again', 'gantry-sign-in', 'popup,width=480,height=680')
  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim scrim-full" />
        <Dialog.Content
          className="menu sheet-small"
          onEscapeKeyDown={event => event.preventDefault()}
          onInteractOutside={event => event.preventDefault()}
        >
          <Dialog.Title>{say.signedOut}</Dialog.Title>
          <Dialog.Description>{say.signedOutWhy}</Dialog.Description>
          {waiting > 0 && <p className="meta">{say.waiting(waiting)}</p>}
          <div className="hstack">
            <Button look="primary" onClick={openWindow}>
              {say.signInAgain}
            </Button>
            <Button look="ghost" onClick={() => void signOut()}>
              {say.leave}
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
