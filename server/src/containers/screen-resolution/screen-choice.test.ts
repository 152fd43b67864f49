import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { momentCodes } from '../screen/screen-moment.ts'
import { generatedSections, type ScreenField } from './generated-screen.ts'
import { chooseScreen, type ScreenCandidate } from './screen-choice.ts'

const screen = (id: string, more: Partial<ScreenCandidate> = {}): ScreenCandidate => ({
  id,
  containerId: '',
  processId: '',
  moment: momentCodes.all,
  stepId: '',
  userGroup: [],
  active: true,
  ...more,
})

const occasion = { containerId: 'desk', processId: 'bug', moment: momentCodes.create, stepId: '', groups: ['team'] }

describe('the most specific screen is chosen', () => {
  const tenant = screen('tenant')
  const process = screen('process', { processId: 'bug' })
  const container = screen('container', { containerId: 'desk' })
  const moment = screen('moment', { moment: momentCodes.create })
  const group = screen('group', { userGroup: ['team'] })
  const both = screen('both', { containerId: 'desk', processId: 'bug' })
  const all = screen('all', { containerId: 'desk', processId: 'bug', moment: momentCodes.create, userGroup: ['team'] })
  const cases: [string, ScreenCandidate[], string | undefined][] = [
    ['no screen is stored', [], undefined],
    ['only the tenant has one', [tenant], 'tenant'],
    ['a process comes before the tenant', [tenant, process], 'process'],
    ['a container comes before a process', [process, container], 'container'],
    ['both together come before one', [container, both, process], 'both'],
    ['the one with all properties comes first', [tenant, process, container, moment, group, both, all], 'all'],
    ['a process comes before a moment', [moment, process], 'process'],
    ['a moment comes before a group', [group, moment], 'moment'],
    ['a group comes before no group', [tenant, group], 'group'],
    ['one for another container is ignored', [screen('x', { containerId: 'shop' }), tenant], 'tenant'],
    ['one for another process is ignored', [screen('x', { processId: 'task' }), tenant], 'tenant'],
    ['one for another moment is ignored', [screen('x', { moment: momentCodes.edit }), tenant], 'tenant'],
    ['one for another group is ignored', [screen('x', { userGroup: ['others'] }), tenant], 'tenant'],
    ['an inactive one is ignored', [screen('x', { active: false, containerId: 'desk' })], undefined],
    ['the older of two equal ones is chosen', [screen('b'), screen('a')], 'a'],
  ]
  for (const [says, screens, chosen] of cases)
    test(says, () => assert.equal(chooseScreen(screens, occasion)?.id, chosen))

  test('for a step of the workflow', () => {
    const screens = [
      screen('any', { moment: momentCodes.transition }),
      screen('done', { moment: momentCodes.transition, stepId: 's2' }),
    ]
    assert.equal(chooseScreen(screens, { ...occasion, moment: momentCodes.transition, stepId: 's2' })?.id, 'done')
    assert.equal(chooseScreen(screens, { ...occasion, moment: momentCodes.transition, stepId: 's1' })?.id, 'any')
  })
})

describe('a generated screen', () => {
  const field = (fieldId: string, placement: number[], required = false): ScreenField => ({
    fieldId,
    placement,
    required,
  })
  const fields = [
    field('everywhere', [0]),
    field('unsaid', []),
    field('create', [1]),
    field('edit', [2]),
    field('panel', [3]),
    field('body', [4]),
    field('portal', [7]),
    field('quick', [9]),
    field('needed', [2], true),
    field('dueDate', [], true),
  ]
  const own = (moment: number) =>
    generatedSections(moment, fields, name => name === 'dueDate')
      .filter(each => ['Fields', 'More'].includes(each.title))
      .flatMap(each => each.fields.map(one => one.fieldId))
  const cases: [string, number, string[]][] = [
    ['creating', 1, ['everywhere', 'unsaid', 'create', 'needed']],
    ['editing', 2, ['everywhere', 'unsaid', 'edit', 'needed']],
    ['viewing', 3, ['everywhere', 'unsaid', 'panel', 'body']],
    ['the portal', 5, ['everywhere', 'unsaid', 'portal', 'needed']],
    ['quick add', 6, ['quick', 'needed']],
  ]
  for (const [says, moment, shown] of cases) test(`for ${says}`, () => assert.deepEqual(own(moment), shown))

  test('shows the item properties that belong to the moment', () => {
    const names = (moment: number) =>
      generatedSections(moment, [], () => true).flatMap(each => each.fields.map(f => f.fieldId))
    assert.deepEqual(names(6), ['title'])
    assert.deepEqual(names(5), ['title', 'description'])
    assert.ok(names(1).includes('dueDate'))
    const due = generatedSections(1, fields, name => name === 'dueDate').flatMap(each => each.fields)
    assert.equal(due.find(each => each.fieldId === 'dueDate')?.required, true)
    assert.ok(generatedSections(3, fields, () => false).every(each => each.fields.every(one => one.readOnly)))
  })
})
