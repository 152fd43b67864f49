import { call, codes } from '@gantry/sdk'
import { reasonOf } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { notify, remember } from '../../kernel/data/undo.ts'
import { say } from '../messages.ts'
import { usualFilters } from './quick-filter-settings.tsx'

interface Owner {
  id: string
  name: string
}

/** Makes a board of a container: without columns of its own it has the states of the container's processes. Returns its id. */
export async function makeBoard({ id: ownerId, name }: Owner, already = 0): Promise<string | undefined> {
  try {
    const { answer, changeSet } = await call(gantry, 'POST /board', {
      body: {
        name: already === 0 ? name : `${name} ${already + 1}`,
        owner: codes.owner.container,
        ownerId,
        columnField: 'status',
        quickFilters: usualFilters(),
      },
    }).withResponse()
    remember(changeSet, say.boardMade(answer.name))
    return answer.id
  } catch (error) {
    notify(reasonOf(error))
    return undefined
  }
}
