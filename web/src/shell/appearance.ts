import { call } from '@gantry/sdk'
import { attempt } from '../kernel/data/attempt.ts'
import { gantry } from '../kernel/data/client.ts'
import { patchSession, sessionNow } from '../kernel/data/session/session.ts'
import type { Language } from '../kernel/messages/messages.ts'

const page = document.documentElement

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const kept = (): string | null => localStorage.getItem('theme')

export const themeNow = (): Theme => themes.find(each => each === kept()) ?? 'auto'

function showTheme(theme: Theme): void {
  const dark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  page.dataset.theme = dark ? 'dark' : 'light'
  if (theme === 'auto') localStorage.removeItem('theme')
  else localStorage.setItem('theme', theme)
}

/** Changes the theme here at once, and for the person's other devices. */
export async function setTheme(theme: Theme): Promise<void> {
  showTheme(theme)
  const user = sessionNow()?.user
  if (user) patchSession({ user: { ...user, darkMode: theme } })
  await attempt(() => call(gantry, 'PATCH /user/me', { body: { darkMode: theme } }))
}

/** A device on which nobody has chosen takes the theme of the person. */
export function adoptTheme(darkMode: string): void {
  const theme = themes.find(each => each === darkMode)
  if (theme && kept() === null) showTheme(theme)
}

export const toggleTheme = (): Promise<void> => setTheme(page.dataset.theme === 'dark' ? 'light' : 'dark')

export const isCompact = (): boolean => page.dataset.density === 'compact'

export function setCompact(compact: boolean): void {
  if (compact) page.dataset.density = 'compact'
  else delete page.dataset.density
  localStorage.setItem('density', page.dataset.density ?? '')
}

export const toggleDensity = (): void => setCompact(!isCompact())

/** Texts are read once when they are shown: the page starts again in the other language. */
export async function setLanguage(locale: Language): Promise<void> {
  if (await attempt(() => call(gantry, 'PATCH /user/me', { body: { locale } }))) location.reload()
}
