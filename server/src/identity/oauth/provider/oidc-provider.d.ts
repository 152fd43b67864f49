// The package ships no types. This file declares the parts that Gantry uses, after the source of version 9.13.
declare module 'oidc-provider' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface ClientMetadata {
    client_id: string
    [property: string]: unknown
  }

  export interface Client {
    clientId: string
    clientName?: string
    applicationType: 'web' | 'native'
    redirectUris: string[]
    grantTypeAllowed(type: string): boolean
    compareClientSecret(actual: string): boolean | Promise<boolean>
    [metadata: string]: unknown
  }

  export interface Token {
    kind: string
    accountId?: string
    client?: Client
    clientId: string
    grantId?: string
    scope?: string
    iiat?: number
    consumed?: unknown
    amr?: string[]
    /** When the user proved who they are; seconds. */
    authTime?: number
    totalLifetime?(): number
  }

  export interface Session {
    accountId?: string
    uid: string
    amr?: string[]
    state?: { secret: string }
    /** The grant that the user has given to the client in this browser. */
    grantIdFor(clientId: string): string | undefined
  }

  export interface Account {
    accountId: string
    claims(use: string, scope: string): Promise<Record<string, unknown>>
  }

  /** The Koa context of the request. */
  export interface Ctx {
    req: IncomingMessage
    path: string
    method: string
    status: number
    type: string
    body: unknown
    ip: string
    query: Record<string, string | string[] | undefined>
    state: Record<string, unknown>
    set(name: string, value: string): void
    oidc: {
      route: string
      client?: Client
      session?: Session
      account?: Account
      params: { scope?: string; [param: string]: unknown }
      entities: {
        AuthorizationCode?: Token
        RefreshToken?: Token
        DeviceCode?: Token
        RotatedRefreshToken?: Token
        IdTokenHint?: { payload: { sub?: string } }
      }
      result?: { login?: unknown; consent?: { grantId?: string } }
      provider: Provider
      urlFor(route: string): string
    }
  }

  export interface Interaction {
    uid: string
    prompt: { name: string; reasons: string[]; details: Record<string, unknown> }
    params: Record<string, unknown>
    session?: { accountId: string; uid?: string } | undefined
    lastSubmission?: { login?: unknown }
    deviceCode?: string
    returnTo: string
    persist(): Promise<unknown>
  }

  export interface Grant {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  export interface Adapter {
    upsert(id: string, payload: Record<string, unknown>, expiresIn?: number): Promise<void>
    find(id: string): Promise<Record<string, unknown> | undefined>
    findByUserCode(userCode: string): Promise<Record<string, unknown> | undefined>
    findByUid(uid: string): Promise<Record<string, unknown> | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export interface AccessTokenDraft {
    header?: Record<string, unknown>
    payload: Record<string, unknown>
  }

  export class Provider extends EventEmitter {
    constructor(issuer: string, configuration: Record<string, unknown>)
    proxy: boolean
    readonly issuer: string
    readonly Client: { prototype: Client; find(id: string): Promise<Client | undefined> }
    readonly Grant: {
      new (properties: { accountId: string; clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    readonly Session: {
      findByUid(uid: string): Promise<{ destroy(): Promise<void> } | undefined>
      /** The session of the requesting browser; a new one without an account if it has none. */
      get(ctx: { req: IncomingMessage; res: ServerResponse }): Promise<Session>
    }
    readonly IdToken: { prototype: { payload(): Promise<Record<string, unknown>> } }
    use(middleware: (ctx: Ctx, next: () => Promise<void>) => Promise<void>): this
    callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>
    interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<Interaction>
    interactionResult(
      req: IncomingMessage,
      res: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<string>
    /** The request that is being answered. */
    static readonly ctx: Ctx | undefined
  }

  export const errors: {
    InvalidClient: new (detail: string) => Error
    InvalidGrant: new (detail: string) => Error
    InvalidScope: new (description: string, scope: string) => Error
    InvalidTarget: new () => Error
    SessionNotFound: new (description: string) => Error
  }

  export namespace interactionPolicy {
    class Check {
      constructor(reason: string, description: string, check: (ctx: Ctx) => boolean | Promise<boolean>)
    }
    interface Checks {
      add(check: Check): void
      remove(reason: string): void
    }
    function base(): { get(name: 'login' | 'consent'): { checks: Checks } }
  }
}
