import { dryRun } from '@gantry/sdk'
import { reasonOf } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import type { FieldChoice, Property } from '../../kernel/fields/fields.ts'
import { summaryOf } from './bulk-plan.ts'
import { say } from './messages.ts'

const triedAtMost = 200

/** The status of many items: each choice says for how many of them it is allowed, and why not for the others. */
export function statusOfMany(property: Property, ids: readonly string[]): Property {
  if (ids.length > triedAtMost) return withoutRecord(property)
  const tried = async (choice: FieldChoice): Promise<FieldChoice> => {
    try {
      const { would } = await dryRun(gantry, 'PATCH /item', {
        body: { ids: [...ids], patch: property.write(choice.value) },
      })
      const { refused, reasons } = summaryOf(would)
      const hint =
        refused === 0 ? say.allMay(ids.length) : say.someMay(ids.length - refused, ids.length, reasons[0]?.why ?? '')
      return refused === ids.length ? { ...choice, why: reasons[0]?.why } : { ...choice, hint }
    } catch (error) {
      return { ...choice, why: reasonOf(error) }
    }
  }
  return {
    ...property,
    path: `${property.path} of ${ids.join()}`,
    findChoices: () => Promise.all((property.choices ?? []).map(tried)),
  }
}

const withoutRecord = ({ findChoices: _, ...property }: Property): Property => property
