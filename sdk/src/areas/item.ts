// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call, changeRecord, pagesOf } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Listed, Options, Pages, Query } from '../types.ts'

/** List Items */
export function list(gantry: Gantry, query: Query<'GET /item'> = {}): Pages<Listed<'GET /item'>> {
  return pagesOf(gantry, 'GET /item', { query })
}

/** Create an item */
export function create(gantry: Gantry, body: Body<'POST /item'>, options: Options<'POST /item'> = {}): Call<Answer<'POST /item'>> {
  return call(gantry, 'POST /item', { body, ...options })
}

/** Change many items */
export function updateMany(gantry: Gantry, body: Body<'PATCH /item'>, options: Options<'PATCH /item'> = {}): Call<Answer<'PATCH /item'>> {
  return call(gantry, 'PATCH /item', { body, ...options })
}

/** Get one item */
export function get(gantry: Gantry, id: string, options: Options<'GET /item/{id}'> = {}): Call<Answer<'GET /item/{id}'>> {
  return call(gantry, 'GET /item/{id}', { path: { id }, ...options })
}

/** Update an item */
export function update(gantry: Gantry, id: string, body: Body<'PATCH /item/{id}'>, options: Options<'PATCH /item/{id}'> = {}): Call<Answer<'PATCH /item/{id}'>> {
  return call(gantry, 'PATCH /item/{id}', { path: { id }, body, ...options })
}

/** Delete one Item */
export function remove(gantry: Gantry, id: string, options: Options<'DELETE /item/{id}'> = {}): Call<Answer<'DELETE /item/{id}'>> {
  return call(gantry, 'DELETE /item/{id}', { path: { id }, ...options })
}

/** Restore a deleted Item */
export function restore(gantry: Gantry, id: string, options: Options<'POST /item/{id}/restore'> = {}): Call<Answer<'POST /item/{id}/restore'>> {
  return call(gantry, 'POST /item/{id}/restore', { path: { id }, ...options })
}

/** Archive an item */
export function archive(gantry: Gantry, id: string, options: Options<'POST /item/{id}/archive'> = {}): Call<Answer<'POST /item/{id}/archive'>> {
  return call(gantry, 'POST /item/{id}/archive', { path: { id }, ...options })
}

/** Unarchive an item */
export function unarchive(gantry: Gantry, id: string, options: Options<'POST /item/{id}/unarchive'> = {}): Call<Answer<'POST /item/{id}/unarchive'>> {
  return call(gantry, 'POST /item/{id}/unarchive', { path: { id }, ...options })
}

/** Move an item to another container */
export function move(gantry: Gantry, id: string, body: Body<'POST /item/{id}/move'>, options: Options<'POST /item/{id}/move'> = {}): Call<Answer<'POST /item/{id}/move'>> {
  return call(gantry, 'POST /item/{id}/move', { path: { id }, body, ...options })
}

/** Rank an item */
export function rank(gantry: Gantry, id: string, body: Body<'POST /item/{id}/rank'>, options: Options<'POST /item/{id}/rank'> = {}): Call<Answer<'POST /item/{id}/rank'>> {
  return call(gantry, 'POST /item/{id}/rank', { path: { id }, body, ...options })
}

/** Convert an item to another process */
export function convert(gantry: Gantry, id: string, body: Body<'POST /item/{id}/convert'>, options: Options<'POST /item/{id}/convert'> = {}): Call<Answer<'POST /item/{id}/convert'>> {
  return call(gantry, 'POST /item/{id}/convert', { path: { id }, body, ...options })
}

/** History of a Item */
export function history(gantry: Gantry, id: string, options: Options<'GET /item/{id}/history'> = {}): Call<Answer<'GET /item/{id}/history'>> {
  return call(gantry, 'GET /item/{id}/history', { path: { id }, ...options })
}

/** List the transitions of an item */
export function transitions(gantry: Gantry, id: string, options: Options<'GET /item/{id}/transitions'> = {}): Call<Answer<'GET /item/{id}/transitions'>> {
  return call(gantry, 'GET /item/{id}/transitions', { path: { id }, ...options })
}

/** Search items */
export function search(gantry: Gantry, body: Body<'POST /item/search'>, options: Options<'POST /item/search'> = {}): Call<Answer<'POST /item/search'>> {
  return call(gantry, 'POST /item/search', { body, ...options })
}

/** Get emergency access to a confidential item */
export function breakGlass(gantry: Gantry, id: string, body: Body<'POST /item/{id}/break-glass'>, options: Options<'POST /item/{id}/break-glass'> = {}): Call<Answer<'POST /item/{id}/break-glass'>> {
  return call(gantry, 'POST /item/{id}/break-glass', { path: { id }, body, ...options })
}

