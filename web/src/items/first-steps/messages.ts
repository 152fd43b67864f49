import { messages, plural } from '../../kernel/messages/messages.ts'

export const say = messages({
  en: {
    firstSteps: 'First steps',
    isNew: 'This workspace is new. Try it with a sample company, or begin with your own work.',
    whatSample:
      'The sample has invented people, a service desk, a project with a board and a list. It is removed again here.',
    isLoaded: 'The sample company is loaded. Remove it when you have seen enough: what you have added stays.',
    load: 'Load the sample company',
    loading: 'Loading the sample company…',
    loaded: 'Sample company loaded',
    remove: 'Remove the sample company',
    removing: 'Removing the sample company…',
    removed: 'Sample company removed',
    kept: (count: number) =>
      `${count} ${plural(count, { one: 'record of the sample stays', other: 'records of the sample stay' })}, because somebody uses them:`,
    more: (count: number) => `and ${count} more`,
    openStart: 'Open Start here',
    invite: 'Invite people',
    newContainer: 'New container',
    hide: 'Hide the first steps',
  },
  de: {
    firstSteps: 'Erste Schritte',
    isNew: 'Dieser Arbeitsbereich ist neu. Probiere ihn mit einer Beispielfirma aus, oder beginne mit deiner Arbeit.',
    whatSample:
      'Das Beispiel hat erfundene Leute, einen Helpdesk, ein Projekt mit einer Tafel und eine Liste. Hier wird es auch wieder entfernt.',
    isLoaded: 'Die Beispielfirma ist geladen. Entferne sie, wenn du genug gesehen hast: Was du angelegt hast, bleibt.',
    load: 'Beispielfirma laden',
    loading: 'Die Beispielfirma wird geladen…',
    loaded: 'Beispielfirma geladen',
    remove: 'Beispielfirma entfernen',
    removing: 'Die Beispielfirma wird entfernt…',
    removed: 'Beispielfirma entfernt',
    kept: (count: number) =>
      `${count} ${plural(count, { one: 'Datensatz des Beispiels bleibt', other: 'Datensätze des Beispiels bleiben' })}, weil jemand damit arbeitet:`,
    more: (count: number) => `und ${count} weitere`,
    openStart: '„Hier anfangen“ öffnen',
    invite: 'Leute einladen',
    newContainer: 'Neuer Bereich',
    hide: 'Erste Schritte ausblenden',
  },
})
