import { boards } from '../../containers/board/board.ts'
import { createContainer } from '../../containers/container/container.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { draftItem, insertItems } from '../../items/create/create.ts'
import type { Context } from '../../kernel/context.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { createProcess } from '../../rules/process/process-change.ts'
import { type Language, type StartTexts, startTexts } from './start-here-texts.ts'

/** The key of the container. */
export const startKey = 'START'

/** Creates the container “Start here”, whose items teach by doing, with a process and a board. */
export async function makeStartHere(ctx: Context, language: Language): Promise<void> {
  const texts = startTexts[language]
  const { name, description, tasks } = texts
  const process = await createProcess(ctx, { name: texts.process, workflow: workflowOf(texts) })
  const container = await createContainer(ctx, {
    name,
    key: startKey,
    description,
    kind: containerKind.internal,
    processIds: [process.id],
    defaultProcessId: process.id,
  })
  // The columns are the states of the process.
  await boards.create(ctx, { name, owner: ownerKind.container, ownerId: container.id })
  const drafts = []
  for (const task of tasks)
    drafts.push(
      await draftItem(ctx, {
        patch: { ...task, containerId: container.id, status: texts.states.todo },
        warnings: [],
      }),
    )
  // A new tenant has neither rules nor constraints, so there is nothing to validate.
  await insertItems(ctx, drafts, 'key')
}

const categories = {
  todo: statusCategory.unstarted,
  doing: statusCategory.started,
  done: statusCategory.done,
} as const satisfies Record<keyof StartTexts['states'], number>

/** Every state can be left for every other. */
export function workflowOf({ states }: StartTexts) {
  return (['todo', 'doing', 'done'] as const).map(each => ({
    id: each,
    fieldId: 'status',
    value: states[each],
    category: categories[each],
    initial: each === 'todo',
    next: '*',
  }))
}
