export { apiKey, bearer, type ClientCredentials, clientCredentials, cookie } from './auth.ts'
export { type ConnectOptions, connect } from './connect.ts'
export * as codes from './generated/codes.ts'
export type * from './generated/types.ts'
export { fieldErrors, isProblem, Problem } from './problem.ts'
export { call, dryRun, eventsOf, linesOf, pagesOf, responseOf } from './runtime.ts'
export type {
  Answer,
  Auth,
  Body,
  Call,
  CallOptions,
  DryRun,
  Gantry,
  Input,
  Operations,
  Page,
  Pages,
  Query,
  Reply,
  Route,
  ServerEvent,
} from './types.ts'
export { InvalidSignature, verifyWebhook } from './webhook.ts'
