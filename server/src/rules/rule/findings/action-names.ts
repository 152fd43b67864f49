import { type Action, actionKind, type ValueKind } from '../../../containers/action/action.ts'
import { policyIn } from '../../../desk/assignment/assignment.ts'
import { isId } from '../../../kernel/id.ts'
import { onDutyClock } from '../actions/assignees.ts'
import { isAddress, wordsIn } from '../actions/people.ts'
import { objectOf } from '../actions/text/action-text.ts'

/** Something that an action names, and that may not exist. */
export type ActionName =
  /** A record of one of these kinds, by its id. */
  | { what: 'record'; entities: readonly string[]; text: string; input?: string }
  | { what: 'field' | 'path' | 'state' | 'linkType' | 'newItem' | 'policy'; text: string; input?: string }
  /** Something that is none of the words that stand for people. */
  | { what: 'nobody'; text: string; input?: string }

/** The names in an action, without those that a template decides at the time of the action. */
export function namesIn(action: Action): ActionName[] {
  const kind = actionKind(action.actionType)
  return kind ? namesOf[kind.name](action).filter(({ text }) => text !== '' && !hasTemplate(text)) : []
}

/** Whether a text is a template, and its value therefore not known before it is rendered. */
export const hasTemplate = (text: string) => text.includes('{{') || text.includes('{%')

const none = () => []
const field = ({ field }: Action): ActionName[] => [{ what: 'field', text: field.trim(), input: 'field' }]
const record =
  (...entities: string[]) =>
  ({ value }: Action): ActionName[] =>
    textsIn(value).map(text => ({ what: 'record', entities, text }))
const people = ({ value }: Action): ActionName[] => peopleIn(value)
const template = ({ value }: Action): ActionName[] => templateIn(value)

const namesOf: Readonly<Record<ValueKind['name'], (action: Action) => ActionName[]>> = {
  setField: field,
  addToList: field,
  removeFromList: field,
  clearField: field,
  adjust: field,
  copyFrom: action => [...field(action), { what: 'path', text: textOf(action.value) }],
  transition: ({ value }) => [{ what: 'state', text: textOf(value) }],
  assign: ({ value }) => assigneeIn(value),
  move: record('Container', 'Area'),
  addNote: template,
  reply: template,
  createItem: ({ value }) => {
    const { containerId, linkType, templateId, people } = objectOf(value)
    const places: ActionName[] = [
      { what: 'record', entities: ['Container'], text: textOf(containerId), input: 'value/containerId' },
      { what: 'linkType', text: textOf(linkType), input: 'value/linkType' },
    ]
    if (templateId)
      return [
        ...places,
        { what: 'record', entities: ['ItemTemplate'], text: textOf(templateId), input: 'value/templateId' },
        ...Object.entries(objectOf(people)).map(
          ([role, user]): ActionName => ({
            ...{ what: 'record', entities: ['User'], text: textOf(user), input: `value/people/${escaped(role)}` },
          }),
        ),
      ]
    return [
      ...places,
      ...Object.keys(objectOf(value)).map(
        (text): ActionName => ({ what: 'newItem', text, input: `value/${escaped(text)}` }),
      ),
    ]
  },
  link: ({ value }) => {
    const { type, to } = objectOf(value)
    return [{ what: 'linkType', text: textOf(type), input: 'value/type' }, ...itemIn(to, 'value/to')]
  },
  addWatcher: people,
  removeWatcher: people,
  logTime: none,
  clockStart: record('Clock'),
  clockPause: record('Clock'),
  clockResume: record('Clock'),
  clockStop: record('Clock'),
  clockReset: record('Clock'),
  clockSwitch: record('Clock'),
  sendMail: ({ value }) => [...peopleIn(objectOf(value).to, 'value/to'), ...templateIn(objectOf(value).templateId)],
  notify: ({ value }) => peopleIn(objectOf(value).to, 'value/to'),
  veto: none,
  close: none,
  reopen: none,
  archive: none,
  delete: none,
  mergeInto: ({ value }) => itemIn(value),
  requestApproval: ({ value }) => [
    { what: 'record', entities: ['UserGroup'], text: textOf(objectOf(value).groupId), input: 'value/groupId' },
  ],
  restrict: record('UserGroup'),
  assist: none,
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
const escaped = (key: string) => key.replaceAll('/', '~1')
const textsIn = (value: unknown) => (Array.isArray(value) ? value : [value]).map(textOf)

/** A key such as `OPS-42` may come to be, so that only ids are looked up. */
function itemIn(value: unknown, input?: string): ActionName[] {
  const text = textOf(value)
  return isId(text) ? [{ what: 'record', entities: ['Item'], text, ...(input && { input }) }] : []
}

/** A text is either the id of a template or the text itself. */
function templateIn(value: unknown): ActionName[] {
  const text = textOf(typeof value === 'string' ? value : objectOf(value).templateId)
  return isId(text) ? [{ what: 'record', entities: ['ContentTemplate'], text }] : []
}

/** `lastAssignee`, an id, `leastLoaded <id>`, or the clock on which a group is on duty; also with a policy of assignment. */
function assigneeIn(value: unknown): ActionName[] {
  if (Array.isArray(value)) return whoIn(value)
  const input = typeof value === 'string' ? 'value' : 'value/policy'
  return [...whoIn(value), { what: 'policy', text: policyIn(value), input }]
}

function whoIn(value: unknown): ActionName[] {
  const clockId = onDutyClock(value)
  if (clockId !== undefined) return [{ what: 'record', entities: ['Clock'], text: clockId, input: 'value/clockId' }]
  const { groupId, userId } = objectOf(value)
  const texts = Array.isArray(value) ? textsIn(value) : [textOf(groupId) || textOf(userId) || textOf(value)]
  return texts
    .filter(text => !/^lastAssignee$/i.test(text))
    .map(text => ({ what: 'record', entities: ['User', 'UserGroup'], text: text.split(/[\s:]+/).at(-1) ?? text }))
}

const standIn = /^@(actor|requesters?|assignees?|author|watchers?)$/i

function peopleIn(value: unknown, input = 'value'): ActionName[] {
  return wordsIn(textsIn(value).map(text => text.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/gs, ' ')))
    .filter(word => !isAddress(word) && !standIn.test(word))
    .map(text =>
      isId(text) ? { what: 'record', entities: ['User', 'UserGroup'], text, input } : { what: 'nobody', text, input },
    )
}
