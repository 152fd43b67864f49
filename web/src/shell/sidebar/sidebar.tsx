import { Link } from '@tanstack/react-router'
import { CircleHelp, Search } from 'lucide-react'
import { CommandKeys } from '../../kernel/commands/command-keys.tsx'
import { useSession } from '../../kernel/data/session/session.ts'
import { Avatar, Button } from '../../kit/kit.tsx'
import { say } from '../messages.ts'
import { PersonButton } from './menu-button.tsx'
import { Places } from './places.tsx'
import { RunningTimer } from './running-timer.tsx'
import { Workspace } from './workspace.tsx'

export interface SidebarProps {
  /** Opens the search with this text in it. */
  onFind: (text: string) => void
  onNewContainer: () => void
  onHelp: () => void
}

/** Beside every page where there is room. */
export function Sidebar(props: SidebarProps) {
  return (
    <aside className="side" aria-label={say.menu}>
      <Workspace />
      <SidebarBody {...props} />
    </aside>
  )
}

/** What is in it, beside the page or over it. */
export function SidebarBody({ onFind, onNewContainer, onHelp }: SidebarProps) {
  const { user } = useSession()
  return (
    <>
      <button type="button" className="side-search" onClick={() => onFind('')} title={say.search}>
        <Search className="ic" />
        <span className="grow">{say.search}</span>
        <span className="wide">
          <CommandKeys id="palette" />
        </span>
      </button>
      <Places onFind={onFind} onNewContainer={onNewContainer} />
      <div className="side-foot">
        <RunningTimer />
        <div className="hstack me">
          <Link to="/profile" className="hstack grow plain cut" aria-label={say.profileOf(user.name)}>
            <Avatar id={user.id} name={user.name} />
            <bdi className="grow cut mid">{user.name}</bdi>
          </Link>
          <PersonButton />
          <Button
            look="icon"
            className="btn btn-ghost btn-icon wide"
            aria-label={say.help}
            title={say.help}
            onClick={onHelp}
          >
            <CircleHelp className="ic" />
          </Button>
        </div>
      </div>
    </>
  )
}
