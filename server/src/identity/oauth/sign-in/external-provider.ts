import type { Id } from '../../../kernel/id.ts'
import type { AccountRef } from '../accounts.ts'

/** An external identity provider, as the sign-in page offers it. */
interface ExternalProvider {
  tenantId: Id
  id: Id
  name: string
}

export type ExternalProviderId = Pick<ExternalProvider, 'tenantId' | 'id'>

/** The state of a sign-in that is in progress at an external provider. It is stored sealed and used once. */
export interface PendingSignIn {
  offer: ExternalProvider
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

export interface ExternalSignInRequest {
  redirectUri: string
  state: string
  /** Forces a person who is already signed in at the provider to authenticate again. */
  forceLogin: boolean
  hint: string
}

/** What the authorisation server needs of the room for external sign-in. It throws `SignInRefused`. */
export interface ExternalSignIn {
  /** The providers of a workspace; none if the workspace does not exist. */
  providers(workspace: string): Promise<readonly ExternalProvider[]>
  /** The URL to send the browser to. */
  begin(offer: ExternalProviderId, request: ExternalSignInRequest): Promise<{ url: string; pending: PendingSignIn }>
  /** The person who came back from the provider. */
  finish(pending: PendingSignIn, answer: URL): Promise<AccountRef>
  /** The user and the provider that a link ticket names. */
  readTicket(ticket: string): { holder: AccountRef; offer: ExternalProviderId } | undefined
  /** Links the identity that came back from the provider to this user. */
  link(pending: PendingSignIn, answer: URL, holder: AccountRef): Promise<void>
}

/** A refused sign-in; the message is shown to the person. */
export class SignInRefused extends Error {}