/** Get the screen of an item */
export function screen(gantry: Gantry, id: string, options: Options<'GET /item/{id}/screen'> = {}): Call<Answer<'GET /item/{id}/screen'>> {
  return call(gantry, 'GET /item/{id}/screen', { path: { id }, ...options })
}

/** List the links of an item */
export function links(gantry: Gantry, id: string, options: Options<'GET /item/{id}/links'> = {}): Call<Answer<'GET /item/{id}/links'>> {
  return call(gantry, 'GET /item/{id}/links', { path: { id }, ...options })
}

/** Close the duplicates of an item */
export function closeDuplicates(gantry: Gantry, id: string, body: Body<'POST /item/{id}/close-duplicates'>, options: Options<'POST /item/{id}/close-duplicates'> = {}): Call<Answer<'POST /item/{id}/close-duplicates'>> {
  return call(gantry, 'POST /item/{id}/close-duplicates', { path: { id }, body, ...options })
}

/** Find similar items */
export function similar(gantry: Gantry, body: Body<'POST /item/similar'>, options: Options<'POST /item/similar'> = {}): Call<Answer<'POST /item/similar'>> {
  return call(gantry, 'POST /item/similar', { body, ...options })
}

/** Create many items */
export function bulk(gantry: Gantry, body: Body<'POST /item/bulk'>, options: Options<'POST /item/bulk'> = {}): Call<Answer<'POST /item/bulk'>> {
  return call(gantry, 'POST /item/bulk', { body, ...options })
}

/** Delete many items */
export function removeMany(gantry: Gantry, body: Body<'POST /item/delete'>, options: Options<'POST /item/delete'> = {}): Call<Answer<'POST /item/delete'>> {
  return call(gantry, 'POST /item/delete', { body, ...options })
}

/** Get the recurrence of an item */
export function recurrence(gantry: Gantry, id: string, options: Options<'GET /item/{id}/recurrence'> = {}): Call<Answer<'GET /item/{id}/recurrence'>> {
  return call(gantry, 'GET /item/{id}/recurrence', { path: { id }, ...options })
}

/** Set the recurrence of an item */
export function setRecurrence(gantry: Gantry, id: string, body: Body<'PUT /item/{id}/recurrence'>, options: Options<'PUT /item/{id}/recurrence'> = {}): Call<Answer<'PUT /item/{id}/recurrence'>> {
  return call(gantry, 'PUT /item/{id}/recurrence', { path: { id }, body, ...options })
}

/** Delete the recurrence of an item */
export function removeRecurrence(gantry: Gantry, id: string, options: Options<'DELETE /item/{id}/recurrence'> = {}): Call<Answer<'DELETE /item/{id}/recurrence'>> {
  return call(gantry, 'DELETE /item/{id}/recurrence', { path: { id }, ...options })
}

/** Count items of many queries */
export function count(gantry: Gantry, body: Body<'POST /item/count'>, options: Options<'POST /item/count'> = {}): Call<Answer<'POST /item/count'>> {
  return call(gantry, 'POST /item/count', { body, ...options })
}

/** Compare items at two moments */
export function compare(gantry: Gantry, body: Body<'POST /item/compare'>, options: Options<'POST /item/compare'> = {}): Call<Answer<'POST /item/compare'>> {
  return call(gantry, 'POST /item/compare', { body, ...options })
}

/** Move items to another container */
export function moveMany(gantry: Gantry, body: Body<'POST /item/move'>, options: Options<'POST /item/move'> = {}): Call<Answer<'POST /item/move'>> {
  return call(gantry, 'POST /item/move', { body, ...options })
}

/** Copy an item */
export function copy(gantry: Gantry, id: string, body: Body<'POST /item/{id}/copy'>, options: Options<'POST /item/{id}/copy'> = {}): Call<Answer<'POST /item/{id}/copy'>> {
  return call(gantry, 'POST /item/{id}/copy', { path: { id }, body, ...options })
}

/** The timeline of an item */
export function timeline(gantry: Gantry, id: string, query: Query<'GET /item/{id}/timeline'> = {}): Pages<Listed<'GET /item/{id}/timeline'>> {
  return pagesOf(gantry, 'GET /item/{id}/timeline', { path: { id }, query })
}

/** The conversation about an item */
export function annotations(gantry: Gantry, id: string, query: Query<'GET /item/{id}/annotations'> = {}): Pages<Listed<'GET /item/{id}/annotations'>> {
  return pagesOf(gantry, 'GET /item/{id}/annotations', { path: { id }, query })
}

