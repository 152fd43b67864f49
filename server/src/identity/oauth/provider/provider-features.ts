import { type Ctx, errors, type Token } from 'oidc-provider'
import type { KeySet } from '../../signing-keys/signing-keys.ts'
import { lifetimes } from '../../token-lifetimes.ts'
import { askForCode, askForLogout, confirmDevice, deviceConnected, signedOut } from '../pages/provider-pages.ts'
import { isForApi, scopesFor } from './token-claims.ts'

/** The optional features of the authorisation server, and how each one is configured. */
export function providerFeatures(resource: string, keySet: KeySet) {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: true },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    clientCredentials: { enabled: true },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx: Ctx, client: { clientId: string }, token: Token) =>
        token.clientId === client.clientId,
    },
    deviceFlow: {
      enabled: true,
      userCodeInputSource: askForCode,
      userCodeConfirmSource: confirmDevice,
      successSource: deviceConnected,
    },
    rpInitiatedLogout: { enabled: true, logoutSource: askForLogout, postLogoutSuccessSource: signedOut },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (ctx: Ctx) => (isForApi(ctx) ? resource : undefined),
      useGrantedResource: async () => true,
      getResourceServerInfo: async (ctx: Ctx, indicator: string) => apiFor(ctx, indicator, resource, keySet),
    },
  }
}

/** The API is the only resource server that tokens are issued for. */
function apiFor(ctx: Ctx, indicator: string, resource: string, keySet: KeySet) {
  if (indicator !== resource) throw new errors.InvalidTarget()
  return {
    scope: scopesFor(ctx).join(' '),
    audience: resource,
    accessTokenTTL: lifetimes.accessToken,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256', kid: keySet.keys[0].kid } },
  }
}
