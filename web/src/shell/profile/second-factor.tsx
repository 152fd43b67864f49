import { call, type SecondFactorEnrolment } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { Copyable } from '../../kit/copyable.tsx'
import { Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { Ask, Once, Sect } from './parts.tsx'

const queryKey = ['second-factor']
type Step = 'password' | 'remove' | 'codes' | undefined

/** Codes of an app beside the password. */
export function SecondFactor() {
  const client = useQueryClient()
  const [step, setStep] = useState<Step>()
  const [enrolment, setEnrolment] = useState<SecondFactorEnrolment>()
  const [codes, setCodes] = useState<string[]>()
  const { data } = useQuery({ queryKey, queryFn: () => call(gantry, 'GET /user/me/second-factor') })
  if (!data) return null
  const act = (work: () => Promise<void>) =>
    attempt(async () => {
      await work()
      setStep(undefined)
      await client.invalidateQueries({ queryKey })
    })
  const begin = (password: string) =>
    act(async () => setEnrolment(await call(gantry, 'POST /user/me/second-factor', { body: { password } })))
  const confirm = (code: string) =>
    act(async () => {
      const made = await call(gantry, 'POST /user/me/second-factor/confirm', { body: { code } })
      setEnrolment(undefined)
      setCodes(made.recoveryCodes)
    })
  const renew = (password: string) =>
    act(async () => {
      const made = await call(gantry, 'POST /user/me/second-factor/recovery-codes', { body: { password } })
      setCodes(made.recoveryCodes)
    })
  const remove = (password: string) =>
    act(async () => {
      await call(gantry, 'POST /user/me/second-factor/remove', { body: { password } })
    })
  const onPassword = { password: begin, codes: renew, remove }
  return (
    <Sect
      title={say.secondFactor}
      note={data.active ? say.factorOn(data.recoveryCodesLeft) : say.factorOff}
      action={
        !step &&
        !enrolment &&
        (data.active ? (
          <>
            <Button onClick={() => setStep('codes')}>{say.newCodes}</Button>
            {!data.required && <Button onClick={() => setStep('remove')}>{say.turnOff}</Button>}
          </>
        ) : (
          <Button onClick={() => setStep('password')}>{say.turnOn}</Button>
        ))
      }
    >
      {step && (
        <Ask
          label={say.password}
          type="password"
          onDone={password => void onPassword[step](password)}
          onCancel={() => setStep(undefined)}
        />
      )}
      {enrolment && (
        <>
          <p className="hint">{say.scan}</p>
          <Copyable text={enrolment.secret} label={say.copy} done={say.copied} />
          <Ask label={say.code} onDone={code => void confirm(code)} onCancel={() => setEnrolment(undefined)} />
        </>
      )}
      {codes && <Once title={say.codes} secret={codes.join(' ')} onDone={() => setCodes(undefined)} />}
    </Sect>
  )
}
