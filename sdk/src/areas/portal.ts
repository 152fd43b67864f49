// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import { call } from '../runtime.ts'
import type { Answer, Body, Call, Gantry, Options } from '../types.ts'

/** Get the portal of a tenant */
export function get(gantry: Gantry, slug: string, options: Options<'GET /portal/{slug}'> = {}): Call<Answer<'GET /portal/{slug}'>> {
  return call(gantry, 'GET /portal/{slug}', { path: { slug }, ...options })
}

/** Get a request form of a portal */
export function form(gantry: Gantry, slug: string, options: Options<'GET /portal/{slug}/form'> = {}): Call<Answer<'GET /portal/{slug}/form'>> {
  return call(gantry, 'GET /portal/{slug}/form', { path: { slug }, ...options })
}

/** Suggest articles to a visitor */
export function suggest(gantry: Gantry, slug: string, body: Body<'POST /portal/{slug}/suggest'>, options: Options<'POST /portal/{slug}/suggest'> = {}): Call<Answer<'POST /portal/{slug}/suggest'>> {
  return call(gantry, 'POST /portal/{slug}/suggest', { path: { slug }, body, ...options })
}

/** Read an article as a visitor */
export function article(gantry: Gantry, slug: string, id: string, options: Options<'GET /portal/{slug}/article/{id}'> = {}): Call<Answer<'GET /portal/{slug}/article/{id}'>> {
  return call(gantry, 'GET /portal/{slug}/article/{id}', { path: { slug, id }, ...options })
}

/** Say as a visitor whether an article helped */
export function articleVote(gantry: Gantry, slug: string, id: string, body: Body<'POST /portal/{slug}/article/{id}/vote'>, options: Options<'POST /portal/{slug}/article/{id}/vote'> = {}): Call<Answer<'POST /portal/{slug}/article/{id}/vote'>> {
  return call(gantry, 'POST /portal/{slug}/article/{id}/vote', { path: { slug, id }, body, ...options })
}

/** File a ticket as a visitor */
export function ticket(gantry: Gantry, slug: string, body: Body<'POST /portal/{slug}/ticket'>, options: Options<'POST /portal/{slug}/ticket'> = {}): Call<Answer<'POST /portal/{slug}/ticket'>> {
  return call(gantry, 'POST /portal/{slug}/ticket', { path: { slug }, body, ...options })
}
