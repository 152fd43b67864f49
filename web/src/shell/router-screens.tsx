import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { say as sayProblem } from '../kernel/problems/messages.ts'
import { ProblemScreen } from '../kernel/problems/problem-screen.tsx'
import { Screen, Skeleton } from '../kit/kit.tsx'

/** A page that failed: the rest of the app stays, and trying again starts the page anew. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return <ProblemScreen error={error} onRetry={retry} />
}

export function PageMissing() {
  return (
    <Screen icon={<Compass />} title={sayProblem.goneScreen}>
      <Link to="/" className="btn">
        {sayProblem.home}
      </Link>
    </Screen>
  )
}

export const PageLoading = () => <Skeleton />
