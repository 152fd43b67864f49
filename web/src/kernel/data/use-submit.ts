import { fieldErrors, isProblem, type Reply } from '@gantry/sdk'
import { useState } from 'react'
import { reasonOf } from './attempt.ts'
import { remember } from './undo.ts'

/** What the service said about a form: faults by the name of their field, and what concerns no field. */
interface Refusal {
  fields: ReadonlyMap<string, string>
  message: string | undefined
}

const accepted: Refusal = { fields: new Map(), message: undefined }

/** Sends a form once at a time, and keeps what the service refused for the fields to show. */
export function useSubmit<A>(
  send: () => Promise<Reply<A>>,
  text: (answer: A) => string,
  onDone: (answer: A) => unknown,
) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState(accepted)
  const submit = async () => {
    setBusy(true)
    try {
      const { answer, changeSet } = await send()
      setRefusal(accepted)
      remember(changeSet, text(answer))
      await onDone(answer)
    } catch (error) {
      const faults = isProblem(error) ? [...fieldErrors(error)] : []
      const fields = new Map(faults.map(([pointer, [first = '']]) => [pointer.slice(1), first]))
      setRefusal({ fields, message: fields.size > 0 ? undefined : reasonOf(error) })
    } finally {
      setBusy(false)
    }
  }
  return { submit, busy, errorOf: (field: string) => refusal.fields.get(field), problem: refusal.message }
}
