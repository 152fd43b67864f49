import { interactionPolicy } from 'oidc-provider'
import { readAccountId } from '../accounts.ts'

/**
 * Requires a new sign-in when the account of the session is closed or has new credentials, and accepts the public
 * subject as a hint.
 */
export function signInPolicy() {
  const rules = interactionPolicy.base()
  const { checks } = rules.get('login')
  checks.add(
    new interactionPolicy.Check(
      'account_closed',
      'the session is no longer valid',
      ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
    ),
  )
  checks.remove('id_token_hint')
  checks.add(
    new interactionPolicy.Check('id_token_hint', 'id_token_hint and authenticated subject do not match', ({ oidc }) => {
      const hint = oidc.entities.IdTokenHint
      return hint !== undefined && hint.payload.sub !== readAccountId(oidc.session?.accountId)?.userId
    }),
  )
  return rules
}
