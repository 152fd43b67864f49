import { messages, plural } from '../messages/messages.ts'

export const say = messages({
  en: {
    offline: 'Offline',
    waiting: (count: number) => plural(count, { one: `${count} change waits`, other: `${count} changes wait` }),
    signInAgain: 'Sign in again',
    signedOut: 'You are signed out',
    signedOutWhy: 'Your session has ended. The page stays as it is, and what you changed is sent after you sign in.',
    closeWindow: 'You are signed in. You can close this window.',
    leave: 'Sign out for good',
    notSent: (count: number) =>
      `${plural(count, { one: `${count} change is`, other: `${count} changes are` })} not sent yet. Sign out once more to drop ${plural(count, { one: 'it', other: 'them' })}.`,
    notReached: 'The service cannot be reached. Try it again when you are online.',
    cannotUndo: 'The service cannot be reached, so nothing was undone. Try it again when you are online.',
    cannotSignOut: 'The service cannot be reached, so you are still signed in.',
  },
  de: {
    offline: 'Offline',
    waiting: (count: number) => plural(count, { one: `${count} Änderung wartet`, other: `${count} Änderungen warten` }),
    signInAgain: 'Wieder anmelden',
    signedOut: 'Du bist abgemeldet',
    signedOutWhy:
      'Deine Sitzung ist zu Ende. Die Seite bleibt, wie sie ist, und deine Änderungen werden nach der Anmeldung gesendet.',
    closeWindow: 'Du bist angemeldet und kannst dieses Fenster schließen.',
    leave: 'Ganz abmelden',
    notSent: (count: number) =>
      `${plural(count, { one: `${count} Änderung ist`, other: `${count} Änderungen sind` })} noch nicht gesendet. Melde dich noch einmal ab, um sie zu verwerfen.`,
    notReached: 'Der Dienst ist nicht erreichbar. Versuche es noch einmal, wenn du online bist.',
    cannotUndo:
      'Der Dienst ist nicht erreichbar, deshalb wurde nichts rückgängig gemacht. Versuche es noch einmal, wenn du online bist.',
    cannotSignOut: 'Der Dienst ist nicht erreichbar, du bist also noch angemeldet.',
  },
})
