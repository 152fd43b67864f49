import { messages } from '../../kernel/messages/messages.ts'

export const say = messages({
  en: {
    uploads: 'Uploads',
    uploading: 'uploading…',
    percent: (percent: number) => `${percent}%`,
    cancel: (name: string) => `Cancel the upload of ${name}`,
    unreadable: (name: string) => `${name} can no longer be read`,
  },
  de: {
    uploads: 'Uploads',
    uploading: 'wird hochgeladen …',
    percent: percent => `${percent} %`,
    cancel: name => `Hochladen von ${name} abbrechen`,
    unreadable: name => `${name} lässt sich nicht mehr lesen`,
  },
})