/** Get the caller’s draft */
export function draft(gantry: Gantry, id: string, options: Options<'GET /item/{id}/draft'> = {}): Call<Answer<'GET /item/{id}/draft'>> {
  return call(gantry, 'GET /item/{id}/draft', { path: { id }, ...options })
}

/** Save the caller’s draft */
export function setDraft(gantry: Gantry, id: string, body: Body<'PUT /item/{id}/draft'>, options: Options<'PUT /item/{id}/draft'> = {}): Call<Answer<'PUT /item/{id}/draft'>> {
  return call(gantry, 'PUT /item/{id}/draft', { path: { id }, body, ...options })
}

/** Delete the caller’s draft */
export function removeDraft(gantry: Gantry, id: string, options: Options<'DELETE /item/{id}/draft'> = {}): Call<Answer<'DELETE /item/{id}/draft'>> {
  return call(gantry, 'DELETE /item/{id}/draft', { path: { id }, ...options })
}

/** List the checklist of an item */
export function checklist(gantry: Gantry, id: string, options: Options<'GET /item/{id}/checklist'> = {}): Call<Answer<'GET /item/{id}/checklist'>> {
  return call(gantry, 'GET /item/{id}/checklist', { path: { id }, ...options })
}

/** Order the checklist of an item */
export function checklistOrder(gantry: Gantry, id: string, body: Body<'POST /item/{id}/checklist/order'>, options: Options<'POST /item/{id}/checklist/order'> = {}): Call<Answer<'POST /item/{id}/checklist/order'>> {
  return call(gantry, 'POST /item/{id}/checklist/order', { path: { id }, body, ...options })
}

/** Take Markdown into the checklist of an item */
export function checklistMarkdown(gantry: Gantry, id: string, body: Body<'POST /item/{id}/checklist/markdown'>, options: Options<'POST /item/{id}/checklist/markdown'> = {}): Call<Answer<'POST /item/{id}/checklist/markdown'>> {
  return call(gantry, 'POST /item/{id}/checklist/markdown', { path: { id }, body, ...options })
}

/** Make sub-items of checklist entries */
export function checklistConvert(gantry: Gantry, id: string, body: Body<'POST /item/{id}/checklist/convert'>, options: Options<'POST /item/{id}/checklist/convert'> = {}): Call<Answer<'POST /item/{id}/checklist/convert'>> {
  return call(gantry, 'POST /item/{id}/checklist/convert', { path: { id }, body, ...options })
}

/** List who is present */
export function viewing(gantry: Gantry, id: string, options: Options<'GET /item/{id}/viewing'> = {}): Call<Answer<'GET /item/{id}/viewing'>> {
  return call(gantry, 'GET /item/{id}/viewing', { path: { id }, ...options })
}

/** Report presence */
export function setViewing(gantry: Gantry, id: string, body: Body<'PUT /item/{id}/viewing'>, options: Options<'PUT /item/{id}/viewing'> = {}): Call<Answer<'PUT /item/{id}/viewing'>> {
  return call(gantry, 'PUT /item/{id}/viewing', { path: { id }, body, ...options })
}

/** End presence */
export function removeViewing(gantry: Gantry, id: string, options: Options<'DELETE /item/{id}/viewing'> = {}): Call<Answer<'DELETE /item/{id}/viewing'>> {
  return call(gantry, 'DELETE /item/{id}/viewing', { path: { id }, ...options })
}

/** Merge into another item */
export function merge(gantry: Gantry, id: string, body: Body<'POST /item/{id}/merge'>, options: Options<'POST /item/{id}/merge'> = {}): Call<Answer<'POST /item/{id}/merge'>> {
  return call(gantry, 'POST /item/{id}/merge', { path: { id }, body, ...options })
}

/** Undo a merge */
export function unmerge(gantry: Gantry, id: string, options: Options<'POST /item/{id}/unmerge'> = {}): Call<Answer<'POST /item/{id}/unmerge'>> {
  return call(gantry, 'POST /item/{id}/unmerge', { path: { id }, ...options })
}

/** Split an item */
export function split(gantry: Gantry, id: string, body: Body<'POST /item/{id}/split'>, options: Options<'POST /item/{id}/split'> = {}): Call<Answer<'POST /item/{id}/split'>> {
  return call(gantry, 'POST /item/{id}/split', { path: { id }, body, ...options })
}

/** List the watchers of an item */
export function watchers(gantry: Gantry, id: string, options: Options<'GET /item/{id}/watchers'> = {}): Call<Answer<'GET /item/{id}/watchers'>> {
  return call(gantry, 'GET /item/{id}/watchers', { path: { id }, ...options })
}

