import { agentScope } from '../../agent.ts'
import { allScopes } from '../../scope.ts'
import { type Said, say } from './html.ts'

/** What the areas of scopes are called on the page of consent; another one is shown by its name. */
const areas: Readonly<Record<string, Said>> = {
  '*': say('everything', 'alles'),
  annotation: say('comments and messages', 'Kommentare und Nachrichten'),
  approval: say('approvals', 'Genehmigungen'),
  board: say('boards', 'Boards'),
  budget: say('budgets', 'Budgets'),
  chat: say('chats', 'Chats'),
  checklistentry: say('checklists', 'Checklisten'),
  clock: say('business hours and service levels', 'Geschäftszeiten und Service-Level'),
  container: say('projects and desks', 'Projekte und Desks'),
  contract: say('contracts', 'Verträge'),
  crm: say('customers', 'Kunden'),
  cycle: say('iterations', 'Iterationen'),
  document: say('documents', 'Dokumente'),
  documentcontent: say('the content of documents', 'Inhalte von Dokumenten'),
  event: say('the history of records', 'den Verlauf von Datensätzen'),
  field: say('custom fields', 'eigene Felder'),
  file: say('files', 'Dateien'),
  folder: say('folders', 'Ordner'),
  hook: say('webhooks', 'Webhooks'),
  inbox: say('your inbox', 'Ihren Eingang'),
  insight: say('queries', 'Abfragen'),
  invoice: say('invoices', 'Rechnungen'),
  item: say('items', 'Vorgänge'),
  label: say('labels', 'Labels'),
  leave: say('leave', 'Abwesenheiten'),
  link: say('links between items', 'Verknüpfungen von Vorgängen'),
  mailbox: say('mailboxes', 'Postfächer'),
  mailmessage: say('received mails', 'eingegangene Mails'),
  notification: say('notifications', 'Benachrichtigungen'),
  outboundmail: say('sent mails', 'gesendete Mails'),
  plan: say('plans and allocations', 'Pläne und Einplanungen'),
  process: say('processes', 'Prozesse'),
  rate: say('rates', 'Sätze'),
  rule: say('rules', 'Regeln'),
  savedreport: say('saved reports', 'gespeicherte Berichte'),
  ticket: say('tickets', 'Tickets'),
  time: say('time entries', 'Zeiteinträge'),
  timer: say('timers', 'Stoppuhren'),
  timesheet: say('timesheets', 'Stundenzettel'),
  user: say('users', 'Benutzer'),
  usergroup: say('groups of users', 'Benutzergruppen'),
  watch: say('what you watch', 'Ihre Beobachtungen'),
}

/** Says in words what a scope allows. */
export function describeScope(scope: string): Said {
  if (scope === allScopes) return say('Do everything that you may do', 'Alles tun, was Sie dürfen')
  if (scope === agentScope)
    return say('Read nothing that is closed to assistants', 'Nichts lesen, was Assistenten verschlossen ist')
  const [area = '', level] = scope.split(':')
  const { en, de } = areas[area.toLowerCase()] ?? say(area, area)
  const Area = `${de.charAt(0).toUpperCase()}${de.slice(1)}`
  if (level === 'read') return say(`Read ${en}`, `${Area} lesen`)
  if (level === 'write') return say(`Read and change ${en}`, `${Area} lesen und ändern`)
  return say(`Read, change and administer ${en}`, `${Area} lesen, ändern und verwalten`)
}

const openid: Readonly<Record<string, Said>> = {
  openid: say('Know who you are', 'Erfahren, wer Sie sind'),
  profile: say('Know your name', 'Ihren Namen erfahren'),
  email: say('Know your e-mail address', 'Ihre E-Mail-Adresse erfahren'),
  offline_access: say('Keep this access when you are away', 'Diesen Zugriff behalten, wenn Sie nicht da sind'),
}

/** Says in words what a scope of OpenID Connect allows. */
export const describeIdentityScope = (scope: string): Said => openid[scope] ?? say(scope, scope)
