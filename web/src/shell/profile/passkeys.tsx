import { call, type NewPasskey } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { attempt, reasonOf } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { notify } from '../../kernel/data/undo.ts'
import { momentText } from '../../kernel/dates/days.ts'
import { Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { Ask, Sect } from './parts.tsx'

const queryKey = ['passkeys']

/** The devices that sign in without the password. */
export function Passkeys() {
  const { timezone } = useSession().user
  const client = useQueryClient()
  const [step, setStep] = useState<'name' | 'password'>()
  const [name, setName] = useState('')
  const { data = [] } = useQuery({ queryKey, queryFn: () => call(gantry, 'GET /user/me/passkey') })
  const refetch = () => client.invalidateQueries({ queryKey })
  const add = async (password: string) => {
    try {
      await addPasskey(name, password)
      setStep(undefined)
      notify(say.passkeyAdded)
      await refetch()
    } catch (error) {
      setStep(undefined)
      if (!(error instanceof DOMException)) notify(reasonOf(error)) // otherwise the person has closed the dialog of the browser
    }
  }
  const remove = (id: string) =>
    attempt(async () => {
      await call(gantry, 'DELETE /user/me/passkey/{id}', { path: { id } })
      notify(say.removed)
      await refetch()
    })
  const isAble = 'PublicKeyCredential' in window
  return (
    <Sect
      title={say.passkeys}
      note={data.length > 0 ? String(data.length) : ''}
      action={isAble && !step && <Button onClick={() => setStep('name')}>{say.add}</Button>}
    >
      {step === 'name' && (
        <Ask
          label={say.passkeyName}
          onCancel={() => setStep(undefined)}
          onDone={value => {
            setName(value)
            setStep('password')
          }}
        />
      )}
      {step === 'password' && (
        <Ask
          label={say.password}
          type="password"
          optional
          onCancel={() => setStep(undefined)}
          onDone={password => void add(password)}
        />
      )}
      {data.length === 0 && !step && <p className="hint">{isAble ? say.noPasskeys : say.noWebAuthn}</p>}
      {data.map(passkey => (
        <div key={passkey.id} className="pkey">
          <KeyRound className="ic" />
          <span className="cut">
            <bdi>{passkey.name}</bdi>{' '}
            <span className="meta">
              {passkey.lastUsed ? say.used(momentText(passkey.lastUsed, timezone)) : say.neverUsed}
            </span>
          </span>
          <Button look="icon" aria-label={say.remove(passkey.name)} onClick={() => void remove(passkey.id)}>
            <Trash2 className="ic" />
          </Button>
        </div>
      ))}
    </Sect>
  )
}

/** Lets the browser make a credential, and gives its public part to the service. */
async function addPasskey(name: string, password: string): Promise<void> {
  const options = await call(gantry, 'POST /user/me/passkey/options', { body: password ? { password } : {} })
  // The service writes the options as the browser reads them (WebAuthn, section 5.1.3).
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = await navigator.credentials.create({ publicKey })
  if (!(credential instanceof PublicKeyCredential)) return
  const response = credential.toJSON() as NewPasskey['response'] // a registration, since one was asked for
  await call(gantry, 'POST /user/me/passkey', { body: { name, response } })
}
