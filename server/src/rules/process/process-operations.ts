import { check, create, get, idOf, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { history } from '../../records/history/history.ts'
import { impactOf, itemsOf } from './change-impact.ts'
import { processes } from './process.ts'
import { type AffectedPlaces, changeProcess, createProcess, removeProcess } from './process-change.ts'

const map: Schema = {
  type: 'string',
  description: 'The new states of items whose state is removed, as JSON: `{"Old": "New"}`.',
}
const purgeValues: Schema = {
  type: 'string',
  enum: ['true', 'false'],
  description: 'Removes the values of fields that containers no longer show; without it they stay stored, hidden.',
}
const replaceBy: Schema = {
  type: 'string',
  description: 'The id of a process that takes over the containers and the items of this one.',
}

/** Adds the impact of the change to the reply of a dry run. */
function withImpact(made: (reached: (reach: AffectedPlaces) => void) => Operation): Operation {
  const { run: _run, ...rest } = made(() => {})
  return {
    ...rest,
    async run(ctx, input) {
      if (input.query.dryRun !== 'true') return await made(() => {}).run(ctx, input)
      const items = await itemsOf(ctx, idOf(input).toLowerCase())
      let reach: AffectedPlaces = { containers: [], departed: new Map(), filters: 0 }
      const reply = await made(each => {
        reach = each
      }).run(ctx, input)
      return { ...reply, dryRun: { touches: await impactOf(ctx, reach, items) } }
    },
  }
}

const change = withImpact(reached => {
  const base = update(processes, async (ctx, id, values, more, input) => {
    const { process, reach } = await changeProcess(ctx, id, values, more, input)
    reached(reach)
    return process
  })
  const description = `${base.description} A field that leaves \`fields\` leaves all containers that use the process, their filters, boards and screens. A state with items can be removed only if \`map\` names their new state (422 \`states-in-use\`). \`dryRun=true\` also returns what the change would affect.`
  return { ...base, description, query: { map, purgeValues } }
})

const removal = withImpact(reached => {
  const base = remove(processes, async (ctx, id, more, input) => {
    const { process, reach } = await removeProcess(ctx, id, more, input)
    reached(reach)
    return process
  })
  const description = `${base.description} The process is removed from all containers; items keep their values. \`dryRun=true\` also returns what the change would affect.`
  return { ...base, description, query: { replaceBy, map, purgeValues } }
})

export const routes: Routes = {
  'GET /process': list(processes),
  'POST /process': create(processes, createProcess),
  'PUT /process': change,
  'GET /process/:id': get(processes),
  'PUT /process/:id': change,
  'PATCH /process/:id': change,
  'DELETE /process/:id': removal,
  'POST /process/:id/restore': restore(processes),
  'GET /process/:id/history': history(processes),
  'GET /process/:id/check': check(processes),
}
