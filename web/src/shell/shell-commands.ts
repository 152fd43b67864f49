import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Command } from '../kernel/commands/commands.ts'
import { useOffer } from '../kernel/commands/keys.ts'
import { useMay, useMaySomewhere } from '../kernel/data/session/may.ts'
import { preferencesNow, setPreferences } from '../kernel/data/session/preferences.ts'
import { redoLast, undoLast } from '../kernel/data/undo.ts'
import { setTheme, toggleDensity, toggleTheme } from './appearance.ts'
import { say } from './messages.ts'
import { signOut } from './sign-out.ts'

/** What lies over the page. */
export type Layer = 'palette' | 'create' | 'container' | 'help' | 'menu' | undefined

/** What can be done on every page. */
export function useShellCommands(show: (layer: Layer) => void): void {
  const navigate = useNavigate()
  const mayCreate = useMaySomewhere('item.create')
  const mayMakeContainer = useMay('container.create')
  const mayHaveSample = useMay('tenant.sample')
  const commands = useMemo(
    (): Command[] => [
      { id: 'palette', title: say.palette, keys: '$mod+k', run: () => show('palette') },
      { id: 'search', title: say.search, keys: '/', run: () => show('palette') },
      { id: 'create', title: say.create, keys: 'c', may: () => mayCreate, run: () => show('create') },
      { id: 'container.create', title: say.newContainer, may: () => mayMakeContainer, run: () => show('container') },
      { id: 'first-steps', title: say.firstSteps, may: () => mayHaveSample, run: () => showFirstSteps(navigate) },
      { id: 'go.people', title: say.goTo(say.people), run: () => navigate({ to: '/people' }) },
      { id: 'help', title: say.help, keys: 'Shift+?', run: () => show('help') },
      { id: 'go.home', title: say.goTo(say.myWork), keys: 'g h', run: () => navigate({ to: '/' }) },
      { id: 'go.inbox', title: say.goTo(say.inbox), keys: 'g i', run: () => navigate({ to: '/inbox' }) },
      { id: 'go.profile', title: say.goTo(say.profile), keys: 'g s', run: () => navigate({ to: '/profile' }) },
      { id: 'go.undo', title: say.goTo(say.undoCentre), keys: 'g u', run: () => navigate({ to: '/undo' }) },
      { id: 'undo', title: say.undo, keys: '$mod+z', run: undoLast },
      { id: 'redo', title: say.redo, keys: '$mod+Shift+z', run: redoLast },
      { id: 'sidebar', title: say.collapse, keys: '$mod+\\', run: toggleRail },
      { id: 'theme', title: say.toggleTheme, run: toggleTheme },
      { id: 'theme.auto', title: `${say.theme}: ${say.themeAuto}`, run: () => setTheme('auto') },
      { id: 'density', title: say.density, run: toggleDensity },
      { id: 'sign-out', title: say.signOut, run: signOut },
    ],
    [navigate, show, mayCreate, mayMakeContainer, mayHaveSample],
  )
  useOffer(commands)
}

const toggleRail = () => setPreferences({ rail: !preferencesNow().rail })

/** What was hidden is shown again; there the sample company is loaded and removed. */
async function showFirstSteps(navigate: ReturnType<typeof useNavigate>): Promise<void> {
  void setPreferences({ firstSteps: true })
  await navigate({ to: '/' })
}
