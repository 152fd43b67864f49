import { messages } from '../messages/messages.ts'

export const say = messages({
  en: {
    open: (name: string) => `Show ${name} large`,
    download: 'Download',
    close: 'Close',
  },
  de: {
    open: (name: string) => `${name} groß zeigen`,
    download: 'Herunterladen',
    close: 'Schließen',
  },
})
