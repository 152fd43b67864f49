import { messages } from '../messages/messages.ts'

export const say = messages({
  en: {
    broken: 'This did not load',
    brokenText: 'The service did not answer as it should. What you typed is kept.',
    ours: 'Something went wrong here',
    oursText: 'The page met a mistake of ours. What you typed is kept.',
    retry: 'Try again',
    copy: 'Copy the number of this request',
    copied: 'Copied',
    forbidden: 'You may not see this',
    forbiddenText: 'An administrator of the workspace can grant it.',
    gone: 'This does not exist, or no longer',
    goneText: 'It was deleted, or you may not see it.',
    goneScreen: 'There is nothing at this address',
    home: 'My work',
    offline: 'You are offline',
    offlineText: 'This was not opened before, so it is not kept here. It loads when the connection is back.',
  },
  de: {
    broken: 'Das ließ sich nicht laden',
    brokenText: 'Der Dienst hat nicht geantwortet, wie er sollte. Was du geschrieben hast, bleibt erhalten.',
    ours: 'Hier ging etwas schief',
    oursText: 'Die Seite hat einen Fehler von uns getroffen. Was du geschrieben hast, bleibt erhalten.',
    retry: 'Noch einmal',
    copy: 'Nummer dieser Anfrage kopieren',
    copied: 'Kopiert',
    forbidden: 'Das ist für dich nicht sichtbar',
    forbiddenText: 'Wer den Arbeitsbereich verwaltet, kann dir das Recht dazu geben.',
    gone: 'Das gibt es nicht, oder nicht mehr',
    goneText: 'Es wurde gelöscht, oder es ist für dich nicht sichtbar.',
    goneScreen: 'Unter dieser Adresse ist nichts',
    home: 'Meine Arbeit',
    offline: 'Du bist offline',
    offlineText:
      'Das war noch nicht geöffnet, also ist es hier nicht gespeichert. Es lädt, sobald du wieder online bist.',
  },
})
