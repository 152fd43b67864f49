import { type ContainerFilter, call } from '@gantry/sdk'
import { useState } from 'react'
import type { Criteria } from '../../items/list/list-query.ts'
import { gantry } from '../../kernel/data/client.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { useSubmit } from '../../kernel/data/use-submit.ts'
import { fieldTypes, type Property } from '../../kernel/fields/fields.ts'
import { useHere } from '../../kernel/fields/here.ts'
import { openEditor } from '../../kernel/fields/open-editor.ts'
import { FormDialog, FormField } from '../../kit/form-dialog.tsx'
import { toFilter } from './criteria.ts'
import { say } from './messages.ts'

interface SaveProps {
  containerId: string
  criteria: Criteria
  /** The filter that is renamed or shared; a new one is made without it. */
  filter: ContainerFilter | undefined
  people: Property['choices']
  onClose: () => void
  onSaved: (filter: ContainerFilter) => void
}

type Audience = 'me' | 'all' | 'some'

/** Names a filter, and says who else has it. */
export function SaveFilter({ containerId, criteria, filter, people = [], onClose, onSaved }: SaveProps) {
  const { user } = useSession()
  const [name, setName] = useState(filter?.name ?? '')
  const [audience, setAudience] = useState<Audience>(audienceOf(filter))
  const [shared, setShared] = useState<readonly string[]>(filter?.shared ?? [])
  const { submit, busy, errorOf, problem } = useSubmit(
    async () => {
      const rights = { ownerUserId: audience === 'all' ? '' : user.id, shared: audience === 'some' ? [...shared] : [] }
      const body = { name: name.trim(), ...rights }
      if (filter)
        return await call(gantry, 'PATCH /container/{containerId}/filter/{filterId}', {
          path: { containerId, filterId: filter.id },
          body,
        }).withResponse()
      return await call(gantry, 'POST /container/{containerId}/filter', {
        path: { containerId },
        body: { ...body, ...toFilter(criteria) },
      }).withResponse()
    },
    saved => say.saved(saved.name),
    saved => {
      onClose()
      onSaved(saved)
    },
  )
  const audiences: Record<Audience, string> = { me: say.onlyMe, all: say.everybody, some: say.some }
  return (
    <FormDialog
      open
      title={filter ? say.edit : say.save}
      submit={say.save}
      cancel={say.cancel}
      busy={busy || name.trim() === ''}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={say.name} error={errorOf('name')}>
        {tied => <input {...tied} className="input" value={name} onChange={event => setName(event.target.value)} />}
      </FormField>
      <fieldset className="field">
        <legend className="label">{say.audience}</legend>
        {(Object.keys(audiences) as Audience[]).map(each => (
          <label key={each} className="hstack">
            <input type="radio" name="audience" checked={audience === each} onChange={() => setAudience(each)} />
            {audiences[each]}
          </label>
        ))}
      </fieldset>
      {audience === 'some' && <People people={people} shared={shared} onChange={setShared} error={errorOf('shared')} />}
    </FormDialog>
  )
}

function audienceOf(filter: ContainerFilter | undefined): Audience {
  if (!filter || (filter.ownerUserId !== '' && filter.shared.length === 0)) return 'me'
  return filter.ownerUserId === '' ? 'all' : 'some'
}

interface PeopleProps {
  people: NonNullable<Property['choices']>
  shared: readonly string[]
  onChange: (ids: readonly string[]) => void
  error: string | undefined
}

function People({ people, shared, onChange, error }: PeopleProps) {
  const here = useHere()
  const choices = people.filter(({ value }) => value !== '')
  const property: Property = {
    path: 'shared',
    name: say.some,
    type: 'choices',
    choices,
    read: () => shared,
    write: () => ({}),
  }
  const edit = (anchor: Element) =>
    openEditor({ property, value: shared, record: undefined, anchor, save: value => onChange(value as string[]) }) // choices of ids
  return (
    <FormField label={say.some} error={error}>
      {tied => (
        <button {...tied} type="button" className="input" onClick={event => edit(event.currentTarget)}>
          <bdi className="cut">{fieldTypes.choices.print(shared, property, here) || say.nobodyYet}</bdi>
        </button>
      )}
    </FormField>
  )
}
