/** An input property of an action. A required input that is empty is reported as a finding. */
type ActionInput = 'required' | 'optional'

/** A reason why a stored action cannot work; `input` names the property concerned. */
export interface ActionFault {
  readonly input: string
  readonly code: string
  readonly message: string
}

interface Description {
  /** The public code; append only. */
  readonly code: number
  readonly label: string
  /**
   * How the engine runs it. `patch`: adjacent actions are merged into one change of the item. `step`: runs alone, after
   * the preceding changes are written. `veto`: refuses a change before its commit, or a mail. `call`: sends an outbound
   * request after the commit; calls are stored in `actionEndpoint`, all others in `actionValue`. `never`: is stored and
   * not performed.
   */
  readonly runs: 'patch' | 'step' | 'veto' | 'call' | 'never'
  /** Whether a rule may perform it before the commit. */
  readonly beforeCommit: boolean
  /** Whether a rule may perform it on a mail that is not an item yet. */
  readonly onMail: boolean
  readonly inputs: Readonly<Partial<Record<'field' | 'value' | 'url' | 'httpHeader' | 'to' | 'text', ActionInput>>>
  /** Findings beyond missing inputs. */
  readonly check?: (value: unknown) => readonly ActionFault[]
  /** The part of the value that holds the recipients of its mail. */
  readonly mailsTo?: (value: unknown) => unknown
}

const after = { beforeCommit: false, onMail: false } as const
const ofField = { runs: 'patch', beforeCommit: true, onMail: false } as const
const patch = { runs: 'patch', ...after } as const
const step = { runs: 'step', ...after } as const
const call = { runs: 'call', ...after, inputs: { url: 'required', httpHeader: 'optional' } } as const

const fieldOnly = { field: 'required' } as const
const fieldAndValue = { field: 'required', value: 'optional' } as const
// Whether a value is usable depends on the item, so it is decided when the action is performed.
const valueOnly = { value: 'optional' } as const

/**
 * All actions, in the order of their codes. Everything else about actions is derived from this table: a module that
 * performs one kind of action must have a handler for each name of that kind, or it does not compile.
 */
export const actions = {
  setField: { code: 0, label: 'Set a field', ...ofField, onMail: true, inputs: fieldAndValue },
  addToList: { code: 1, label: 'Add to a list field', ...ofField, onMail: true, inputs: fieldAndValue },
  removeFromList: { code: 2, label: 'Remove from a list field', ...ofField, inputs: fieldAndValue },
  clearField: { code: 3, label: 'Clear a field', ...ofField, inputs: fieldOnly },
  adjust: { code: 4, label: 'Adjust a number or a date', ...ofField, inputs: fieldAndValue },
  copyFrom: { code: 5, label: 'Copy from another field', ...ofField, inputs: fieldAndValue },
  transition: { code: 6, label: 'Move on in the workflow', ...patch, inputs: valueOnly },
  assign: { code: 7, label: 'Assign', ...patch, onMail: true, inputs: valueOnly },
  move: { code: 8, label: 'Move to a container or an area', ...patch, onMail: true, inputs: valueOnly },
  addNote: { code: 9, label: 'Add an internal note', ...step, inputs: valueOnly },
  reply: { code: 10, label: 'Reply publicly', ...step, inputs: valueOnly },
  createItem: { code: 11, label: 'Create an item', ...step, inputs: valueOnly },
  link: { code: 12, label: 'Link', ...step, inputs: valueOnly },
  addWatcher: { code: 13, label: 'Add a watcher', ...step, inputs: valueOnly },
  removeWatcher: { code: 14, label: 'Remove a watcher', ...step, inputs: valueOnly },
  logTime: { code: 15, label: 'Log time', ...step, inputs: valueOnly },
  clockStart: { code: 16, label: 'Start a clock', ...step, inputs: valueOnly },
  clockPause: { code: 17, label: 'Pause a clock', ...step, inputs: valueOnly },
  clockResume: { code: 18, label: 'Resume a clock', ...step, inputs: valueOnly },
  clockStop: { code: 19, label: 'Stop a clock', ...step, inputs: valueOnly },
  clockReset: { code: 20, label: 'Reset a clock', ...step, inputs: valueOnly },
  clockSwitch: { code: 21, label: 'Switch to another clock, keeping the time', ...step, inputs: valueOnly },
  sendMail: {
    code: 22,
    label: 'Send a mail',
    ...step,
    inputs: valueOnly,
    mailsTo: (value: unknown) => partOf(value, 'to'),
  },
  notify: { code: 23, label: 'Notify in the application', ...step, inputs: valueOnly },
  veto: { code: 24, label: 'Refuse the change', runs: 'veto', beforeCommit: true, onMail: true, inputs: valueOnly },
  close: { code: 25, label: 'Close', ...patch, inputs: {} },
  reopen: { code: 26, label: 'Reopen', ...patch, inputs: {} },
  archive: { code: 27, label: 'Archive', ...patch, inputs: {} },
  delete: { code: 28, label: 'Delete', ...step, onMail: true, inputs: {} },
  mergeInto: { code: 29, label: 'Merge into another item', ...step, inputs: valueOnly },
  requestApproval: {
    code: 30,
    label: 'Ask for approval',
    ...step,
    inputs: valueOnly,
    check: (value: unknown) =>
      String(partOf(value, 'groupId') ?? '').trim() === ''
        ? [{ input: 'value', code: 'no-group', message: 'must name a group: {"groupId": …}' }]
        : [],
  },
  restrict: { code: 31, label: 'Restrict to groups', ...patch, inputs: valueOnly },
  assist: {
    code: 32,
    label: 'Ask the assistant',
    runs: 'never',
    ...after,
    inputs: valueOnly,
    check: () => [
      {
        input: 'actionType',
        code: 'not-done-here',
        message:
          'no model is connected, so this action does nothing; asking the assistant needs a model and the consent of the tenant',
      },
    ],
  },
  httpPost: { code: 40, label: 'Call by POST', ...call, method: 'POST', body: 'event' },
  httpPut: { code: 41, label: 'Call by PUT', ...call, method: 'PUT', body: 'event' },
  httpPatch: { code: 42, label: 'Call by PATCH', ...call, method: 'PATCH', body: 'event' },
  httpDelete: { code: 43, label: 'Call by DELETE', ...call, method: 'DELETE', body: 'event' },
  httpGet: { code: 44, label: 'Call by GET', ...call, method: 'GET', body: 'event' },
  slack: { code: 45, label: 'Slack message', ...call, method: 'POST', body: 'slack' },
  teams: { code: 46, label: 'Teams message', ...call, method: 'POST', body: 'teams' },
  sms: {
    code: 47,
    label: 'Text message',
    ...call,
    method: 'POST',
    body: 'text',
    inputs: { ...call.inputs, to: 'required', text: 'optional' },
  },
} as const satisfies Record<string, Description & { method?: string; body?: 'event' | 'slack' | 'teams' | 'text' }>

function partOf(value: unknown, part: string): unknown {
  return value !== null && typeof value === 'object' ? Reflect.get(value, part) : undefined
}
