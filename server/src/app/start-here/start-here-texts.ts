/** A task of the container “Start here”: what to do, and how. */
interface StartTask {
  title: string
  description: string
}

export interface StartTexts {
  /** The container of items that were created without one. */
  inbox: { name: string; description: string }
  name: string
  description: string
  process: string
  /** The states of a task, in the order of the board's columns. */
  states: { todo: string; doing: string; done: string }
  tasks: readonly StartTask[]
}

const en: StartTexts = {
  inbox: { name: 'Inbox', description: 'Items that were created without a container.' },
  name: 'Start here',
  description:
    'Seven small tasks that show how the work is done here. Delete them, or the whole container, when you know.',
  process: 'Tasks',
  states: { todo: 'To do', doing: 'In progress', done: 'Done' },
  tasks: [
    {
      title: 'Move this card to Done',
      description:
        'Open the board. Drag this card, or select it with J and K and move it with Shift+L. What is done leaves the board after two weeks.',
    },
    {
      title: 'Press C and add an item',
      description:
        'The first line is the title. `#label`, `@person`, `!high` and `^friday` in it set the label, the assignee, the priority and the due date.',
    },
    {
      title: 'Undo it with Ctrl+Z, or ⌘Z on a Mac',
      description:
        'Every change can be undone: a title, a move of five hundred cards, a deletion. Shift+Ctrl+Z (⇧⌘Z) does it again.',
    },
    {
      title: 'Find something with Ctrl+K, or ⌘K',
      description:
        'Type the beginning of a name, a title or a key such as `START-1`. The palette finds items, people, containers and commands.',
    },
    {
      title: 'Write a comment, and mention somebody with @',
      description: 'R answers, N writes an internal note. Whoever is mentioned finds it in the inbox.',
    },
    {
      title: 'Start the timer with T, and stop it again',
      description: 'The minutes are booked on this item, which shows who worked on it and for how long.',
    },
    {
      title: 'Invite a colleague',
      description:
        'An administrator finds it under People. Then make a container of your own, or import what you have from another system.',
    },
  ],
}

const de: StartTexts = {
  inbox: { name: 'Eingang', description: 'Einträge, die ohne Bereich angelegt wurden.' },
  name: 'Hier anfangen',
  description:
    'Sieben kleine Aufgaben, die zeigen, wie hier gearbeitet wird. Wer sie kennt, löscht sie oder gleich den ganzen Bereich.',
  process: 'Aufgaben',
  states: { todo: 'Zu tun', doing: 'In Arbeit', done: 'Erledigt' },
  tasks: [
    {
      title: 'Schiebe diese Karte nach „Erledigt“',
      description:
        'Öffne die Tafel. Ziehe die Karte, oder wähle sie mit J und K und schiebe sie mit Umschalt+L. Was erledigt ist, verlässt die Tafel nach zwei Wochen.',
    },
    {
      title: 'Drücke C und lege einen Eintrag an',
      description:
        'Die erste Zeile ist der Titel. `#Label`, `@Person`, `!hoch` und `^freitag` darin setzen Label, Zuständige, Priorität und Fälligkeit.',
    },
    {
      title: 'Mache das mit Strg+Z rückgängig, am Mac mit ⌘Z',
      description:
        'Jede Änderung lässt sich zurücknehmen: ein Titel, fünfhundert verschobene Karten, eine Löschung. Umschalt+Strg+Z (⇧⌘Z) wiederholt sie.',
    },
    {
      title: 'Finde etwas mit Strg+K oder ⌘K',
      description:
        'Tippe den Anfang eines Namens, eines Titels oder eines Schlüssels wie `START-1`. Die Palette findet Einträge, Personen, Bereiche und Befehle.',
    },
    {
      title: 'Schreibe einen Kommentar und erwähne jemanden mit @',
      description: 'R antwortet, N schreibt eine interne Notiz. Wer erwähnt wird, findet es im Posteingang.',
    },
    {
      title: 'Starte mit T die Zeitmessung und halte sie wieder an',
      description: 'Die Minuten sind auf diesen Eintrag gebucht; er zeigt, wer wie lange daran gearbeitet hat.',
    },
    {
      title: 'Lade jemanden ein',
      description:
        'Das machen Administratoren unter „Personen“. Lege danach einen eigenen Bereich an, oder importiere, was du aus einem anderen System hast.',
    },
  ],
}

/** The languages of what a new tenant finds. */
export type Language = 'en' | 'de'

export const startTexts: Readonly<Record<Language, StartTexts>> = { en, de }

/** The language for a locale such as `de-AT`; English where there is no translation. */
export function languageOf(locale: string): Language {
  return /^de\b/i.test(locale) ? 'de' : 'en'
}
