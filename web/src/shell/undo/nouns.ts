import { messages, plural } from '../../kernel/messages/messages.ts'

/** What records of a kind are called, one and many. */
type Noun = (count: number) => string

const noun =
  (one: string, other: string): Noun =>
  count =>
    plural(count, { one, other })

/** The kinds that people change most. Those without a name of their own here are records. */
const nouns = messages({
  en: {
    record: noun('record', 'records'),
    Item: noun('item', 'items'),
    Ticket: noun('ticket', 'tickets'),
    Annotation: noun('message', 'messages'),
    Time: noun('time entry', 'time entries'),
    Timer: noun('timer', 'timers'),
    File: noun('file', 'files'),
    Link: noun('link', 'links'),
    Label: noun('label', 'labels'),
    Watch: noun('watch', 'watches'),
    Approval: noun('approval', 'approvals'),
    Container: noun('container', 'containers'),
    ContainerFilter: noun('filter', 'filters'),
    Board: noun('board', 'boards'),
    Area: noun('area', 'areas'),
    Cycle: noun('cycle', 'cycles'),
    Document: noun('document', 'documents'),
    DocumentContent: noun('text', 'texts'),
    Folder: noun('folder', 'folders'),
    User: noun('user', 'users'),
    UserGroup: noun('group', 'groups'),
    AccessControl: noun('grant', 'grants'),
    ApiKey: noun('API key', 'API keys'),
    AppSetting: noun('setting', 'settings'),
    Field: noun('field', 'fields'),
    Screen: noun('screen', 'screens'),
    Process: noun('process', 'processes'),
    Rule: noun('rule', 'rules'),
    Constraint: noun('constraint', 'constraints'),
    Clock: noun('clock', 'clocks'),
    Notification: noun('notification', 'notifications'),
    ContentTemplate: noun('template', 'templates'),
    Crm: noun('customer', 'customers'),
    Leave: noun('leave', 'leaves'),
    OutboundMail: noun('mail', 'mails'),
    Mailbox: noun('mailbox', 'mailboxes'),
    Hook: noun('webhook', 'webhooks'),
  },
  de: {
    record: noun('Datensatz', 'Datensätze'),
    Item: noun('Eintrag', 'Einträge'),
    Ticket: noun('Ticket', 'Tickets'),
    Annotation: noun('Nachricht', 'Nachrichten'),
    Time: noun('Zeiteintrag', 'Zeiteinträge'),
    Timer: noun('Stoppuhr', 'Stoppuhren'),
    File: noun('Datei', 'Dateien'),
    Link: noun('Verknüpfung', 'Verknüpfungen'),
    Label: noun('Label', 'Labels'),
    Watch: noun('Beobachtung', 'Beobachtungen'),
    Approval: noun('Freigabe', 'Freigaben'),
    Container: noun('Bereich', 'Bereiche'),
    ContainerFilter: noun('Filter', 'Filter'),
    Board: noun('Tafel', 'Tafeln'),
    Area: noun('Abschnitt', 'Abschnitte'),
    Cycle: noun('Zyklus', 'Zyklen'),
    Document: noun('Dokument', 'Dokumente'),
    DocumentContent: noun('Text', 'Texte'),
    Folder: noun('Ordner', 'Ordner'),
    User: noun('Person', 'Personen'),
    UserGroup: noun('Gruppe', 'Gruppen'),
    AccessControl: noun('Berechtigung', 'Berechtigungen'),
    ApiKey: noun('API-Schlüssel', 'API-Schlüssel'),
    AppSetting: noun('Einstellung', 'Einstellungen'),
    Field: noun('Feld', 'Felder'),
    Screen: noun('Maske', 'Masken'),
    Process: noun('Prozess', 'Prozesse'),
    Rule: noun('Regel', 'Regeln'),
    Constraint: noun('Vorschrift', 'Vorschriften'),
    Clock: noun('Frist', 'Fristen'),
    Notification: noun('Benachrichtigung', 'Benachrichtigungen'),
    ContentTemplate: noun('Vorlage', 'Vorlagen'),
    Crm: noun('Kunde', 'Kunden'),
    Leave: noun('Abwesenheit', 'Abwesenheiten'),
    OutboundMail: noun('Mail', 'Mails'),
    Mailbox: noun('Postfach', 'Postfächer'),
    Hook: noun('Webhook', 'Webhooks'),
  },
})

/** `3 items`; a kind without a name is a record. */
export function countedNoun(entity: string, count: number): string {
  const named: Readonly<Record<string, Noun | undefined>> = nouns
  return `${count} ${(named[entity] ?? nouns.record)(count)}`
}
