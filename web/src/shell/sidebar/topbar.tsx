import { Menu, Plus, Search } from 'lucide-react'
import { Button } from '../../kit/kit.tsx'
import { say } from '../messages.ts'

/** The bar of a phone: the way to the sidebar, the name of the page, search and new. */
export function Topbar(props: {
  title: string
  onMenu: () => void
  onSearch: () => void
  onCreate: (() => void) | undefined
}) {
  return (
    <header className="topbar">
      <Button look="icon" aria-label={say.menu} onClick={props.onMenu}>
        <Menu className="ic" />
      </Button>
      <p className="grow cut strong">
        <bdi>{props.title}</bdi>
      </p>
      <Button look="icon" aria-label={say.search} onClick={props.onSearch}>
        <Search className="ic" />
      </Button>
      {props.onCreate && (
        <Button look="icon" aria-label={say.create} onClick={props.onCreate}>
          <Plus className="ic" />
        </Button>
      )}
    </header>
  )
}
