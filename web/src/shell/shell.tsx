import { codes } from '@gantry/sdk'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Ban } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ItemPropertiesProvider } from '../items/properties/properties.tsx'
import { draftTitle } from '../items/quick-add/quick-draft.ts'
import { useKeys } from '../kernel/commands/keys.ts'
import { useMaySomewhere } from '../kernel/data/session/may.ts'
import { usePreferences } from '../kernel/data/session/preferences.ts'
import { useSession } from '../kernel/data/session/session.ts'
import { EditorLayer } from '../kernel/fields/editor-layer.tsx'
import { InSlices } from '../kernel/later.tsx'
import { PictureLayer } from '../kernel/pictures/picture-layer.tsx'
import { medium, narrow, useMedia } from '../kit/media.ts'
import { Help, NewContainer, Palette, QuickAdd, SidebarSheet } from './layers.ts'
import { useLiveSession } from './live-session.ts'
import { say } from './messages.ts'
import { useRememberOpened } from './opened.ts'
import { usePageTitle } from './page-title.ts'
import { type Layer, useShellCommands } from './shell-commands.ts'
import { Sidebar } from './sidebar/sidebar.tsx'
import { Topbar } from './sidebar/topbar.tsx'
import { Toast } from './toast.tsx'

/** What is around every page: the sidebar, the palette, the quick add, the help and the toast. */
export function Shell() {
  const [layer, setLayer] = useState<Layer>()
  const [wanted, setWanted] = useState('')
  const isNarrow = useMedia(narrow)
  const isMedium = useMedia(medium)
  const { rail } = usePreferences()
  const title = usePageTitle()
  const main = useFocusOnPage(title)
  const mayCreate = useMaySomewhere('item.create')
  useShellCommands(setLayer)
  const navigate = useNavigate()
  const close = () => {
    setLayer(undefined)
    setWanted('')
  }
  const find = (text: string) => {
    setWanted(text)
    setLayer('palette')
  }
  const create = (title: string) => {
    draftTitle(title)
    setLayer('create')
  }
  const sidebar = { onFind: find, onNewContainer: () => setLayer('container'), onHelp: () => setLayer('help') }
  return (
    <div className={`app ${isMedium || (rail && !isNarrow) ? 'is-rail' : ''}`}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {say.skip}
      </button>
      {isNarrow ? (
        <Topbar
          title={title}
          onMenu={() => setLayer('menu')}
          onSearch={() => find('')}
          onCreate={mayCreate ? () => setLayer('create') : undefined}
        />
      ) : (
        <Sidebar {...sidebar} />
      )}
      <main className="main" ref={main} tabIndex={-1}>
        <Suspended />
        <ItemPropertiesProvider>
          <InSlices>
            <Outlet />
          </InSlices>
        </ItemPropertiesProvider>
      </main>
      {isNarrow && <SidebarSheet open={layer === 'menu'} onClose={close} {...sidebar} />}
      <Palette open={layer === 'palette'} wanted={wanted} onClose={close} onCreate={mayCreate ? create : undefined} />
      <ItemPropertiesProvider>
        <QuickAdd open={layer === 'create'} onClose={close} />
      </ItemPropertiesProvider>
      <NewContainer
        open={layer === 'container'}
        onClose={close}
        onMade={({ key }) => void navigate({ to: '/container/$key', params: { key } })}
      />
      <EditorLayer />
      <PictureLayer />
      <Help open={layer === 'help'} onClose={close} />
      <Toast />
      <Following />
    </div>
  )
}

/** What follows the page and shows nothing: commands that come and go render this, and not the shell. After the page, whose commands it binds. */
function Following() {
  useKeys()
  useRememberOpened()
  useLiveSession()
  return null
}

/** Whoever goes somewhere by a key or in the sidebar reads on in the page. What the page has focused itself stays. */
function useFocusOnPage(title: string) {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(title)
  useEffect(() => {
    if (shown.current === title) return
    shown.current = title
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [title])
  return main
}

function Suspended() {
  const { tenant } = useSession()
  if (tenant.status === codes.tenantStatus.active) return null
  return (
    <div className="banner banner-bad" role="status">
      <Ban className="ic" />
      <strong>{say.readOnly}</strong> {say.suspended}
    </div>
  )
}
