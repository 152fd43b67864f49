import type { Caller } from '../kernel/access.ts'

declare module '../kernel/access.ts' {
  interface Authority {
    /** The user is an agent (user kind 4): a program that acts on what it reads. */
    readonly agent?: boolean
  }
}

/** Marks a credential as that of an agent. It takes away and gives nothing, so it stands beside other scopes. */
export const agentScope = 'agent'

/** Whether what the caller reads goes to an assistant: it is an agent, or its credential is for one. */
export function isAgent({ authority, scopes }: Pick<Caller, 'authority' | 'scopes'>): boolean {
  return authority.unrestricted !== true && (authority.agent === true || scopes.includes(agentScope))
}
