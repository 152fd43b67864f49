import { Type } from 'typebox'
import { ownerVisible } from '../../documents/visibility.ts'
import { seesEverything } from '../../identity/visibility.ts'
import { type Caller, managers, staff } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { LongText, Name, Parts, Refs, Text, Texts } from '../../kernel/schema/values.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { complete } from '../../records/input/entries.ts'
import { ownerKind, ownerKinds, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { type Action, actionKind, actionShape } from '../action/action.ts'
import { parse, syntaxFault, TemplateFault, textsOf, type Variant } from './render.ts'

export { type Rendered, type RenderValues, render, syntaxFault, TemplateFault } from './render.ts'

/** The codes of `kind`. */
export const templateKind = {
  cannedReply: 0,
  notificationMail: 1,
  autoReply: 2,
  itemDescription: 3,
  document: 4,
  chat: 5,
  macro: 6,
  webhookBody: 7,
  report: 8,
} as const

const formats = ['markdown', 'html', 'text']

const shape = {
  name: Name(200),
  kind: Code(codeTableOfCodes('contentTemplate.kind', templateKind)),
  subject: Text(1000),
  body: LongText(),
  format: Text(20, { default: 'markdown', examples: ['markdown'], description: `One of ${formats.join(', ')}.` }),
  locales: Type.Unsafe<Record<string, Variant>>({
    type: 'object',
    maxProperties: 50,
    additionalProperties: {
      type: 'object',
      properties: { subject: Text(1000), body: LongText() },
      additionalProperties: false,
    },
    description:
      'The texts in other languages: `{"de": {"subject": …, "body": …}}`. An empty text is taken from the template itself.',
  }),
  owner: Code(owners),
  ownerId: Text(100),
  userGroup: Refs('UserGroup', 100),
  shortcut: Text(60),
  variables: Texts(1000),
  actions: Parts(actionShape, [], 50),
  active: Type.Boolean({ default: true }),
}

type ContentTemplate = Stored<typeof shape>
export type TemplateValues = Values<typeof shape>

/** A reusable text with variables. */
export const contentTemplates = resource('ContentTemplate', {
  about:
    'A reusable text: a canned reply, a mail, a description. Variables such as `{{ item.title }}` are replaced by their values; `variables` lists the paths that the texts use. `kind`: 0 canned reply · 1 notification mail · 2 auto-reply · 3 item description · 4 document · 5 chat · 6 macro · 7 webhook body · 8 invoice or report.',
  shape,
  serverSet: ['variables'],
  may: { read: staff, create: managers, update: managers, delete: managers },
  place: placeOf,
  visible: whatIsSeen,
  check: checkTemplate,
  findings: inertParts,
  example: {
    name: 'Received',
    subject: '[{{ item.key }}] {{ item.title }}',
    body: 'Hello {{ requester.name | default: "there" }},\n\nwe have received your request.',
    locales: { de: { body: 'Hallo {{ requester.name }},\n\nwir haben Ihre Anfrage erhalten.' } },
  },
})

function placeOf({ owner, ownerId }: TemplateValues): Place {
  return { containerId: owner === ownerKind.container ? ownerId : null }
}

/**
 * A template is visible to callers who see its owner and, if it names groups, belong to one; one of the tenant is
 * visible to its staff.
 */
function whatIsSeen(caller: Caller, c: Sql): Sql {
  const { authority } = caller
  if (seesEverything(authority)) return raw('true')
  return and([
    sql`(${c}.user_group = '{}' or ${c}.user_group && ${authority.groups}::uuid[])`,
    ownerVisible(caller, { owner: sql`${c}.owner`, ownerId: sql`${c}.owner_id` }, { deleted: true }),
  ])
}

async function checkTemplate(ctx: Context, template: TemplateValues, before: ContentTemplate | undefined) {
  const faults = templateFaults(template)
  if (faults.length > 0) throw new Invalid(faults)
  await refuseUnknownOwner(ctx, template, before)
}

/** The syntax errors of a template, each with its line and column. */
export function templateFaults(template: TemplateValues): Fault[] {
  const faults: Fault[] = []
  if (!formats.includes(template.format))
    faults.push(fault(['format'], 'enum', `must be one of ${formats.join(', ')}`, template.format))
  for (const locale of Object.keys(template.locales))
    if (!/^[a-z]{2,3}([-_][a-z0-9]{2,8}){0,3}$/i.test(locale))
      faults.push(fault(['locales', locale], 'locale', 'must be a language tag such as de or de-AT', locale))
  for (const { path, source, writing } of textsOf(template)) {
    const wrong = syntaxFault(source, writing)
    if (wrong) faults.push(fault(path, 'template', wrong))
  }
  return faults
}

function inertParts({ kind, owner, actions }: TemplateValues): Finding[] {
  const found: Finding[] = []
  const unknown = (path: string, code: number) =>
    found.push({ path, code: 'unknown-code', message: `${code} is not a known code` })
  if (!Object.values<number>(templateKind).includes(kind)) unknown('/kind', kind)
  if (!ownerKinds[owner]) unknown('/owner', owner)
  for (const [i, { actionType = 0 }] of actions.entries())
    if (!actionKind(actionType)) unknown(`/actions/${i}/actionType`, actionType)
  return found
}

/** The actions of a macro that are active and have a known code. */
export function actionsOf({ actions }: Pick<TemplateValues, 'actions'>): Action[] {
  return complete(actionShape, actions).filter(each => each.active && actionKind(each.actionType))
}

async function createTemplate(ctx: Context, values: Partial<TemplateValues>): Promise<ContentTemplate> {
  return await contentTemplates.create(ctx, withVariables(values))
}

async function changeTemplate(
  ctx: Context,
  id: Id,
  values: Partial<TemplateValues>,
  more: { expect?: Expect },
): Promise<ContentTemplate> {
  const before = await contentTemplates.get(ctx, id, { lock: true })
  return await contentTemplates.update(ctx, id, withVariables(values, before), more)
}

/**
 * The template with the paths that its texts name. Syntax errors are ignored here, because the validation reports them
 * with all other faults.
 */
function withVariables(values: Partial<TemplateValues>, before?: ContentTemplate): Partial<TemplateValues> {
  const whole = contentTemplates.completed({ ...before, ...values })
  const variables = new Set<string>()
  for (const { source, writing } of textsOf(whole)) {
    try {
      for (const each of parse(source, writing).variables) if (each.length <= 500) variables.add(each)
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error
    }
  }
  return {
    ...values,
    ...(values.ownerId ? { ownerId: values.ownerId.toLowerCase() } : {}),
    ...(values.format ? { format: values.format.trim().toLowerCase() } : {}),
    ...(values.actions ? { actions: complete(actionShape, values.actions) } : {}),
    variables: [...variables].sort().slice(0, 1000),
  }
}

export const routes: Routes = {
  'GET /content-template': list(contentTemplates),
  'POST /content-template': create(contentTemplates, createTemplate),
  'PUT /content-template': update(contentTemplates, changeTemplate),
  'GET /content-template/:id': get(contentTemplates),
  'PUT /content-template/:id': update(contentTemplates, changeTemplate),
  'PATCH /content-template/:id': update(contentTemplates, changeTemplate),
  'DELETE /content-template/:id': remove(contentTemplates),
  'POST /content-template/:id/restore': restore(contentTemplates),
  'GET /content-template/:id/history': history(contentTemplates),
  'GET /content-template/:id/check': check(contentTemplates),
}
