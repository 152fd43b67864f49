import { type Container, call, codes, type Process } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gantry } from '../kernel/data/client.ts'
import { refreshSession, useSession } from '../kernel/data/session/session.ts'
import { useSubmit } from '../kernel/data/use-submit.ts'
import { FormDialog, FormField } from '../kit/form-dialog.tsx'
import { say } from './messages.ts'
import { suggestKey } from './suggest-key.ts'

interface NewContainerProps {
  open: boolean
  onClose: () => void
  onMade: (container: Container) => void
}

/** A new container: a name is enough, the rest is suggested. */
export function NewContainer({ open, onClose, onMade }: NewContainerProps) {
  const { containers } = useSession()
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const [isPrivate, setPrivate] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const { data: processes = [] } = useQuery({
    queryKey: ['Process'],
    enabled: open,
    queryFn: () => call(gantry, 'GET /process', { query: { limit: 200 } }),
  })
  const process = chosen ?? processes[0]?.id ?? ''
  const suggested = suggestKey(
    name,
    containers.map(each => each.key),
  )
  const key = typedKey ?? suggested
  const close = () => {
    setName('')
    setTypedKey(undefined)
    onClose()
  }
  const { submit, busy, errorOf, problem } = useSubmit(
    async () => {
      const processId = process || (await makeSimpleProcess()).id
      const body = { name: name.trim(), key, private: isPrivate, processIds: [processId], defaultProcessId: processId }
      return await call(gantry, 'POST /container', { body }).withResponse()
    },
    made => say.wasCreated(made.name),
    async made => {
      // What is typed on the page of the container goes into it once the session knows it.
      await refreshSession().catch(() => undefined)
      close()
      onMade(made)
    },
  )
  return (
    <FormDialog
      open={open}
      title={say.newContainer}
      submit={say.create}
      cancel={say.cancel}
      busy={busy || name.trim() === ''}
      problem={problem}
      onSubmit={submit}
      onClose={close}
    >
      <FormField label={say.name} hint={say.nameHint} error={errorOf('name')}>
        {tied => <input {...tied} className="input" value={name} onChange={event => setName(event.target.value)} />}
      </FormField>
      <FormField label={say.key} hint={key && say.keyHint(key)} error={errorOf('key')}>
        {tied => (
          <input
            {...tied}
            className="input"
            value={key}
            onChange={event => setTypedKey(event.target.value.toUpperCase())}
          />
        )}
      </FormField>
      <FormField label={say.workflow} hint={say.workflowHint} error={errorOf('processIds/0')}>
        {tied => (
          <select {...tied} className="input" value={process} onChange={event => setChosen(event.target.value)}>
            {processes.map(each => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
            {processes.length === 0 && <option value="">{say.simpleWorkflow}</option>}
          </select>
        )}
      </FormField>
      <FormField label={say.isPrivate} hint={say.isPrivateHint}>
        {tied => (
          <input {...tied} type="checkbox" checked={isPrivate} onChange={event => setPrivate(event.target.checked)} />
        )}
      </FormField>
    </FormDialog>
  )
}

/** The workflow of a workspace that has none yet. */
function makeSimpleProcess(): Promise<Process> {
  const categories = [codes.statusCategory.unstarted, codes.statusCategory.started, codes.statusCategory.done]
  const workflow = say.states.split('|').map((value, at) => ({
    id: `state${at}`,
    fieldId: 'status',
    value,
    category: categories[at],
    initial: at === 0,
    next: '*',
  }))
  return call(gantry, 'POST /process', { body: { name: say.tasks, workflow } })
}
