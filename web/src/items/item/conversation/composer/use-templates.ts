import { type ContentTemplate, call, codes, type Item, isProblem } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { attempt, reasonOf } from '../../../../kernel/data/attempt.ts'
import { gantry } from '../../../../kernel/data/client.ts'
import { notify, remember } from '../../../../kernel/data/undo.ts'
import { say } from '../messages.ts'

const { contentTemplateKind, owner } = codes

/** The answers that were written in advance for the place of an item, and the macros of its desk. */
export function useTemplates(item: Item, isTicket: boolean, isWanted: boolean) {
  const { data } = useQuery({
    queryKey: ['ContentTemplate'],
    enabled: isWanted,
    staleTime: 300_000,
    // Those who may not read templates are offered none.
    queryFn: ({ signal }) =>
      call(gantry, 'GET /content-template', { query: { active: 'true', sort: 'name', limit: 200 }, signal }).catch(
        error => {
          if (isProblem(error)) return []
          throw error
        },
      ),
  })
  return useMemo(() => {
    const here = (data ?? []).filter(each => each.owner !== owner.container || each.ownerId === item.containerId)
    return {
      answers: here.filter(({ kind }) => kind === contentTemplateKind.cannedReply),
      macros: isTicket ? here.filter(({ kind }) => kind === contentTemplateKind.macro) : [],
    }
  }, [data, item.containerId, isTicket])
}

/** The templates whose name or shortcut contains a text. */
export function templatesLike(templates: readonly ContentTemplate[], text: string): ContentTemplate[] {
  const wanted = text.toLowerCase()
  return templates.filter(({ name, shortcut }) => `${name} ${shortcut}`.toLowerCase().includes(wanted))
}

/** The text of a template for an item as Markdown, with the values that this person may see; undefined if it is refused, which is said. */
export async function templateText(itemId: string, { id, format }: ContentTemplate): Promise<string | undefined> {
  try {
    const rendered = await call(gantry, 'POST /content-template/{id}/render', { path: { id }, body: { itemId } })
    if (rendered.missing.length > 0) notify(say.templateMissing(rendered.missing.join(', ')))
    return format === 'markdown' ? rendered.body : rendered.text
  } catch (error) {
    notify(reasonOf(error))
    return undefined
  }
}

/** Runs a macro on a ticket. It writes its own text: what stands in the composer stays there. */
export function useMacro(item: Item): (template: ContentTemplate) => Promise<void> {
  const client = useQueryClient()
  return async ({ id, name }) => {
    await attempt(async () => {
      const path = { id: item.id }
      const { changeSet } = await call(gantry, 'POST /ticket/{id}/macro', {
        path,
        body: { templateId: id },
      }).withResponse()
      remember(changeSet, say.macroDone(name))
    })
    await client.invalidateQueries({ queryKey: ['conversation', item.id] })
  }
}
