import { forMerging, itemInContainer, madeOnce, queue } from './made-once.ts'
import type { Body, Seed, SeedBuilder } from './seed.ts'

/** A template that changes a ticket. */
const macro = madeOnce(async b => {
  const ownerId = (await b.one('Container')).id
  return await b.person.post('/content-template', { name: b.text(), kind: 6, body: b.text(), owner: 1, ownerId })
})

/** The seeds of tickets and conversation; see `seeds`. */
export const deskSeeds: Record<string, Seed> = {
  'POST /item/:id/checklist/order': () => ({ ids: [] }),
  'POST /item/:id/checklist/convert': () => ({ ids: undefined }),
  'POST /item/:id/checklist/markdown': b => ({
    text: `- [ ] ${b.text()}`,
    annotationId: undefined,
    removeLines: undefined,
  }),
  ChecklistEntry: async b => ({ itemId: (await itemInContainer(b)).id }),
  Annotation: async (b, all, path) => {
    if (path.endsWith('/publish')) return { confirm: true }
    if (path.startsWith('/chat/')) return { kind: 0 }
    // About a container or, with all properties, about an item in it.
    return {
      kind: 0,
      ...(all
        ? {
            itemId: (await itemInContainer(b)).id,
            owner: undefined,
            ownerId: undefined,
            mail: { messageId: b.text(), to: [`${b.text()}@example.com`], cc: [`${b.text()}@example.com`] },
          }
        : { itemId: undefined, owner: 1, ownerId: (await b.one('Container')).id }),
      replyToId: undefined,
      attachments: undefined,
      timeId: undefined,
      restrictedTo: undefined,
    }
  },
  Ticket: async (b, all, path) => {
    if (/\/(reply|note)$/.test(path)) return { attachments: undefined, replyToId: undefined }
    if (path.endsWith('/snooze')) return { until: b.instant() }
    if (path.endsWith('/assign-next'))
      return { groupId: (await queue(b)).id, skills: undefined, maxOpen: undefined, policy: undefined }
    if (path.endsWith('/macro')) return { templateId: (await macro(b)).id }
    if (/\/(merge|unmerge|split)$/.test(path)) return await forMerging(b, path)
    if (!/^\/ticket(\/:id)?$/.test(path)) return {}
    await macro(b) // the macro is created now, so that no record is created later where nothing may change
    return {
      containerId: (await b.one('Container')).id,
      ...(all
        ? {
            queueGroupId: (await queue(b)).id,
            visibility: 0,
            archived: false,
            areaId: undefined,
            parentId: undefined,
            Time: undefined,
            Field: undefined,
          }
        : {}),
    }
  },
  ChatRoom: async b => ({
    topic: b.text(),
    kind: 0,
    members: undefined,
    owner: 3,
    ownerId: (await itemInContainer(b)).id,
  }),
  ChatMessage: () => ({ replyToId: undefined, internal: undefined }),
  'POST /chat/:id/to-ticket': b => ({ title: b.text() }),
  '/chat/:id/read': () => ({ messageId: undefined }),
}

/** A ticket in the container that the builder's person has asked for. */
async function ownTicket(b: SeedBuilder) {
  const containerId = (await b.one('Container')).id
  return await b.person.post('/ticket', { title: b.text(), containerId, requester: { userId: b.person.id } })
}

async function closedTicket(b: SeedBuilder) {
  const { id } = await ownTicket(b)
  return await b.person.post(`/ticket/${id}/close`, {})
}

/** The records that operations need in a certain state; see `subjectOf`. */
export const deskSubjects: Record<string, (b: SeedBuilder) => Promise<Body>> = {
  'POST /ticket/:id/csat': closedTicket,
  'POST /ticket/:id/guest-link': ownTicket,
}
