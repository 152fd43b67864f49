import { isProblem } from '@gantry/sdk'
import { CloudOff, Lock, RefreshCw, Trash2, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Copyable } from '../../kit/copyable.tsx'
import { Button, Screen } from '../../kit/kit.tsx'
import { say } from './messages.ts'

interface ProblemProps {
  error: unknown
  onRetry?: (() => void) | undefined
  /** A further way out. */
  children?: ReactNode
}

/** What stands where something could not be shown: why, and what can be done about it. */
export function ProblemScreen({ error, onRetry, children }: ProblemProps) {
  const retry = onRetry && (
    <Button onClick={onRetry}>
      <RefreshCw className="ic" /> {say.retry}
    </Button>
  )
  if (isProblem(error) && error.status === 403)
    return (
      <Screen icon={<Lock />} title={say.forbidden} text={`${error.message}. ${say.forbiddenText}`}>
        {children}
      </Screen>
    )
  if (isProblem(error) && (error.status === 404 || error.status === 410)) return <Gone>{children}</Gone>
  if (!isProblem(error) && !navigator.onLine)
    return (
      <Screen icon={<CloudOff />} title={say.offline} text={say.offlineText}>
        {retry}
      </Screen>
    )
  const isOurs = !isProblem(error) && !(error instanceof TypeError && /fetch|network/i.test(error.message))
  return (
    <Screen
      icon={<TriangleAlert />}
      title={isOurs ? say.ours : say.broken}
      text={isProblem(error) ? error.message : isOurs ? say.oursText : say.brokenText}
      alert
    >
      {retry}
      {isProblem(error) && error.traceId && <Copyable text={error.traceId} label={say.copy} done={say.copied} />}
      {children}
    </Screen>
  )
}

/** What stands where something is not, or is not for this person. */
export function Gone({ children }: { children?: ReactNode }) {
  return (
    <Screen icon={<Trash2 />} title={say.gone} text={say.goneText}>
      <a className="btn" href="/">
        {say.home}
      </a>
      {children}
    </Screen>
  )
}
