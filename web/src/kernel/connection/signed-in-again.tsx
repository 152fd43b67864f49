import { useEffect } from 'react'
import { say } from './messages.ts'
import { tellTabs } from './sign-out.ts'

/** The end of the sign-in in a window of its own. */
export function SignedInAgain() {
  useEffect(() => {
    tellTabs('signed-in')
    window.close()
  }, [])
  return <p className="center">{say.closeWindow}</p>
}
