import { DropdownMenu } from 'radix-ui'
import { run, usePossible } from '../../kernel/commands/commands.ts'
import { say } from '../messages.ts'
import { signOut } from '../sign-out.ts'
import { AnchoredMenu, type AnchoredProps } from './anchored-menu.tsx'

/** What belongs to the workspace. */
export function WorkspaceMenu(props: AnchoredProps) {
  const firstSteps = usePossible('first-steps')
  return (
    <AnchoredMenu {...props}>
      {firstSteps && (
        <DropdownMenu.Item className="it" onSelect={() => run(firstSteps)}>
          {say.firstSteps}
        </DropdownMenu.Item>
      )}
      <DropdownMenu.Item className="it" onSelect={() => void signOut()}>
        {say.otherWorkspace}
      </DropdownMenu.Item>
    </AnchoredMenu>
  )
}