/** Get the caller’s watch on an item */
export function watch(gantry: Gantry, id: string, options: Options<'GET /item/{id}/watch'> = {}): Call<Answer<'GET /item/{id}/watch'>> {
  return call(gantry, 'GET /item/{id}/watch', { path: { id }, ...options })
}

/** Watch an item, or mute it */
export function setWatch(gantry: Gantry, id: string, body: Body<'PUT /item/{id}/watch'>, options: Options<'PUT /item/{id}/watch'> = {}): Call<Answer<'PUT /item/{id}/watch'>> {
  return call(gantry, 'PUT /item/{id}/watch', { path: { id }, body, ...options })
}

/** Stop watching an item */
export function removeWatch(gantry: Gantry, id: string, options: Options<'DELETE /item/{id}/watch'> = {}): Call<Answer<'DELETE /item/{id}/watch'>> {
  return call(gantry, 'DELETE /item/{id}/watch', { path: { id }, ...options })
}

/** The clocks of an item */
export function clock(gantry: Gantry, id: string, options: Options<'GET /item/{id}/clock'> = {}): Call<Answer<'GET /item/{id}/clock'>> {
  return call(gantry, 'GET /item/{id}/clock', { path: { id }, ...options })
}

/** Explain a clock of an item */
export function clockExplain(gantry: Gantry, id: string, clockId: string, options: Options<'GET /item/{id}/clock/{clockId}/explain'> = {}): Call<Answer<'GET /item/{id}/clock/{clockId}/explain'>> {
  return call(gantry, 'GET /item/{id}/clock/{clockId}/explain', { path: { id, clockId }, ...options })
}

/** Pause a clock of an item */
export function clockPause(gantry: Gantry, id: string, clockId: string, body: Body<'POST /item/{id}/clock/{clockId}/pause'>, options: Options<'POST /item/{id}/clock/{clockId}/pause'> = {}): Call<Answer<'POST /item/{id}/clock/{clockId}/pause'>> {
  return call(gantry, 'POST /item/{id}/clock/{clockId}/pause', { path: { id, clockId }, body, ...options })
}

/** Resume a clock of an item */
export function clockResume(gantry: Gantry, id: string, clockId: string, body: Body<'POST /item/{id}/clock/{clockId}/resume'>, options: Options<'POST /item/{id}/clock/{clockId}/resume'> = {}): Call<Answer<'POST /item/{id}/clock/{clockId}/resume'>> {
  return call(gantry, 'POST /item/{id}/clock/{clockId}/resume', { path: { id, clockId }, body, ...options })
}

/** Stop a clock of an item */
export function clockStop(gantry: Gantry, id: string, clockId: string, body: Body<'POST /item/{id}/clock/{clockId}/stop'>, options: Options<'POST /item/{id}/clock/{clockId}/stop'> = {}): Call<Answer<'POST /item/{id}/clock/{clockId}/stop'>> {
  return call(gantry, 'POST /item/{id}/clock/{clockId}/stop', { path: { id, clockId }, body, ...options })
}

/** Save an item as a template */
export function template(gantry: Gantry, id: string, body: Body<'POST /item/{id}/template'>, options: Options<'POST /item/{id}/template'> = {}): Call<Answer<'POST /item/{id}/template'>> {
  return call(gantry, 'POST /item/{id}/template', { path: { id }, body, ...options })
}

/** Approve a pending approval of an item */
export function approve(gantry: Gantry, id: string, body: Body<'POST /item/{id}/approve'>, options: Options<'POST /item/{id}/approve'> = {}): Call<Answer<'POST /item/{id}/approve'>> {
  return call(gantry, 'POST /item/{id}/approve', { path: { id }, body, ...options })
}

/** Reject a pending approval of an item */
export function reject(gantry: Gantry, id: string, body: Body<'POST /item/{id}/reject'>, options: Options<'POST /item/{id}/reject'> = {}): Call<Answer<'POST /item/{id}/reject'>> {
  return call(gantry, 'POST /item/{id}/reject', { path: { id }, body, ...options })
}

/** Reads a record and changes it; if somebody else changed it in between, computes the change again from what it is now. */
export function change(gantry: Gantry, id: string, compute: (current: Answer<'GET /item/{id}'>) => Body<'PATCH /item/{id}'>): Promise<Answer<'PATCH /item/{id}'>> {
  return changeRecord(gantry, 'GET /item/{id}', 'PATCH /item/{id}', { id }, compute)
}
