import { ChevronDown } from 'lucide-react'
import { useSession } from '../../kernel/data/session/session.ts'
import { later } from '../../kernel/later.tsx'
import { say } from '../messages.ts'
import { MenuButton } from './menu-button.tsx'

const WorkspaceMenu = later(async () => (await import('./menus.ts')).WorkspaceMenu)

/** The logo of the workspace, if the content policy lets it be shown; otherwise its first letter. */
export function Logo() {
  const { tenant } = useSession()
  const { logoUrl } = tenant.branding
  if (typeof logoUrl === 'string' && /^(\/|data:image\/)/.test(logoUrl))
    return <img className="logo" src={logoUrl} alt="" />
  return <span className="logo" data-initials={[...tenant.name][0]} aria-hidden="true" />
}

/** The name of the workspace, and what belongs to it. */
export function Workspace() {
  const { tenant } = useSession()
  const { title } = tenant.branding
  return (
    <MenuButton label={say.workspace(tenant.name)} className="side-top" menu={WorkspaceMenu}>
      <Logo />
      <bdi className="grow cut">{typeof title === 'string' && title ? title : tenant.name}</bdi>
      <ChevronDown className="ic dim" />
    </MenuButton>
  )
}
