// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

/** A problem as defined by RFC 9457. */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  instance?: string | undefined
  /** A stable code for programs. */
  code: string
  traceId: string
  Fields: { Field: string; Code: string; Message: string; Pointer: string; Value?: unknown }[]
}

/** The organisation that all records belong to. Callers see only their own tenant. */
export interface Tenant {
  entity: "Tenant"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  slug: string
  locale: string
  timezone: unknown
  currency: string
  weekStart: unknown
  /** The id of a Clock. */
  defaultClockId: string
  branding: { title?: string | undefined; color?: string | undefined; logoUrl?: string | undefined; supportEmail?: string | undefined }
  domains: string[]
  features: string[]
  region: string
  retention: { deletedDays?: number | undefined; archivedDays?: number | undefined; eventDays?: number | undefined; chatDays?: number | undefined; mailDays?: number | undefined }
  quotas: { users?: number | undefined; storageBytes?: number | undefined; apiKeys?: number | undefined; itemsPerMinute?: number | undefined; requestsPerMinute?: number | undefined; strangerMailsPerDay?: number | undefined }
  /** 0 active · 1 suspended: read only · 2 closing: only super admins, to export. */
  status: number
}

export interface Event {
  /** The position in the log, for `after`. */
  seq: string
  id: string
  tenantId: string
  at: string
  /** `clock.updated`, `item.created` … */
  type: string
  entity: string
  recordId: string
  actor: { id: string; kind: string; ruleId?: string | undefined }
  changeSetId: string
  /** Before and after of each property that changed: `{"name": {"from": "a", "to": "b"}}`. */
  changes: Record<string, unknown>
}

export interface Sample {
  loaded: boolean
  /** The number of records by kind. */
  records: Record<string, number>
}

export interface RemovedSample {
  /** The number of records by kind. */
  removed: Record<string, number>
  /** What was not removed, because somebody uses it by now. */
  kept: { entity: string; id: string; name: string; because: string }[]
}

/** A user of the tenant: a member of staff, a requester or a service account. */
export interface User {
  entity: "User"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  initials: string
  email: string
  locale: string
  timezone: unknown
  darkMode: string
  costCenter: string
  jobRole: string
  workingHours: string
  notifications: boolean
  superAdmin: boolean
  active: boolean
  /** Until then an administrator has locked the user: sign-in, sessions, API keys and rules stop. */
  locked: string | null
  /** A code or its name: 0 `staff` · 1 `requester` · 2 `service` · 3 `placeholder` · 4 `agent`. */
  kind: number
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  role: number
  phone: string
  externalId: string
  lastSeen: string | null
  login: string
  /** The id of a File. */
  avatarFileId: string
  /** The id of a User. */
  managerId: string
  /** The id of a Crm. */
  crmId: string
  skills: string[]
  capacity?: { from: string; to?: string | null | undefined; minutesPerWeekday?: number[] | undefined; clockId?: string | undefined }[] | undefined
  split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | undefined
  invitedAt: string | null
  anonymised: boolean
  /** Until then wrong passwords have stopped the sign-in by password, and nothing else. Writing null to `locked` ends it, and so does a new password. */
  passwordLocked: string | null
  /** The groups that the user is a direct member of. Read only. */
  groups?: string[] | undefined
  absence?: { from: string; to?: string | null | undefined; kind?: number | undefined; note?: string | undefined; fromHalf?: number | undefined; toHalf?: number | undefined }[] | undefined
  rates?: { from: string; to?: string | null | undefined; cost?: string | null | undefined; bill?: string | null | undefined; currency?: string | undefined }[] | undefined
}

export interface UserRate {
  at: string
  rate: { from: string; to?: string | null | undefined; cost?: string | null | undefined; bill?: string | null | undefined; currency?: string | undefined } | null
}

export interface SecondFactorEnrolment {
  /** The key in base32. */
  secret: string
  /** The `otpauth:` address, for a QR code. */
  uri: string
}

export interface RecoveryCodes {
  /** Each one replaces a code of the app once. Only this response contains them. */
  recoveryCodes: string[]
}

export interface Passkey {
  id: string
  name: string
  created: string
  lastUsed: string | null
}

export type PasskeyOptions = Record<string, unknown>

export interface SecondFactor {
  /** Sign-in by password asks for a code. */
  active: boolean
  since: string | null
  recoveryCodesLeft: number
  /** The tenant requires it (setting `user.secondFactorRequired`). */
  required: boolean
}

export interface UserSession {
  id: string
  /** The OAuth client that the user has signed in to: its name if the tenant has registered it, else its id. */
  client: string
  /** The browser in which the user has signed in. */
  userAgent: string
  /** The address from which the session was last used. */
  address: string
  created: string
  /** To the minute. */
  lastUsed: string
  /** How the user signed in to the web app (RFC 8176: `pwd`, `otp`, `mfa`, `fed`); empty for other clients. */
  methods: string[]
  /** The session of this request. */
  current: boolean
}

export interface Consent {
  id: string
  /** The program, as it names itself. */
  clientId: string
  /** The name of the program. */
  name: string
  homepage: string
  /** What the user has allowed. */
  scopes: string[]
  created: string
  /** When the user was last asked, or signed in without being asked again. */
  updated: string
  /** To the minute; null if it never was. */
  lastUsed: string | null
}

export interface CalendarFeed {
  id: string
  name: string
  created: string
  /** To the hour. */
  lastUsed: string | null
}

export interface FreshCalendarFeed {
  id: string
  name: string
  created: string
  /** To the hour. */
  lastUsed: string | null
  /** The address for the calendar program. Only this response contains it. */
  url: string
}

export interface Invitation {
  /** Valid for one use. Only this response contains it. */
  token: string
  /** The page where the invited user sets a password. */
  url: string
  expiresAt: string
}

/** A named set of users for roles, workflows and visibility. Members of a group are also members of its parent group. */
export interface UserGroup {
  entity: "UserGroup"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  members: string[]
  owners: string[]
  /** The id of a UserGroup. */
  parentId: string
  /** A code or its name: 0 `security` · 1 `team` · 2 `queue` · 3 `distribution`. */
  kind: number
  /** Who gets the next item, unless the request or the action says otherwise: 0 and 1 in turn · 2 fewest open items · 3 fewest minutes left · 4 in turn among those on shift. */
  assignPolicy: number
  externalId: string
  /** 0 local · 1 Entra · 2 SCIM · 3 LDAP. */
  source: number
  /** The id of a Clock. */
  clockId: string
  /** The id of a Mailbox. */
  mailboxId: string
  /** The grants of the group that the caller may see. Read only; `/api/access-control` changes them. */
  roles: { id: string; owner: number; ownerId: string; role: number; effect: number; expiresAt: string | null }[]
}

export interface PseudoGroup {
  id: string
  name: string
  description: string
  memberCount: number
}

/** What a user, a user group or a pseudo-group (`audience`) may do: a built-in role, a custom role (`roleId`) or single `permissions`, in the tenant (`owner` 0), in one container (1), in one area and its subareas (2) or on one item (3), optionally limited to items that match `conditionGroup`, or denied (`effect` 1). The nearest place decides, then the nearest principal; at the same level a denial wins. Callers cannot grant rights that they lack. */
export interface AccessControl {
  entity: "AccessControl"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a User. */
  userId: string
  /** The id of a UserGroup. */
  userGroupId: string
  audience: "" | "@everyone" | "@staff" | "@requesters" | "@superAdmins"
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  role: number
  /** The id of an AccessRole. */
  roleId: string
  /** Names of permissions; `*` matches one part of a name, at the end all remaining parts. */
  permissions: string[]
  /** A code or its name: 0 `allow` · 1 `deny`. */
  effect: number
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  expiresAt: string | null
  reason: string
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** A custom role: named permissions in addition to those of the built-in role `role`. Grants refer to it by `roleId`; a change applies to all who have it. */
export interface AccessRole {
  entity: "AccessRole"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  role: number
  /** Names of permissions; `*` matches one part of a name, at the end all remaining parts. */
  permissions: string[]
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface AccessExplanation {
  allowed: boolean
  user: { id?: string | undefined; name?: string | undefined }
  /** The permission that the action requires. */
  permission: string
  entity: string
  id: string
  /** The deciding reason, in one sentence. */
  because: string
  /** The rules that were evaluated, in this order. */
  steps: { rule: string; outcome: "allows" | "denies" | "silent"; because: string; accessControlId?: string | undefined }[]
}

/** A credential for programs. It never has more rights than the user who owns it, and is revoked when that user leaves. */
export interface ApiKey {
  entity: "ApiKey"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  expiresAt: string | null
  prefix: string
  last4: string
  scopes: string[]
  /** The id of a User. */
  ownerUserId: string
  /** A code or its name: 0 `personal` · 1 `service`. */
  kind: number
  allowedIps: string[]
  lastUsedAt: string | null
  lastUsedIp: string
}

/** A credential for programs. It never has more rights than the user who owns it, and is revoked when that user leaves. */
export interface FreshApiKey {
  entity: "ApiKey"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  expiresAt: string | null
  prefix: string
  last4: string
  scopes: string[]
  /** The id of a User. */
  ownerUserId: string
  /** A code or its name: 0 `personal` · 1 `service`. */
  kind: number
  allowedIps: string[]
  lastUsedAt: string | null
  lastUsedIp: string
  /** The whole key in plain text. Only this response contains it. */
  RawKey: string
}

/** A program that users of the tenant may let act for them (OAuth 2). Its tokens have the rights of the user within its scopes, and end when it is switched off or deleted. */
export interface OAuthClient {
  entity: "OAuthClient"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** The website of the program (https), shown beside its name. */
  homepage: string
  /** How the program names itself at `/oauth/auth`; unique in the installation. */
  clientId: string
  /** A code or its name: 0 `public` · 1 `confidential`. */
  kind: number
  /** Where answers are sent: https, or `http://127.0.0.1` and `http://[::1]` for programs on the device of the user, whose port is not compared. Otherwise the address of a request must be one of these, character by character. */
  redirectUris: string[]
  /** The scopes that the program may ask for, as API keys have them (`item:read`, `*:write`, `agent`). Without one it only learns who somebody is. */
  scopes: string[]
  active: boolean
  /** The end of the present secret; empty if there is none. */
  secretLast4: string
  previousSecretUntil: string | null
}

/** A program that users of the tenant may let act for them (OAuth 2). Its tokens have the rights of the user within its scopes, and end when it is switched off or deleted. */
export interface FreshOAuthClient {
  entity: "OAuthClient"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** The website of the program (https), shown beside its name. */
  homepage: string
  /** How the program names itself at `/oauth/auth`; unique in the installation. */
  clientId: string
  /** A code or its name: 0 `public` · 1 `confidential`. */
  kind: number
  /** Where answers are sent: https, or `http://127.0.0.1` and `http://[::1]` for programs on the device of the user, whose port is not compared. Otherwise the address of a request must be one of these, character by character. */
  redirectUris: string[]
  /** The scopes that the program may ask for, as API keys have them (`item:read`, `*:write`, `agent`). Without one it only learns who somebody is. */
  scopes: string[]
  active: boolean
  /** The end of the present secret; empty if there is none. */
  secretLast4: string
  previousSecretUntil: string | null
  /** The secret in plain text; null for a public client. Only this response contains it. */
  RawSecret: string | null
}

/** A setting: for the tenant (`scope` 0), in a container (1) or for a user (2). Admins write all settings, other users their own. A registered setting (`GET /api/admin/setting/registry`) accepts only valid values; other keys are stored, but the service does not read them. The value of a secret can be written and is never returned. */
export interface AppSetting {
  entity: "AppSetting"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  key: string
  /** any JSON value */
  value: unknown
  /** A code or its name: 0 `tenant` · 1 `container` · 2 `user` · 3 `operator`. */
  scope: number
  ownerId: string
  secret: boolean
  description: string
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface RegisteredSetting {
  key: string
  /** The JSON type of its value; `any` where there are several. */
  type: string
  /** The value if no level sets one. */
  default: unknown
  /** The JSON Schema of the value. */
  validation: Record<string, unknown>
  /** The levels that can set it. */
  scopes: number[]
  secret: boolean
  description: string
  requiresRestart: false
}

/** An entry of the audit log: who did what, when, from which address and by which credential, with the outcome. */
export interface AuditEntry {
  entity: "AuditEntry"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** `signIn`, `token` (a refused token request), `keyUse` (the first use of an API key from an address on a day), `export`, `breakGlass`, `rights` (a change of rights or credentials; `reason` is the type of its event), `setting` (a change of a setting that decides who gets in; `reason` has its key, the old and the new value), `consent` (what a user has allowed or refused a client, or taken back; the record is the client), `closeTime` (the last closed day of time; `reason` has the old and the new one, and why). */
  action: string
  /** `ok`, `refused`, or `locked` (the account is locked). */
  outcome: string
  reason: string
  /** Who acted, or whose account it was; empty if unknown. */
  userId: string
  /** The address of the client. */
  address: string
  /** `password`, `passkey`, `provider`, `apiKey`, `token`, `session` (the cookie of the web app), `command` or `service`. */
  credential: string
  /** The id of the API key, or the session of the token. */
  credentialId: string
  /** The OAuth client. */
  client: string
  /** The kind of the record concerned. */
  recordKind: string
  recordId: string
  changeSetId: string
}

/** An identity provider for sign-in: a directory of Microsoft Entra (`provider` entra, with `entraTenantId`) or another OpenID Connect provider (oidc, with `issuer`). The client secret can be written and is never returned; `***` keeps it. The base URL of this installation followed by `redirectPath` is the redirect URI to register at the provider. */
export interface EntraMeta {
  entity: "EntraMeta"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  provider: string
  entraTenantId: string
  authority: unknown
  issuer: unknown
  clientId: string
  /** A secret: `***` if there is one, else empty. A request with `***` keeps it. */
  clientSecret: string
  scopes: string[]
  groupClaim: string
  groupMappings: { externalGroupId: string; userGroupId?: string | undefined; role?: number | undefined }[]
  jitProvisioning: boolean
  allowedDomains: string[]
  active: boolean
  lastSignOn: string | null
  groupOverage: string | null
  redirectPath: string
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** The identity of a user at an external provider: the issuer and the subject of its tokens (for Entra the object id). A sign-on with this identity signs in this user. Users see their own identities, super admins all. */
export interface UserIdentity {
  entity: "UserIdentity"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a User. */
  userId: string
  issuer: string
  subject: string
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  directoryRole: number
  lastUsed: string | null
}

/** The price (`bill`) and the cost of an hour from a day on, until `to` or the next rate of the same scope; null says nothing. The scope is an item, a container or a customer (also with a user or a job role), a user, a job role, or (all empty) the tenant. */
export interface Rate {
  entity: "Rate"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of an Item. */
  itemId: string
  /** The id of a Container. */
  containerId: string
  /** The id of a Crm. */
  crmId: string
  /** The id of a User. */
  userId: string
  /** The id of a JobRole. */
  jobRoleId: string
  from: string | null
  to: string | null
  /** A decimal with at most four places. In requests a number, too. */
  bill?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  cost?: string | null | undefined
  currency: string
  note: string
}

/** A customer and its contacts. Each contact has a stable id. */
export interface Crm {
  entity: "Crm"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  code: string
  name: string
  /** The primary mail domain, also the first of `domains`. */
  domain: string
  address: string
  zipcode: string
  country: string
  contacts: { id?: string | undefined; name?: string | undefined; email?: string | undefined; phone?: string | undefined; lead?: boolean | undefined }[]
  sku: string[]
  /** Mail from an address at one of these domains is of this customer, unless a contact of another customer has the address. Providers of mailboxes for everybody never match. */
  domains: string[]
  city: string
  /** The id of a Crm. */
  parentId: string
  /** The id of a Crm. */
  mergedInto: string
  /** 0 active · 1 prospect · 2 former */
  status: number
  tier: string
  /** The id of a User. */
  ownerUserId: string
  timezone: unknown
  language: string
  /** The id of a Clock. */
  clockId: string
  currency: string
  taxId: string
  /** The code of UNTDID 5305 for invoices, such as S (standard rate) and AE (reverse charge). */
  taxCategory: string
  /** A decimal with at most four places. In requests a number, too. */
  taxRate: string
  /** The days until an invoice is due. */
  paymentDays: number
  paymentTerms: string
  /** How time is rounded when it is billed. Empty: as the customer, else as the setting `billing.rounding` says. */
  rounding: { mode?: number | undefined; stepSeconds?: number | undefined; minimumSeconds?: number | undefined; per?: number | undefined; quantityDecimals?: number | undefined }
  labels: string[]
  externalId: string
  notes: string
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface CrmSummary {
  from: string
  to: string
  /** Open now. */
  openTickets: number
  /** Targets that were missed in the period. */
  breaches: number
  /** Met ÷ (met + met late + breached); null without any. */
  slaAttainment: number | null
  seconds: number
  billableSeconds: number
  /** The accounts on the last day; with `contract.read`. */
  contracts?: Record<string, unknown>[] | undefined
  /** Issued in the period, less credit notes; with `bill.read`. */
  net?: { currency: string; amount: string }[] | undefined
  unbilled?: { currency: string; amount: string }[] | undefined
  /** With `cost.read`. */
  cost?: { currency: string; amount: string } | undefined
  /** Net less cost; null if there are several currencies or `withheld` entries. */
  margin?: string | null | undefined
  mixedCurrency?: boolean | undefined
  /** The entries in containers whose amounts the caller may not read; they are in no sum of money. Absent if there are none. */
  withheld?: number | undefined
}

/** An amount of time or money for the work on a container, area, item, customer, cycle or cost centre. What it holds is the sum of its entries (`…/entry`), and `…/balance` compares it with the time that was booked. */
export interface Budget {
  entity: "Budget"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** 1 container · 2 area · 3 item · 6 customer · 9 cycle · 18 cost centre */
  owner: number
  ownerId: string
  /** The id of a Budget. */
  parentId: string
  /** 0 minutes · 1 cost · 2 value at the billing rates */
  unit: number
  currency: string
  /** 0 once · 1 weekly · 2 monthly · 3 quarterly · 4 yearly */
  period: number
  /** Whether the rest of a period, also a negative one, belongs to the next. */
  rollover: boolean
  from: string | null
  to: string | null
  /** Percentages of use, such as 80 and 100, at which the event `budget.thresholdCrossed` is written, once in a period. */
  alertAt: number[]
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** A change of a budget, with its reason. It counts once it is approved, and never changes then; a reason that `requiresApproval` needs the approval of somebody else. */
export interface BudgetEntry {
  entity: "BudgetEntry"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a Budget. */
  budgetId: string
  /** Minutes or money, as the unit of the budget says; negative to take away. */
  delta: string
  /** The id of a BudgetReason. */
  reasonId: string
  date: string | null
  /** Whether it counts in every later period, too. */
  recurring: boolean
  note: string
  /** 0 proposed · 1 approved · 2 rejected */
  state: number
  /** The id of a User. */
  decidedBy: string
  decidedAt: string | null
  comment: string
}

export interface BudgetBalance {
  budgetId: string
  /** A code or its name: 0 `minutes` · 1 `cost` · 2 `value`. */
  unit: number
  currency: string
  from: string | null
  to: string | null
  current: string
  actual: string
  committed: string
  available: string
  forecast: string
  /** The rest of earlier periods; a part of `current`. */
  carried: string
  /** Percent of `current`; null if that is not positive. */
  used: string | null
  /** The working day (Monday to Friday) on which nothing is left at the pace of the last 20. */
  exhaustedOn: string | null
  /** With the budgets below, as far as they have the same unit and currency. */
  rollup: { budgets: number; current: string; actual: string; committed: string; available: string; forecast: string; notSummed: { budgetId?: string | undefined; unit?: number | undefined; currency?: string | undefined }[] }
}

/** Time that a customer has bought in advance, once or for each period: billable work in its containers (if none is named, in all of the customer) uses it up, and `…/balance` says what is left. */
export interface Contract {
  entity: "Contract"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a Crm. */
  crmId: string
  /** The id of a Sku. */
  skuId: string
  name: string
  from: string | null
  to: string | null
  /** 0 once · 1 month · 2 quarter · 3 year, of the calendar */
  period: number
  /** Granted at the start of each period, also of a shorter first one. */
  includedMinutes: number
  /** The fee of a period. */
  price: string
  currency: string
  /** What becomes of unused time: 0 it expires · 1 it is carried over up to `rolloverMaxMinutes` · 2 all of it is carried over */
  rollover: number
  rolloverMaxMinutes: number
  /** For how many periods time is carried over; 1 by default. */
  rolloverPeriods: number
  containerIds: string[]
  /** Work beyond: 0 at the normal rates · 1 at `overageRate` */
  overage: number
  /** A decimal with at most four places. In requests a number, too. */
  overageRate: string | null
  /** What was left of the period before the contract. */
  openingMinutes: number
  /** Of several contracts of a customer, the lowest is used first. */
  order: number
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface ContractBalance {
  contractId: string
  from: string | null
  to: string | null
  /** Granted at the start of the period, in seconds. */
  granted: number
  /** Left of the period before, in seconds. */
  carried: number
  /** The part of `carried` that did not pass into this period, in seconds. */
  expired: number
  /** Billable work that the contract covers, in seconds. */
  consumed: number
  /** Billable work beyond it, in seconds. */
  overage: number
  /** Left: granted + carried − expired − consumed, in seconds. */
  remaining: number
  /** What is left, by the period in which it was granted; the first is used first. */
  lots: { from: string | null; expires: string | null; granted: number; remaining: number }[]
}

/** A series of invoice numbers without gaps. The number is given when a document is issued. */
export interface InvoiceSeries {
  entity: "InvoiceSeries"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** `{0000}` is the number with at least so many digits, `{yyyy}`, `{yy}` and `{mm}` are of the date. */
  pattern: string
  /** The number of the next document; fixed once a document has one. */
  next: number
}

/** An invoice or a credit note: a draft is edited and approved, and gets its number when it is issued; from then on it never changes. */
export interface InvoiceDraft {
  entity: "Invoice"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  number: string
  /** The id of an InvoiceSeries. */
  seriesId: string
  /** 0 invoice · 1 credit note */
  kind: number
  /** 0 draft · 1 approved · 2 issued · 3 cancelled */
  state: number
  /** The id of a Crm. */
  crmId: string
  currency: string
  from: string | null
  to: string | null
  reference: string
  note: string
  lines: { id?: string | undefined; source?: number | undefined; text?: string | undefined; quantity?: string | undefined; unit?: string | undefined; price?: string | undefined; taxCategory?: string | undefined; taxRate?: string | undefined; amount?: string | undefined }[]
  /** How the lines of time are grouped; see `POST /api/finance/invoice/draft`. */
  groupBy: number
  net: string
  gross: string
  taxes: Record<string, unknown>[]
  date: string | null
  dueDate: string | null
  seller: Record<string, unknown>
  buyer: Record<string, unknown>
  /** The id of an Invoice. */
  creditsId: string
  reason: string
  exportedAt: string | null
  paidAt: string | null
  markReference: string
  /** The billable time that is not on the draft; `GET /api/insight/drill/{drill}` lists it. */
  skipped: { reason: "draft" | "unapproved" | "currency" | "unpriced"; count: number; drill: string | null }[]
}

/** An invoice or a credit note: a draft is edited and approved, and gets its number when it is issued; from then on it never changes. */
export interface Invoice {
  entity: "Invoice"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  number: string
  /** The id of an InvoiceSeries. */
  seriesId: string
  /** 0 invoice · 1 credit note */
  kind: number
  /** 0 draft · 1 approved · 2 issued · 3 cancelled */
  state: number
  /** The id of a Crm. */
  crmId: string
  currency: string
  from: string | null
  to: string | null
  reference: string
  note: string
  lines: { id?: string | undefined; source?: number | undefined; text?: string | undefined; quantity?: string | undefined; unit?: string | undefined; price?: string | undefined; taxCategory?: string | undefined; taxRate?: string | undefined; amount?: string | undefined }[]
  /** How the lines of time are grouped; see `POST /api/finance/invoice/draft`. */
  groupBy: number
  net: string
  gross: string
  taxes: Record<string, unknown>[]
  date: string | null
  dueDate: string | null
  seller: Record<string, unknown>
  buyer: Record<string, unknown>
  /** The id of an Invoice. */
  creditsId: string
  reason: string
  exportedAt: string | null
  paidAt: string | null
  markReference: string
}

/** A code for time that is not billed. `group` lists the user groups that may book on it (if empty, everybody); an inactive code accepts no new time. */
export interface NonBillable {
  entity: "NonBillable"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  code: string
  name: string
  description: string
  group: string[]
  active: boolean
  /** A code or its name: 0 `internal` · 1 `leave` · 2 `sick` · 3 `holiday` · 4 `training` · 5 `sales` · 6 `idle`. */
  kind: number
  countsAsWorked: boolean
  color: string
  /** The unit of allowances of leave on this code: 0 minutes · 1 days. */
  unit: number
  /** Leave on this code is credited as if it were worked. */
  paid: boolean
  /** Leave on this code must not exceed the allowance of its year. */
  limited: boolean
}

/** What somebody works as, such as consultant or technician. `jobRole` of a user names one by its code or id. `rates` are the rates of the job role alone. */
export interface JobRole {
  entity: "JobRole"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  code: string
  name: string
  description: string
  skills: string[]
  active: boolean
  rates?: { from: string; to?: string | null | undefined; cost?: string | null | undefined; bill?: string | null | undefined; currency?: string | undefined }[] | undefined
}

/** Where costs are counted, such as a department or a location. Cost centres form a tree; `costCenter` of a user or a container names one by its code or id. */
export interface CostCenter {
  entity: "CostCenter"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  code: string
  name: string
  description: string
  /** The id of a CostCenter. */
  parentId: string
  /** The id of a User. */
  managerId: string
  active: boolean
  validFrom: string | null
  validTo: string | null
  externalId: string
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface CostCenterSummary {
  from: string
  to: string
  seconds: number
  /** In the currency of the tenant. With `cost.read`. */
  cost?: string | undefined
  /** What customers pay for the time, by currency. With `bill.read`. */
  value?: { currency: string; amount: string }[] | undefined
  /** Without those below. */
  own: { seconds: number; cost?: string | undefined; value?: { currency: string; amount: string }[] | undefined }
  /** The cost centres below, at any depth, each with the sums of itself and all below it. */
  below: { costCenterId: string; parentId: string; code: string; name: string; seconds: number; cost?: string | undefined; value?: { currency: string; amount: string }[] | undefined }[]
}

/** A factor for what an hour is sold for (`bill`) and what it costs (`cost`): overtime, weekends, holidays, nights. It holds on its weekdays and holidays, and with `startTime` and `endTime` only for entries that lie within them. Of several the highest counts; null says nothing. */
export interface Multiplier {
  entity: "Multiplier"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** 0 tenant · 1 container · 4 user · 6 customer */
  owner: number
  ownerId: string
  from: string | null
  to: string | null
  /** 1 Monday … 7 Sunday. Without weekdays and holidays it holds on every day. */
  weekdays: number[]
  /** Whether it also holds on holidays of the clock of the user, else of the container, else of the tenant. */
  holidays: boolean
  startTime: unknown
  endTime: unknown
  /** A decimal with at most four places. In requests a number, too. */
  bill?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  cost?: string | null | undefined
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** Why a budget changes. A change with a reason that `requiresApproval` counts after somebody else has approved it. */
export interface BudgetReason {
  entity: "BudgetReason"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  code: string
  name: string
  description: string
  /** A code or its name: 0 `initial` · 1 `changeRequest` · 2 `overrun` · 3 `writeOff` · 4 `transfer` · 5 `correction`. */
  kind: number
  requiresApproval: boolean
  active: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** Something that is sold: a service, a product, a support plan or a licence. The entry of `price` and `cost` that began last is in force. */
export interface Sku {
  entity: "Sku"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  code: string
  name: string
  description: string
  /** A code or its name: 0 `service` · 1 `product` · 2 `supportPlan` · 3 `licence`. */
  kind: number
  unit: string
  price: { from: string; amount?: string | undefined; currency?: string | undefined }[]
  cost?: { from: string; amount?: string | undefined; currency?: string | undefined }[] | undefined
  taxCode: string
  /** The working time that a support plan includes. */
  includedMinutes: number
  /** The service level of a support plan: new items of customers with a contract for it get this clock before any other. */
  clockId: string
  active: boolean
  validFrom: string | null
  validTo: string | null
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** A document: `context` lists the records it belongs to, `restrictedTo` the user groups that may read it (if empty, whoever sees one of the records). Its text is under `/api/docs/content/{docId}`. */
export interface Document {
  entity: "Document"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a Folder. */
  folderId: string
  name: string
  author: string
  context: { owner?: number | undefined; ownerId?: string | undefined }[]
  restrictedTo: string[]
  /** 0 draft: for its author and those who may write documents · 1 internal: for staff · 2 public: for requesters, too. `restrictedTo` and `context` apply in every state. */
  state: number
  /** Assistants may read it; otherwise it does not exist for them. */
  aiAccess: boolean
  archived: boolean
  /** Others are made of it, by `POST /docs/doc/{id}/copy`. */
  template: boolean
}

/** The text of a document. It has the id of its document and is visible to whoever sees the document. */
export interface DocumentContent {
  entity: "DocumentContent"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  body: string
  format: string
  /** The document; the same as `id`. */
  docId: string
}

export interface DocumentVersion {
  /** The first version of the content that belongs to it, and its name. */
  version: number
  /** The last version of the content that belongs to it, whose text it has. */
  lastVersion: number
  savedBy: string
  /** The first save. */
  begun: string
  /** The last save. */
  saved: string
  /** The version that was restored. */
  restoredFrom: number | null
  format: string
  /** The bytes of the text. */
  size: number
}

export interface DocumentVersionText {
  /** The first version of the content that belongs to it, and its name. */
  version: number
  /** The last version of the content that belongs to it, whose text it has. */
  lastVersion: number
  savedBy: string
  /** The first save. */
  begun: string
  /** The last save. */
  saved: string
  /** The version that was restored. */
  restoredFrom: number | null
  format: string
  /** The bytes of the text. */
  size: number
  body: string
}

export interface DocumentDiff {
  from: number
  to: number
  /** False if the texts differ too much to compare in time: then everything between the equal beginning and end counts as changed. */
  exact: boolean
  hunks: { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] }[]
}

export interface DocumentLink {
  /** As the text names it. */
  target: string
  entity: "Item" | "Document"
  id?: string | undefined
  /** The present key of the item. */
  key?: string | undefined
  /** The title of the item. */
  title?: string | undefined
  /** The name of the document. */
  name?: string | undefined
}

/** A folder in a tree of documents. `restrictedTo` applies to everything below the folder; a folder can narrow the restriction of its ancestors, but not widen it. */
export interface Folder {
  entity: "Folder"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** The id of a Folder. */
  parentId: string
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  restrictedTo: string[]
}

/** A file that belongs to an item, a document, a container or another record, and is visible to whoever sees that record. Files of the tenant itself are visible to its staff. */
export interface File {
  entity: "File"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** Bytes. */
  size: number
  /** The media type by content, regardless of what the sender declared. */
  mime: string
  sha256: string
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  /** 0 uploading · 1 scanning · 2 ready · 3 quarantined. */
  state: number
  description: string
  /** The storage where the bytes are; null is the disk of the service. */
  storageId: string | null
}

export interface FileUpload {
  /** Also the id of the file, when the upload is finished. */
  id: string
  /** The bytes that are stored. */
  offset: number
  /** The bytes of the whole upload. */
  length: number
  /** Whether the file exists. */
  finished: boolean
  /** When it is forgotten unless it goes on. */
  expiresAt: string
}

export interface StorageUsage {
  /** Null is the disk of the service. */
  storageId: string | null
  name: string
  /** The records of files. */
  files: number
  /** The stored mails. */
  mails: number
  /** The different contents of both. */
  objects: number
  /** The bytes of these contents. */
  bytes: number
}

/** A place for the bytes of files: the disk of the service, or a bucket of a store that speaks S3. `secretKey` is write-only; `***` in an update keeps it. */
export interface OutboundStorage {
  entity: "OutboundStorage"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** 0 the disk of the service · 1 a store that speaks S3. */
  kind: number
  /** The address of the store, without bucket and path. */
  endpoint: string
  /** The region that requests are signed for; empty is us-east-1, which stores without regions accept. */
  region: string
  bucket: string
  /** What the keys of all objects begin with: `<prefix>/<tenant>/<aa>/<bb>/<sha256>`. */
  prefix: string
  accessKey: string
  /** A secret: `***` if there is one, else empty. A request with `***` keeps it. */
  secretKey: string
  /** 0 as the bucket has it · 1 the store is asked to encrypt each object (AES256). */
  encryption: number
  /** Whether new bytes are written there. Those that are there are read in any case. */
  active: boolean
  /** New files of the tenant go there. One storage at most. */
  default: boolean
  /** How the store answered last. */
  health: { lastOk: string | null; lastError: string; failedAt: string | null }
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** The move of all files of a tenant to one storage: each is copied, read back and compared by its hash before the copy takes its place; what was there before is deleted a week later. */
export interface StorageMigration {
  entity: "StorageMigration"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The storage that everything is moved to. */
  storageId: string
  /** 0 running · 1 done · 2 stopped by a wrong checksum · 3 cancelled. */
  state: number
  /** The hash up to which everything was moved. Hashes are moved in their order. */
  checkpoint: string
  /** How many files were moved; equal ones count once. */
  files: number
  /** How many bytes they have. */
  bytes: number
  /** Why it waits or was stopped. */
  error: string
  finishedAt: string | null
}

/** Divides the time of the members of `userGroups` into periods, each with a timesheet, and says who approves them. If several calendars name groups of a user, the one with the lowest `order` counts. */
export interface TimeCalendar {
  entity: "TimeCalendar"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  userGroups: string[]
  order: number
  /** 0 week · 1 month · 2 half month · 3 custom. */
  kind: number
  /** 1 Monday … 7 Sunday. */
  weekStart: number
  /** The first days of custom periods; the last one ends the period before it and begins none. */
  dates: string[]
  from: string | null
  /** How many days after the end of a period users may still change their own time; null is no limit. */
  graceDays: number | null
  /** 0 none · 1 by person · 2 by project · 3 both. */
  approval: number
  /** The group whose members approve by person, beside the manager. */
  approverGroupId: string
  /** Whether approvers may approve their own sheets. */
  selfApproval: boolean
  /** How many days after the end of a period users are reminded of a sheet that is not submitted. */
  remindAfterDays: number[]
  /** Whether sheets are submitted when the grace days are over. */
  autoSubmit: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** The time of a user in one period of their calendar, which is submitted, approved and locked as a whole. The service makes it when it is needed; the sheets of a user never overlap. */
export interface Timesheet {
  entity: "Timesheet"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a User. */
  userId: string
  /** The id of a TimeCalendar. */
  calendarId: string
  from: string | null
  to: string | null
  /** 0 open · 1 submitted · 2 approved · 3 rejected · 4 locked. */
  state: number
  /** How the sheet is approved, as its calendar said when it was submitted. */
  approval: number
  parts: { containerId?: string | undefined; state?: number | undefined; by?: string | undefined; onBehalfOf?: string | undefined; at?: string | null | undefined; comment?: string | undefined }[]
  submittedAt: string | null
  /** The id of a User. */
  submittedBy: string
  /** How many times the user was reminded. */
  reminded: number
}

export interface TimesheetOutcome {
  id: string
  outcome: "updated" | "failed"
  status: number
  /** A code or its name: 0 `open` · 1 `submitted` · 2 `approved` · 3 `rejected` · 4 `locked`. */
  state?: number | undefined
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

/** From `from` to `to`, the user `toUserId` may approve the timesheets that `fromUserId` may approve, but never those of either of them. */
export interface TimeDelegation {
  entity: "TimeDelegation"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The approver who is represented; by default the caller. */
  fromUserId: string
  /** The id of a User. */
  toUserId: string
  from: string | null
  to: string | null
  note: string
}

/** The last day on which time is closed for everybody, and why; `until` null closes nothing. */
export interface TimeClosing {
  entity: "TimeClosing"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  until: string | null
  reason: string
}

/** Time that a user spent on an item or on a non-billable code. `date` is the day in the user’s time zone. */
export interface Time {
  entity: "Time"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a User. */
  userId: string
  /** The id of an Item. */
  itemId: string
  /** The id of a NonBillable. */
  nonBillable: string
  /** The id of a Container. */
  containerId: string
  date: string | null
  start: string | null
  end: string | null
  /** The length in whole seconds. */
  seconds: number
  /** The length in minutes, rounded. */
  minutes: number
  note: string
  /** A code or its name: 0 `no` · 1 `yes` · 2 `asContainer`. */
  billable: number
  /** A code or its name: 0 `draft` · 1 `logged` · 2 `submitted` · 3 `approved` · 4 `rejected` · 5 `invoiced` · 6 `locked`. */
  state: number
  externalId: string
  timezone: unknown
  /** A code or its name: 0 `ui` · 1 `api` · 8 `timer` · 9 `grid` · 10 `correction`. */
  source: number
  /** The id of a Crm. */
  crmId: string
  /** The id of a JobRole. */
  jobRoleId: string
  /** The id of a Sku. */
  skuId: string
  /** The id of a BudgetReason. */
  budgetReasonId: string
  /** What the customer pays for an hour. A value in a request is for this entry only and needs `rate.override`; null lets the rates decide. */
  billRate?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  costRate?: string | null | undefined
  currency: string
  /** A decimal with at most four places. In requests a number, too. */
  billAmount?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  costAmount?: string | null | undefined
  /** Where `billRate` comes from: entry, item, containerUser, containerJobRole, container, crmUser, crmJobRole, crm, user, jobRole, tenant, none (not billable) or missing. */
  rateSource: string
  costSource: string
  /** The factor that `billRate` contains, by the multiplier `multiplierId`. */
  multiplier?: string | undefined
  /** The id of a Multiplier. */
  multiplierId?: string | undefined
  /** The factor that `costRate` contains, by the multiplier `costMultiplierId`. */
  costMultiplier?: string | undefined
  /** The id of a Multiplier. */
  costMultiplierId?: string | undefined
  /** The first entry of the chain of corrections that this one belongs to. */
  correctsId: string
  /** The entry that this counter-entry takes back. */
  reversesId: string
  /** The day of the work, by which it is priced and billed; for a correction that of the corrected entry. */
  effectiveDate: string | null
  /** The invoice that bills the entry, from its draft on. */
  invoiceId?: string | undefined
  /** What an issued invoice bills of the entry, rounded by the policy of its unit. */
  billedSeconds?: number | null | undefined
  /** The cost centre, if there is one only. A value in a request is for this entry; an empty one lets container and user decide. */
  costCenterId?: string | undefined
  /** Where the cost centre comes from: entry, container or user; empty without one. */
  costCenterSource?: string | undefined
  shares?: { costCenterId?: string | undefined; percent?: string | undefined }[] | undefined
  /** The timesheet of its user and day; empty if there is none. */
  sheetId: string
  /** Whether nobody can change it any more: it is approved, invoiced, locked or on a closed day. */
  locked: boolean
}

export interface CorrectionEntries {
  entries: Time[]
}

export interface BulkTimeOutcome {
  index: number
  externalId: string
  id?: string | undefined
  outcome: "created" | "failed"
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
  warnings?: string[] | undefined
}

export interface BulkTimeChange {
  id: string
  outcome: "updated" | "unchanged" | "failed"
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
  warnings?: string[] | undefined
}

export interface BulkTimeDeletion {
  id: string
  outcome: "deleted" | "failed"
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
  warnings?: string[] | undefined
}

/** Time that a user spent on an item or on a non-billable code. `date` is the day in the user’s time zone. */
export interface TimeOrEntries {
  entity?: "Time" | undefined
  tenantId?: string | undefined
  id?: string | undefined
  created?: string | undefined
  createdBy?: string | undefined
  updated?: string | undefined
  updatedBy?: string | undefined
  deleted?: boolean | undefined
  /** Counts the changes; the ETag is "v" and this number. */
  version?: number | undefined
  /** The id of a User. */
  userId?: string | undefined
  /** The id of an Item. */
  itemId?: string | undefined
  /** The id of a NonBillable. */
  nonBillable?: string | undefined
  /** The id of a Container. */
  containerId?: string | undefined
  date?: string | null | undefined
  start?: string | null | undefined
  end?: string | null | undefined
  /** The length in whole seconds. */
  seconds?: number | undefined
  /** The length in minutes, rounded. */
  minutes?: number | undefined
  note?: string | undefined
  /** A code or its name: 0 `no` · 1 `yes` · 2 `asContainer`. */
  billable?: number | undefined
  /** A code or its name: 0 `draft` · 1 `logged` · 2 `submitted` · 3 `approved` · 4 `rejected` · 5 `invoiced` · 6 `locked`. */
  state?: number | undefined
  externalId?: string | undefined
  timezone?: unknown
  /** A code or its name: 0 `ui` · 1 `api` · 8 `timer` · 9 `grid` · 10 `correction`. */
  source?: number | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  /** The id of a JobRole. */
  jobRoleId?: string | undefined
  /** The id of a Sku. */
  skuId?: string | undefined
  /** The id of a BudgetReason. */
  budgetReasonId?: string | undefined
  /** What the customer pays for an hour. A value in a request is for this entry only and needs `rate.override`; null lets the rates decide. */
  billRate?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  costRate?: string | null | undefined
  currency?: string | undefined
  /** A decimal with at most four places. In requests a number, too. */
  billAmount?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  costAmount?: string | null | undefined
  /** Where `billRate` comes from: entry, item, containerUser, containerJobRole, container, crmUser, crmJobRole, crm, user, jobRole, tenant, none (not billable) or missing. */
  rateSource?: string | undefined
  costSource?: string | undefined
  /** The factor that `billRate` contains, by the multiplier `multiplierId`. */
  multiplier?: string | undefined
  /** The id of a Multiplier. */
  multiplierId?: string | undefined
  /** The factor that `costRate` contains, by the multiplier `costMultiplierId`. */
  costMultiplier?: string | undefined
  /** The id of a Multiplier. */
  costMultiplierId?: string | undefined
  /** The first entry of the chain of corrections that this one belongs to. */
  correctsId?: string | undefined
  /** The entry that this counter-entry takes back. */
  reversesId?: string | undefined
  /** The day of the work, by which it is priced and billed; for a correction that of the corrected entry. */
  effectiveDate?: string | null | undefined
  /** The invoice that bills the entry, from its draft on. */
  invoiceId?: string | undefined
  /** What an issued invoice bills of the entry, rounded by the policy of its unit. */
  billedSeconds?: number | null | undefined
  /** The cost centre, if there is one only. A value in a request is for this entry; an empty one lets container and user decide. */
  costCenterId?: string | undefined
  /** Where the cost centre comes from: entry, container or user; empty without one. */
  costCenterSource?: string | undefined
  shares?: { costCenterId?: string | undefined; percent?: string | undefined }[] | undefined
  /** The timesheet of its user and day; empty if there is none. */
  sheetId?: string | undefined
  /** Whether nobody can change it any more: it is approved, invoiced, locked or on a closed day. */
  locked?: boolean | undefined
  /** What is unusual about the entry, such as an end on another day; present if there is something. */
  warnings?: string[] | undefined
  entries?: Time[] | undefined
}

/** The running timer of a user, who has one at most. Stopping it books the time since `startedAt`, on each local day for itself. `stoppedAt` is set if the time could not be booked when the timer was stopped: it does not grow any more, and can be stopped again. `overdue`: it has run for longer than `time.timerWarnAfter`. */
export interface Timer {
  entity: "Timer"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a User. */
  userId: string
  /** The id of an Item. */
  itemId: string
  /** The id of a NonBillable. */
  nonBillable: string
  note: string
  /** A code or its name: 0 `no` · 1 `yes` · 2 `asContainer`. */
  billable: number
  startedAt: string | null
  stoppedAt: string | null
  overdue: boolean
}

export interface Repriced {
  changed: number
  unchanged: number
  /** Entries that keep their rates, by reason. An entry with a price of its own keeps that only. */
  skipped: { submitted?: number | undefined; approved?: number | undefined; invoiced?: number | undefined; locked?: number | undefined; closed?: number | undefined; corrected?: number | undefined; ownPrice?: number | undefined }
  /** The sums of the open entries, by currency; absent if only costs were asked for. */
  bill?: { currency: string; before: string; after: string }[] | undefined
  /** The same for costs, which are in the currency of the tenant. */
  cost?: { currency: string; before: string; after: string }[] | undefined
}

export interface TimeWeek {
  userId: string
  from: string
  to: string
  days: { date: string; capacitySeconds: number; holiday: string | null; leaveSeconds: number; closed: boolean; totalSeconds: number; correctionSeconds: number }[]
  /** The timesheet of the day that was asked for, if there is one; see `GET /api/time/sheet/{id}`. */
  sheet: Record<string, unknown> | null
  /** The running timer of the caller, in their own week; see `GET /api/time/timer`. */
  timer: Record<string, unknown> | null
  rows: { key: string; itemId: string; nonBillable: string; billable: number; containerId: string; label: string; origin: "entries" | "plan" | "pinned" | "recent" | "touched"; plannedSeconds: number[]; cells: { seconds: number; entries: string[]; editable: boolean }[] }[]
}

/** A container of items: a project, a service desk or a product. `fields` are the fields of its processes, in display order. */
export interface Container {
  entity: "Container"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  key: string
  name: string
  description: string
  /** A code or its name: 0 `project` · 1 `desk` · 2 `product` · 3 `internal`. */
  kind: number
  processIds: string[]
  /** The id of a Process. */
  defaultProcessId: string
  fields?: { fieldId: string; order?: number | undefined; required?: boolean | undefined }[] | undefined
  /** The id of a Clock. */
  clockId?: string | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  costCenter?: string | undefined
  split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | undefined
  billable?: boolean | undefined
  private?: boolean | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** A code or its name: 0 `onTrack` · 1 `atRisk` · 2 `offTrack`. */
  health?: number | undefined
  healthNote?: string | undefined
  budget?: { minutes?: number | undefined; amount?: number | undefined; currency?: string | undefined; resetPeriod?: number | undefined; alertAt?: number[] | undefined } | undefined
  /** How time is rounded when it is billed. Empty: as the customer, else as the setting `billing.rounding` says. */
  rounding?: { mode?: number | undefined; stepSeconds?: number | undefined; minimumSeconds?: number | undefined; per?: number | undefined; quantityDecimals?: number | undefined } | undefined
  /** An archived container is read-only: its items can be read and found, but not changed. */
  archived: boolean
  /** Only service desks (`kind` 1) have a portal. A container that is created as one, or becomes one, without `portal` has it enabled for requesters. */
  portal: { enabled?: boolean | undefined; visitors?: boolean | undefined; types?: string[] | undefined }
  /** Marks the container as a template, which is meant to be copied. */
  template?: boolean | undefined
  /** The id of a Container. */
  templateOf?: string | undefined
}

export interface ContainerMember {
  /** The id of the grant (AccessControl) that gives the role. */
  id: string
  userId: string
  userGroupId: string
  name: string
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  role: number
  expiresAt: string | null
}

/** A saved query for the items of a container. If `criteria.container` names other containers, it searches those instead. */
export interface ContainerFilter {
  entity: "ContainerFilter"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a Container. */
  containerId: string
  name: string
  active: boolean
  criteria: { container?: string[] | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; includeClosed?: boolean | undefined; sortField?: string | undefined; sortDescending?: boolean | undefined }
  columns: string[]
  groupBy: string
  /** A code or its name: 0 `list` · 1 `board` · 2 `gantt` · 3 `calendar` · 4 `chart`. */
  layout: number
  /** The owner of a personal filter; empty if everybody who sees the container may use it. */
  ownerUserId: string
  /** The users and groups with whom its owner shares it. */
  shared: string[]
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** A part of its owner: a component of a product, a location or a section. The areas of one owner form trees. */
export interface Area {
  entity: "Area"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  /** The id of an Area. */
  parentId: string
  archived: boolean
  sequence: number
  /** The id of a User. */
  leadUserId: string
  /** The assignee of new items in this area, and in the areas below it, for which the request names none. */
  defaultAssignee: string
  /** The id of a Clock. */
  clockId: string
  color: string
  /** The names of the areas above this one, starting at the root: `Europe / Germany`. */
  path: string
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** Shows items as cards in columns: those of `containerIds`, or of the container that owns the board, which fulfil `criteria`. `columnField` is the field whose values are the columns. Without `columns`, the columns are the states of the workflow or the options of the field. */
export interface Board {
  entity: "Board"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  containerIds: string[]
  criteria: { conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined }
  columnField: string
  columns: { id?: string | undefined; name?: string | undefined; values?: string[] | undefined; wip?: number | undefined; wipMode?: number | undefined; wipPolicy?: number | undefined; collapsed?: boolean | undefined }[]
  swimlaneField: string
  cardFields: string[]
  quickFilters: { id?: string | undefined; name?: string | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined }[]
  /** A code or its name: 0 `container`. */
  rankScope: number
  /** A code or its name: 0 `rank` · 1 `field`. */
  sortMode: number
  sortField: string
  sortDescending: boolean
  estimateField: string
  clockLight: boolean
  includeClosedDays: number
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** A period of a container or a group, with a goal and the items that are planned for it. The cycles of one owner do not overlap, unless one is `parallel`. `state` is 0 planned · 1 active · 2 done. */
export interface Cycle {
  entity: "Cycle"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a Container. */
  containerId: string
  /** The id of a UserGroup. */
  userGroupId: string
  number: number
  name: string
  goal: string
  startDate: string | null
  endDate: string | null
  /** A code or its name: 0 `planned` · 1 `active` · 2 `done`. */
  state: number
  startedAt: string | null
  completedAt: string | null
  capacityMinutes: number
  committed: { count?: number | undefined; points?: number | undefined; minutes?: number | undefined }
  completed: { count?: number | undefined; points?: number | undefined; minutes?: number | undefined }
  retro: string
  /** A code or its name: 0 `next` · 1 `backlog` · 2 `ask`. */
  rollover: number
  autoCreate: { lengthDays?: number | undefined; cooldownDays?: number | undefined; count?: number | undefined }
  parallel: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** A custom property that a tenant adds to its records. Conditions and imports refer to it by its `key`, which never changes. */
export interface Field {
  entity: "Field"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  key: string
  /** One of text, longText, number, money, boolean, date, dateTime, time, select, multiSelect, user, userGroup, item, crm, sku, url, file, formula, rollup, cascade, json. */
  fieldType: string
  allowDay: boolean
  allowHour: boolean
  allowMinute: boolean
  defaultValue: string
  name: string
  prompt: string
  description: string
  isCore: boolean
  isFeature: boolean
  featureName: string
  placement: number[]
  usage: number[]
  listEditable: boolean
  options: { id?: string | undefined; label: string; color?: string | undefined; order?: number | undefined; active?: boolean | undefined; parentId?: string | undefined }[]
  min: number | null
  max: number | null
  pattern: string
  /** No two items have the same value. */
  unique: boolean
  /** Whether an item holds a list of values. For fields of records, codes and addresses. */
  multiple: boolean
  /** For money: the only accepted currency; empty accepts every currency. */
  currency: string
  precision: number | null
  formula: string
  rollup: { source?: string | undefined; field?: string | undefined; function?: string | undefined }
  help: string
  /** Whether conditions and lists use an index to find its values. */
  indexed: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** The outcome of the conversion of the values, if the type of the field changed. */
export interface Conversion {
  values: number
  converted: number
  lost: number
  samples: { itemId?: string | undefined; key?: string | undefined; value?: unknown }[]
}

/** A custom property that a tenant adds to its records. Conditions and imports refer to it by its `key`, which never changes. */
export interface ChangedField {
  entity: "Field"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  key: string
  /** One of text, longText, number, money, boolean, date, dateTime, time, select, multiSelect, user, userGroup, item, crm, sku, url, file, formula, rollup, cascade, json. */
  fieldType: string
  allowDay: boolean
  allowHour: boolean
  allowMinute: boolean
  defaultValue: string
  name: string
  prompt: string
  description: string
  isCore: boolean
  isFeature: boolean
  featureName: string
  placement: number[]
  usage: number[]
  listEditable: boolean
  options: { id?: string | undefined; label: string; color?: string | undefined; order?: number | undefined; active?: boolean | undefined; parentId?: string | undefined }[]
  min: number | null
  max: number | null
  pattern: string
  /** No two items have the same value. */
  unique: boolean
  /** Whether an item holds a list of values. For fields of records, codes and addresses. */
  multiple: boolean
  /** For money: the only accepted currency; empty accepts every currency. */
  currency: string
  precision: number | null
  formula: string
  rollup: { source?: string | undefined; field?: string | undefined; function?: string | undefined }
  help: string
  /** Whether conditions and lists use an index to find its values. */
  indexed: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
  conversion?: Conversion | undefined
}

/** A label for items, of the tenant or of one container. Items store the ids of their labels (`labels`) and show the current names (`Tags`), so a new name is visible everywhere at once. */
export interface Label {
  entity: "Label"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  color: string
  description: string
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  /** The name of a group of labels, such as `severity`. */
  group: string
  /** Whether an item can have only one label of this group. */
  exclusive: boolean
  aliases: string[]
  active: boolean
  /** The number of items with this label. Deleted items count until they are purged. */
  usageCount: number
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** How the fields of an item are laid out for a moment: 0 all · 1 create · 2 edit · 3 view · 4 transition (to the step `stepId`) · 5 portal · 6 quick add. A screen can be restricted to a container, a process and groups; the most specific screen is used. Fields that no screen shows can still be written, except by requesters, who fill in the screen for the portal of a service desk. */
export interface Screen {
  entity: "Screen"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** The id of a Process. */
  processId: string
  /** The id of a Container. */
  containerId: string
  /** A code or its name: 0 `all` · 1 `create` · 2 `edit` · 3 `view` · 4 `transition` · 5 `portal` · 6 `quickAdd`. */
  moment: number
  stepId: string
  sections: { title?: string | undefined; columns?: number | undefined; fields?: { fieldId: string; width?: number | undefined; readOnly?: boolean | undefined; required?: boolean | undefined; visibleIf?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined }[] | undefined }[]
  userGroup: string[]
  active: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface ResolvedScreen {
  /** The id of the stored screen; empty for a screen that was generated from the fields. */
  screenId: string
  name: string
  /** A code or its name: 0 `all` · 1 `create` · 2 `edit` · 3 `view` · 4 `transition` · 5 `portal` · 6 `quickAdd`. */
  moment: number
  stepId: string
  containerId: string
  processId: string
  sections: { title: string; columns: number; fields: { fieldId: string; key: string; name: string; fieldType: string; core: boolean; prompt?: string | undefined; options?: { id: string; label: string; color: string; parentId: string }[] | undefined; multiple?: boolean | undefined; width: number; readOnly: boolean; required: boolean; visibleIf: Record<string, unknown>[]; allowed?: unknown[] | undefined }[] }[]
}

export interface RequestType {
  /** What the ticket is created with; empty at a desk without processes. */
  processId: string
  name: string
  description: string
  image: string
  /** Whether a ticket without `processId` is of this type. */
  isDefault: boolean
  screen: ResolvedScreen
}

/** A constraint on items, whoever writes them and however: if `when` holds for an item, each entry of `then` must hold, too. `kind`: 0 required · 1 read-only · 2 hidden · 3 allowed values · 4 pattern or range · 5 unique · 6 limit · 7 no overlap · 8 maximum per period · 9 order of dates · 10 immutable after a state · 11 no time entries later than `value` days after the user’s today. `severity` 0 refuses, 1 warns. */
export interface Constraint {
  entity: "Constraint"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  active: boolean
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  when: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  then: { kind?: number | undefined; field?: string | undefined; value?: unknown }[]
  message: string
  /** A code or its name: 0 `refuse` · 1 `warn`. */
  severity: number
  enforceOn: number[]
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** A reusable text: a canned reply, a mail, a description. Variables such as `{{ item.title }}` are replaced by their values; `variables` lists the paths that the texts use. `kind`: 0 canned reply · 1 notification mail · 2 auto-reply · 3 item description · 4 document · 5 chat · 6 macro · 7 webhook body · 8 invoice or report. */
export interface ContentTemplate {
  entity: "ContentTemplate"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** A code or its name: 0 `cannedReply` · 1 `notificationMail` · 2 `autoReply` · 3 `itemDescription` · 4 `document` · 5 `chat` · 6 `macro` · 7 `webhookBody` · 8 `report`. */
  kind: number
  subject: string
  body: string
  /** One of markdown, html, text. */
  format: string
  /** The texts in other languages: `{"de": {"subject": …, "body": …}}`. An empty text is taken from the template itself. */
  locales: Record<string, { subject?: string | undefined; body?: string | undefined }>
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  userGroup: string[]
  shortcut: string
  variables: string[]
  actions: { actionType?: number | undefined; field?: string | undefined; value?: unknown; id?: string | undefined; active?: boolean | undefined }[]
  active: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** With `include=can`: what the rights of the caller and the state of the item allow. A single value can still be refused, by the workflow for example. */
export interface ItemCan {
  update: boolean
  delete: boolean
  /** Whether it can be moved to another container. */
  move: boolean
  comment: boolean
  /** Whether the caller can book time on it. */
  log: boolean
}

/** A piece of work: a task, a ticket, a bug. It belongs to a container, which gives it a number and a key. */
export interface ListedItem {
  entity: "Item"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  number?: number | undefined
  key?: string | undefined
  /** The id of a Container. */
  containerId?: string | undefined
  /** The id of an Area. */
  areaId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  title?: string | undefined
  description?: string | undefined
  status?: string | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | undefined
  resolution?: string | undefined
  assignees?: string[] | undefined
  /** The id of a User. */
  requesterId?: string | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  /** The id of an Item. */
  parentId?: string | undefined
  /** The id of a Cycle. */
  cycleId?: string | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | undefined
  remainingMinutes?: number | undefined
  points?: number | undefined
  progress?: number | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | undefined
  restrictedTo?: string[] | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | undefined
  labels?: string[] | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | undefined
  rank?: string | undefined
  /** The checked entries of its checklist. */
  checklistDone?: number | undefined
  /** All entries of its checklist. */
  checklistTotal?: number | undefined
  closedAt?: string | null | undefined
  resolvedAt?: string | null | undefined
  /** The id of an Item. */
  mergedInto?: string | undefined
  /** The names of the labels. */
  Tags?: string[] | undefined
  Field?: { fieldId: string; key: string; value: unknown }[] | undefined
  spentMinutes?: number | undefined
  /** With `include=clock`: how each promise stood when something last happened to it; `GET /item/:id/clock` counts to this moment. Requesters get `kind`, `cycle`, `state`, `dueAt`, `metAt` and `breachedAt`, and no targets of the kinds 5 and 6. */
  clock?: { clockId?: string | undefined; targetId?: string | undefined; kind: number; cycle: number; state: number; startedAt?: string | null | undefined; amberAt?: string | null | undefined; redAt?: string | null | undefined; dueAt: string | null; pausedSince?: string | null | undefined; metAt?: string | null | undefined; breachedAt?: string | null | undefined }[] | undefined
  can?: ItemCan | undefined
  /** With `include=subItems`: the items whose parent it is and that the caller sees, without archived ones, and how many of them are closed. */
  subItems?: { all: number; done: number } | undefined
}

/** A piece of work: a task, a ticket, a bug. It belongs to a container, which gives it a number and a key. */
export interface ItemWithTime {
  entity: "Item"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  number?: number | undefined
  key?: string | undefined
  /** The id of a Container. */
  containerId?: string | undefined
  /** The id of an Area. */
  areaId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  title?: string | undefined
  description?: string | undefined
  status?: string | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | undefined
  resolution?: string | undefined
  assignees?: string[] | undefined
  /** The id of a User. */
  requesterId?: string | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  /** The id of an Item. */
  parentId?: string | undefined
  /** The id of a Cycle. */
  cycleId?: string | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | undefined
  remainingMinutes?: number | undefined
  points?: number | undefined
  progress?: number | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | undefined
  restrictedTo?: string[] | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | undefined
  labels?: string[] | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | undefined
  rank?: string | undefined
  /** The checked entries of its checklist. */
  checklistDone?: number | undefined
  /** All entries of its checklist. */
  checklistTotal?: number | undefined
  closedAt?: string | null | undefined
  resolvedAt?: string | null | undefined
  /** The id of an Item. */
  mergedInto?: string | undefined
  /** The names of the labels. */
  Tags?: string[] | undefined
  Field?: { fieldId: string; key: string; value: unknown }[] | undefined
  spentMinutes?: number | undefined
  /** The time entries of the item that the caller may see. */
  Time?: Time[] | undefined
  /** Parts of the body that were stored but have no effect. */
  warnings?: string[] | undefined
  similar?: SimilarItem[] | undefined
  /** The description as sanitised HTML, with `render=html`. */
  descriptionHtml?: string | undefined
}

export interface Transition {
  /** The field that would change: `status` or the id of a custom field. */
  fieldId: string
  from: string
  to: string
  /** The workflow entry of the transition; empty if the workflow does not restrict it. */
  stepId: string
  name: string
  color: string
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  category: number
  screenId: string
  allowed: boolean
  reasons: { code: "no-way" | "group" | "guard" | "required"; message: string; groups?: string[] | undefined; fields?: string[] | undefined }[]
}

export interface LinkGroup {
  /** The id of the type. */
  type: string
  /** The name of the type from this end. */
  name: string
  /** A code or its name: 0 `relates` · 1 `blocks` · 2 `precedes` · 3 `duplicates` · 4 `parent` · 5 `causes` · 6 `clones` · 7 `custom`. */
  behaviour: number
  direction: "out" | "in" | "both"
  links: { id: string; note: string; lagDays: number; dependency: number; restricted: boolean; item: { entity?: "Item" | undefined; id?: string | undefined; key?: string | undefined; title?: string | undefined; status?: string | undefined; statusCategory?: number | undefined; startDate?: string | null | undefined; dueDate?: string | null | undefined } | null; external: Record<string, unknown> | null }[]
}

export interface OwnWatch {
  watching: boolean
  id: string
  /** A code or its name: 0 `all` · 1 `comments` · 2 `status` · 3 `muted`. */
  level: number
  /** A code or its name: 0 `manual` · 1 `author` · 2 `assignee` · 3 `mentioned` · 4 `commented` · 5 `rule` · 6 `group` · 7 `cc`. */
  reason: number
  until: string | null
}

/** A step of the checklist of an item, which staff who see the item see. */
export interface ChecklistEntry {
  entity: "ChecklistEntry"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of an Item. */
  itemId: string
  text: string
  /** The place in the checklist; a new entry is the last one. */
  sequence: number
  /** Who does it. */
  assigneeId: string
  checked: boolean
  /** The id of a User. */
  checkedBy: string
  checkedAt: string | null
  /** The item that the entry has become. */
  becameId: string
}

/** A piece of work: a task, a ticket, a bug. It belongs to a container, which gives it a number and a key. */
export interface OpenedItem {
  entity: "Item"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  number?: number | undefined
  key?: string | undefined
  /** The id of a Container. */
  containerId?: string | undefined
  /** The id of an Area. */
  areaId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  title?: string | undefined
  description?: string | undefined
  status?: string | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | undefined
  resolution?: string | undefined
  assignees?: string[] | undefined
  /** The id of a User. */
  requesterId?: string | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  /** The id of an Item. */
  parentId?: string | undefined
  /** The id of a Cycle. */
  cycleId?: string | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | undefined
  remainingMinutes?: number | undefined
  points?: number | undefined
  progress?: number | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | undefined
  restrictedTo?: string[] | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | undefined
  labels?: string[] | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | undefined
  rank?: string | undefined
  /** The checked entries of its checklist. */
  checklistDone?: number | undefined
  /** All entries of its checklist. */
  checklistTotal?: number | undefined
  closedAt?: string | null | undefined
  resolvedAt?: string | null | undefined
  /** The id of an Item. */
  mergedInto?: string | undefined
  /** The names of the labels. */
  Tags?: string[] | undefined
  Field?: { fieldId: string; key: string; value: unknown }[] | undefined
  spentMinutes?: number | undefined
  /** The time entries of the item that the caller may see. */
  Time?: Time[] | undefined
  /** Parts of the body that were stored but have no effect. */
  warnings?: string[] | undefined
  similar?: SimilarItem[] | undefined
  /** The description as sanitised HTML, with `render=html`. */
  descriptionHtml?: string | undefined
  screen?: ResolvedScreen | undefined
  transitions?: Transition[] | undefined
  links?: LinkGroup[] | undefined
  watch?: OwnWatch | undefined
  checklist?: ChecklistEntry[] | undefined
  children?: ListedItem[] | undefined
  childrenNext?: string | null | undefined
  files?: File[] | undefined
  filesNext?: string | null | undefined
  /** With `include=clock`: how each promise stood when something last happened to it; `GET /item/:id/clock` counts to this moment. Requesters get `kind`, `cycle`, `state`, `dueAt`, `metAt` and `breachedAt`, and no targets of the kinds 5 and 6. */
  clock?: { clockId?: string | undefined; targetId?: string | undefined; kind: number; cycle: number; state: number; startedAt?: string | null | undefined; amberAt?: string | null | undefined; redAt?: string | null | undefined; dueAt: string | null; pausedSince?: string | null | undefined; metAt?: string | null | undefined; breachedAt?: string | null | undefined }[] | undefined
  can?: ItemCan | undefined
  /** With `include=subItems`: the items whose parent it is and that the caller sees, without archived ones, and how many of them are closed. */
  subItems?: { all: number; done: number } | undefined
}

/** A piece of work: a task, a ticket, a bug. It belongs to a container, which gives it a number and a key. */
export interface Item {
  entity: "Item"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  number?: number | undefined
  key?: string | undefined
  /** The id of a Container. */
  containerId?: string | undefined
  /** The id of an Area. */
  areaId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  title?: string | undefined
  description?: string | undefined
  status?: string | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | undefined
  resolution?: string | undefined
  assignees?: string[] | undefined
  /** The id of a User. */
  requesterId?: string | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  /** The id of an Item. */
  parentId?: string | undefined
  /** The id of a Cycle. */
  cycleId?: string | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | undefined
  remainingMinutes?: number | undefined
  points?: number | undefined
  progress?: number | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | undefined
  restrictedTo?: string[] | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | undefined
  labels?: string[] | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | undefined
  rank?: string | undefined
  /** The checked entries of its checklist. */
  checklistDone?: number | undefined
  /** All entries of its checklist. */
  checklistTotal?: number | undefined
  closedAt?: string | null | undefined
  resolvedAt?: string | null | undefined
  /** The id of an Item. */
  mergedInto?: string | undefined
  /** The names of the labels. */
  Tags?: string[] | undefined
  Field?: { fieldId: string; key: string; value: unknown }[] | undefined
  spentMinutes?: number | undefined
}

export interface BrokenGlass {
  /** The id of the grant on the item, which expires. */
  accessControlId: string
  expiresAt: string
  reason: string
}

/** A type of links between items, with a name for each direction. A new tenant has the common types. */
export interface LinkType {
  entity: "LinkType"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  /** The name from the other end, such as `blocked by`; `name` if empty. */
  inverseName: string
  description: string
  /** 0 relates, which has no direction · 1 blocks · 2 precedes, which moves the dates of the later item · 3 duplicates · 5 causes · 6 clones · 7 custom. Links of 1 and 2 must not form circles. */
  behaviour: number
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** A link from one item to another, or to an address outside (`external`). It is stored once and shown at both items, to callers who see both. */
export interface Link {
  entity: "Link"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of an Item. */
  fromId: string
  /** The other item; empty for a link to `external`. */
  toId: string
  /** The id or the name of a type; by default `relates`. */
  type: string
  /** The behaviour of the type. */
  behaviour: number
  note: string
  /** For links that precede: the number of working days between the two items. */
  lagDays: number
  /** For links that precede: 0 the end of the first item lets the other begin · 1 its start does · 2 its end lets the other end · 3 its start does. */
  dependency: number
  external: { url?: unknown; title?: string | undefined; system?: string | undefined; key?: string | undefined }
}

export interface SimilarItem {
  /** From 0 to 1: the weight of the words that both have. */
  score: number
  /** The words that both have, the rarest first. */
  words: string[]
  item: Item
}

export interface BulkChangeOutcome {
  id: string
  key?: string | undefined
  outcome: "updated" | "unchanged" | "failed"
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
  warnings?: string[] | undefined
}

export interface BulkOutcome {
  index: number
  externalId: string | null
  id?: string | undefined
  key?: string | undefined
  outcome: "created" | "updated" | "unchanged" | "failed"
  status: number
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
  warnings?: string[] | undefined
}

export interface DeletedItems {
  items: { id: string; key: string; version: number }[]
}

export interface ItemRecurrence {
  itemId: string
  rule: string
  /** A code or its name: 0 `schedule` · 1 `onClose` · 2 `rolling`. */
  mode: number
  /** The first day. The dates of a copy have the same distance from its day as the item’s dates from this one. */
  day: string
  at: string
  timezone: string
  /** The user who set the recurrence, with whose permissions it runs. */
  ownerId: string
  /** The scopes of the credential that decided what this does; it acts within them. Empty: with all rights of its user. */
  scopes: string[]
  /** The next five times. */
  upcoming: string[]
  lastAt: string | null
  /** How often the item was repeated so far. */
  made: number
  /** Why the last repetition failed. */
  lastError: string
}

export interface UserAssignments {
  total: number
  containers: { containerId: string; name: string; count: number }[]
  items: Item[]
}

export interface Deactivated {
  user: User
  /** The number of reassigned items. */
  reassigned: number
  /** The number of open items that are still assigned to the user. */
  openAssignments: number
}

export interface Group {
  /** The common value; empty for none. */
  value: string
  /** The name of the value. */
  label: string
  count: number
  items: Item[]
}

export interface CountQuery {
  /** A saved filter, of any container; then nothing else is given but `archived`. */
  filterId?: string | undefined
  /** As in `POST /api/item/search`. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** Words, as in `GET /api/search`. */
  q?: string | undefined
  /** The containers to search; all if empty. */
  container?: string[] | undefined
  /** One container, instead of `container`. */
  containerId?: string | undefined
  /** Whether closed items are included; true by default. */
  includeClosed?: boolean | undefined
  /** Show archived records too (`include`), or only them. */
  archived?: "include" | "only" | "true" | "false" | undefined
}

export interface ItemCounts {
  counts: { count: number; exact: boolean }[]
}

export interface ItemDifference {
  /** `added`: it fulfils the question at `to` and did not at `from` (created, restored, moved or changed since); `removed`: the opposite; `changed`: it fulfils it at both moments and has other values. */
  difference: "added" | "removed" | "changed"
  entity: string
  id: string
  key?: string | undefined
  title?: string | undefined
  containerId?: string | undefined
  created: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Before and after of each property that differs, by the names of events (`Field.<id>` for a custom value); empty for an item that did not exist at `from`. */
  changes: Record<string, unknown>
}

export interface ItemComparison {
  from: string
  to: string
  counts: { added: number; removed: number; changed: number }
  items: ItemDifference[]
  /** The cursor of the next page. */
  next: string | null
}

export interface ConstraintTrial {
  /** The number of items that break the constraint, among those that the caller sees. */
  count: number
  /** The first 50 of them. */
  items: { id: string; key: string; title: string; broken: { kind: number; field: string; message: string }[] }[]
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  findings: { path: string; code: string; message: string }[]
}

/** The properties of the item that `fields` or the board selects. */
export interface Card {
  id: string
  key: string
  title: string
  rank: string
  swimlane: string
  /** With `include=clock`: how each promise stood when something last happened to it; `GET /item/:id/clock` counts to this moment. Requesters get `kind`, `cycle`, `state`, `dueAt`, `metAt` and `breachedAt`, and no targets of the kinds 5 and 6. */
  clock?: { clockId?: string | undefined; targetId?: string | undefined; kind: number; cycle: number; state: number; startedAt?: string | null | undefined; amberAt?: string | null | undefined; redAt?: string | null | undefined; dueAt: string | null; pausedSince?: string | null | undefined; metAt?: string | null | undefined; breachedAt?: string | null | undefined }[] | undefined
  can?: ItemCan | undefined
  /** With `include=subItems`: the items whose parent it is and that the caller sees, without archived ones, and how many of them are closed. */
  subItems?: { all: number; done: number } | undefined
}

export interface BoardColumn {
  id: string
  name: string
  values: string[]
  /** The limit; 0 is none. */
  wip?: number | undefined
  /** A code or its name: 0 `cards` · 1 `points` · 2 `minutes`. */
  wipMode?: number | undefined
  /** A code or its name: 0 `warn` · 1 `block`. */
  wipPolicy?: number | undefined
  collapsed?: boolean | undefined
  /** All cards of the column that the caller may see. */
  count: number
  /** The load in the unit of the limit. */
  sum: number
  /** The estimates of all its cards. */
  minutes: number
  over: boolean
  /** The cursor of the next page of this column. */
  next: string | null
  cards: Card[]
}

export interface BoardCards {
  boardId: string
  columnField: string
  swimlaneField: string
  swimlanes: { value: string; name: string; count: number }[]
  columns: BoardColumn[]
}

export interface MovedCard {
  item: Item
  /** With `itemIds`: all items; `item` is the first. */
  items?: Item[] | undefined
  /** The id of the column after the move. */
  column: string
  warnings: string[]
}

export interface MovedItems {
  /** The named items after the change. */
  items: Item[]
  warnings: string[]
}

export interface CycleAmount {
  count?: number | undefined
  points?: number | undefined
  minutes?: number | undefined
}

export interface Velocity {
  average: CycleAmount
  cycles: { id: string; number: number; name: string; completedAt: string; committed: CycleAmount; completed: CycleAmount }[]
}

/** A period of a container or a group, with a goal and the items that are planned for it. The cycles of one owner do not overlap, unless one is `parallel`. `state` is 0 planned · 1 active · 2 done. */
export interface FinishedCycle {
  entity: "Cycle"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a Container. */
  containerId: string
  /** The id of a UserGroup. */
  userGroupId: string
  number: number
  name: string
  goal: string
  startDate: string | null
  endDate: string | null
  /** A code or its name: 0 `planned` · 1 `active` · 2 `done`. */
  state: number
  startedAt: string | null
  completedAt: string | null
  capacityMinutes: number
  committed: { count?: number | undefined; points?: number | undefined; minutes?: number | undefined }
  completed: { count?: number | undefined; points?: number | undefined; minutes?: number | undefined }
  retro: string
  /** A code or its name: 0 `next` · 1 `backlog` · 2 `ask`. */
  rollover: number
  autoCreate: { lengthDays?: number | undefined; cooldownDays?: number | undefined; count?: number | undefined }
  parallel: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
  /** The cycle to which open items were moved; empty for the backlog. */
  rolledTo?: string | undefined
  /** The moved items that the caller may see. */
  rolledOver?: { id: string; key: string; title: string }[] | undefined
  /** The items that could not be moved. */
  stayed?: { id: string; key: string; title: string }[] | undefined
}

export interface PlannedItems {
  added: number
  removed: number
  warnings: string[]
}

export interface CycleBurndown {
  cycleId: string
  timezone: string
  committed: CycleAmount
  now: { scope: CycleAmount; done: CycleAmount; inProgress: CycleAmount; remaining: CycleAmount }
  /** 0 to 1 */
  progress: number
  days: { date: string; scope?: CycleAmount | undefined; done?: CycleAmount | undefined; inProgress?: CycleAmount | undefined; remaining?: CycleAmount | undefined; ideal: CycleAmount }[]
  uncompleted: string[]
  rolledOver: string[]
  rolledTo: string
}

export interface CycleCapacity {
  /** The total capacity. */
  capacityMinutes: number
  /** The total remaining work. */
  remainingMinutes: number
  /** The remaining work without an assignee. */
  unassignedMinutes: number
  /** The number of remaining weekdays. */
  workingDays: number
  people: { userId: string; name: string; capacityMinutes: number; remainingMinutes: number; items: number }[]
}

/** A container of items: a project, a service desk or a product. `fields` are the fields of its processes, in display order. */
export interface CopiedContainer {
  entity: "Container"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  key: string
  name: string
  description: string
  /** A code or its name: 0 `project` · 1 `desk` · 2 `product` · 3 `internal`. */
  kind: number
  processIds: string[]
  /** The id of a Process. */
  defaultProcessId: string
  fields?: { fieldId: string; order?: number | undefined; required?: boolean | undefined }[] | undefined
  /** The id of a Clock. */
  clockId?: string | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  costCenter?: string | undefined
  split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | undefined
  billable?: boolean | undefined
  private?: boolean | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** A code or its name: 0 `onTrack` · 1 `atRisk` · 2 `offTrack`. */
  health?: number | undefined
  healthNote?: string | undefined
  budget?: { minutes?: number | undefined; amount?: number | undefined; currency?: string | undefined; resetPeriod?: number | undefined; alertAt?: number[] | undefined } | undefined
  /** How time is rounded when it is billed. Empty: as the customer, else as the setting `billing.rounding` says. */
  rounding?: { mode?: number | undefined; stepSeconds?: number | undefined; minimumSeconds?: number | undefined; per?: number | undefined; quantityDecimals?: number | undefined } | undefined
  /** An archived container is read-only: its items can be read and found, but not changed. */
  archived: boolean
  /** Only service desks (`kind` 1) have a portal. A container that is created as one, or becomes one, without `portal` has it enabled for requesters. */
  portal: { enabled?: boolean | undefined; visitors?: boolean | undefined; types?: string[] | undefined }
  /** Marks the container as a template, which is meant to be copied. */
  template?: boolean | undefined
  /** The id of a Container. */
  templateOf?: string | undefined
  /** What was left out of the copied items. */
  warnings?: string[] | undefined
}

/** The annotation. */
export interface Annotation {
  entity: "Annotation"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of an Item. */
  itemId: string
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  /** 0 internal note · 1 public reply · 2 requester’s message · 3 system · 4 decision · 5 resolution · 6 status update. 1, 2, 5 and 6 are public. */
  kind: number
  body: string
  bodyFormat: "markdown" | "html" | "text"
  /** The id of a User. */
  authorId: string
  /** 0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social. */
  via: number
  /** The id of an Annotation. */
  replyToId: string
  restrictedTo: string[]
  attachments: string[]
  mentions: string[]
  pinned: boolean
  resolvedAt: string | null
  notifiedAt: string | null
  mail: { messageId?: string | undefined; inReplyTo?: string | undefined; to?: string[] | undefined; cc?: string[] | undefined; headers?: Record<string, unknown> | undefined }
  /** The id of a Time. */
  timeId: string
  anchor: { from?: number | undefined; to?: number | undefined; quote?: string | undefined; version?: number | undefined }
  /** The id of an Item. */
  mergedFrom: string
  /** A public reply on a ticket that no mail carries and no requester reads; it is no response. */
  reachesNobody: boolean
  /** Who reacted how: the ids of users by emoji. */
  reactions: Record<string, string[]>
  /** The earlier versions, without their texts. */
  edited: { version: number; at: string; by: string }[]
}

export interface TimelineEntry {
  kind: "activity" | "conversation" | "time"
  id: string
  /** When it was recorded. */
  at: string
  /** Who recorded it. */
  by: string
  activity?: Event | undefined
  conversation?: Annotation | undefined
  time?: Time | undefined
}

export interface AnnotationDraft {
  itemId: string
  /** A code or its name: 0 `note` · 1 `reply` · 2 `message` · 3 `system` · 4 `decision` · 5 `resolution` · 6 `update`. */
  kind: number
  body: string
  bodyFormat: string
  /** When the draft was last saved; null if there is none. */
  updated: string | null
}

/** A text about an item, a document or another record: an internal note, a reply, a requester’s message or a decision. */
export interface DocumentComment {
  entity: "Annotation"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of an Item. */
  itemId: string
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  /** 0 internal note · 1 public reply · 2 requester’s message · 3 system · 4 decision · 5 resolution · 6 status update. 1, 2, 5 and 6 are public. */
  kind: number
  body: string
  bodyFormat: "markdown" | "html" | "text"
  /** The id of a User. */
  authorId: string
  /** 0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social. */
  via: number
  /** The id of an Annotation. */
  replyToId: string
  restrictedTo: string[]
  attachments: string[]
  mentions: string[]
  pinned: boolean
  resolvedAt: string | null
  notifiedAt: string | null
  mail: { messageId?: string | undefined; inReplyTo?: string | undefined; to?: string[] | undefined; cc?: string[] | undefined; headers?: Record<string, unknown> | undefined }
  /** The id of a Time. */
  timeId: string
  anchor: { from?: number | undefined; to?: number | undefined; quote?: string | undefined; version?: number | undefined }
  /** The id of an Item. */
  mergedFrom: string
  /** A public reply on a ticket that no mail carries and no requester reads; it is no response. */
  reachesNobody: boolean
  /** Who reacted how: the ids of users by emoji. */
  reactions: Record<string, string[]>
  /** The earlier versions, without their texts. */
  edited: { version: number; at: string; by: string }[]
  /** Where the passage is in the present text; null if it is gone, or if the comment has no anchor. */
  place: { from: number; to: number } | null
}

/** An item of a service desk: the item itself, its requester, and the state of the conversation. */
export interface ListedTicket {
  entity: "Ticket"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  number?: number | undefined
  key?: string | undefined
  /** The id of a Container. */
  containerId?: string | undefined
  /** The id of an Area. */
  areaId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  title?: string | undefined
  description?: string | undefined
  status?: string | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | undefined
  resolution?: string | undefined
  assignees?: string[] | undefined
  /** The id of a User. */
  requesterId?: string | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  /** The id of an Item. */
  parentId?: string | undefined
  /** The id of a Cycle. */
  cycleId?: string | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | undefined
  remainingMinutes?: number | undefined
  points?: number | undefined
  progress?: number | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | undefined
  restrictedTo?: string[] | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | undefined
  labels?: string[] | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | undefined
  rank?: string | undefined
  /** The checked entries of its checklist. */
  checklistDone?: number | undefined
  /** All entries of its checklist. */
  checklistTotal?: number | undefined
  closedAt?: string | null | undefined
  resolvedAt?: string | null | undefined
  /** The id of an Item. */
  mergedInto?: string | undefined
  /** The names of the labels. */
  Tags?: string[] | undefined
  Field?: { fieldId: string; key: string; value: unknown }[] | undefined
  spentMinutes?: number | undefined
  requester?: { userId?: string | undefined; email?: string | undefined; name?: string | undefined; phone?: string | undefined; unproven?: boolean | undefined } | undefined
  cc?: string[] | undefined
  /** 0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social. */
  channel?: number | undefined
  /** The id of a Mailbox. */
  mailboxId?: string | undefined
  /** The id of a UserGroup. */
  queueGroupId?: string | undefined
  /** Who has to act next: 0 we · 1 the requester · 2 a third party. */
  waitingOn?: number | undefined
  snoozedUntil?: string | null | undefined
  satisfaction?: { score?: number | undefined; comment?: string | undefined; at?: string | undefined } | undefined
  firstReplyAt?: string | null | undefined
  reopenCount?: number | undefined
  lastRequesterAt?: string | null | undefined
  lastStaffAt?: string | null | undefined
  language?: string | undefined
  spam?: boolean | undefined
  spamScore?: number | undefined
  /** The id of an Item. */
  followUpId?: string | undefined
  linkGeneration?: number | undefined
  /** With `include=clock`: how each promise stood when something last happened to it; `GET /item/:id/clock` counts to this moment. Requesters get `kind`, `cycle`, `state`, `dueAt`, `metAt` and `breachedAt`, and no targets of the kinds 5 and 6. */
  clock?: { clockId?: string | undefined; targetId?: string | undefined; kind: number; cycle: number; state: number; startedAt?: string | null | undefined; amberAt?: string | null | undefined; redAt?: string | null | undefined; dueAt: string | null; pausedSince?: string | null | undefined; metAt?: string | null | undefined; breachedAt?: string | null | undefined }[] | undefined
  can?: ItemCan | undefined
  /** With `include=subItems`: the items whose parent it is and that the caller sees, without archived ones, and how many of them are closed. */
  subItems?: { all: number; done: number } | undefined
}

/** An item of a service desk: the item itself, its requester, and the state of the conversation. */
export interface Ticket {
  entity: "Ticket"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  number?: number | undefined
  key?: string | undefined
  /** The id of a Container. */
  containerId?: string | undefined
  /** The id of an Area. */
  areaId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  title?: string | undefined
  description?: string | undefined
  status?: string | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | undefined
  resolution?: string | undefined
  assignees?: string[] | undefined
  /** The id of a User. */
  requesterId?: string | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  /** The id of an Item. */
  parentId?: string | undefined
  /** The id of a Cycle. */
  cycleId?: string | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | undefined
  remainingMinutes?: number | undefined
  points?: number | undefined
  progress?: number | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | undefined
  restrictedTo?: string[] | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | undefined
  labels?: string[] | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | undefined
  rank?: string | undefined
  /** The checked entries of its checklist. */
  checklistDone?: number | undefined
  /** All entries of its checklist. */
  checklistTotal?: number | undefined
  closedAt?: string | null | undefined
  resolvedAt?: string | null | undefined
  /** The id of an Item. */
  mergedInto?: string | undefined
  /** The names of the labels. */
  Tags?: string[] | undefined
  Field?: { fieldId: string; key: string; value: unknown }[] | undefined
  spentMinutes?: number | undefined
  requester?: { userId?: string | undefined; email?: string | undefined; name?: string | undefined; phone?: string | undefined; unproven?: boolean | undefined } | undefined
  cc?: string[] | undefined
  /** 0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social. */
  channel?: number | undefined
  /** The id of a Mailbox. */
  mailboxId?: string | undefined
  /** The id of a UserGroup. */
  queueGroupId?: string | undefined
  /** Who has to act next: 0 we · 1 the requester · 2 a third party. */
  waitingOn?: number | undefined
  snoozedUntil?: string | null | undefined
  satisfaction?: { score?: number | undefined; comment?: string | undefined; at?: string | undefined } | undefined
  firstReplyAt?: string | null | undefined
  reopenCount?: number | undefined
  lastRequesterAt?: string | null | undefined
  lastStaffAt?: string | null | undefined
  language?: string | undefined
  spam?: boolean | undefined
  spamScore?: number | undefined
  /** The id of an Item. */
  followUpId?: string | undefined
  linkGeneration?: number | undefined
  warnings?: string[] | undefined
}

export interface GuestLink {
  url: string
  expiresAt: string
}

export interface Presence {
  itemId: string
  /** The other users with a heartbeat within the last 30 seconds, those who are replying first. */
  others: { userId: string; name: string; state: "viewing" | "replying"; seen: string }[]
}

/** A piece of work: a task, a ticket, a bug. It belongs to a container, which gives it a number and a key. */
export interface SplitItem {
  entity: "Item"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  number?: number | undefined
  key?: string | undefined
  /** The id of a Container. */
  containerId?: string | undefined
  /** The id of an Area. */
  areaId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  title?: string | undefined
  description?: string | undefined
  status?: string | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | undefined
  resolution?: string | undefined
  assignees?: string[] | undefined
  /** The id of a User. */
  requesterId?: string | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  /** The id of an Item. */
  parentId?: string | undefined
  /** The id of a Cycle. */
  cycleId?: string | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | undefined
  remainingMinutes?: number | undefined
  points?: number | undefined
  progress?: number | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | undefined
  restrictedTo?: string[] | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | undefined
  labels?: string[] | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | undefined
  rank?: string | undefined
  /** The checked entries of its checklist. */
  checklistDone?: number | undefined
  /** All entries of its checklist. */
  checklistTotal?: number | undefined
  closedAt?: string | null | undefined
  resolvedAt?: string | null | undefined
  /** The id of an Item. */
  mergedInto?: string | undefined
  /** The names of the labels. */
  Tags?: string[] | undefined
  Field?: { fieldId: string; key: string; value: unknown }[] | undefined
  spentMinutes?: number | undefined
  /** What was not taken from the first item. */
  warnings?: string[] | undefined
}

/** An item of a service desk: the item itself, its requester, and the state of the conversation. */
export interface SplitTicket {
  entity: "Ticket"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  number?: number | undefined
  key?: string | undefined
  /** The id of a Container. */
  containerId?: string | undefined
  /** The id of an Area. */
  areaId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  title?: string | undefined
  description?: string | undefined
  status?: string | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | undefined
  resolution?: string | undefined
  assignees?: string[] | undefined
  /** The id of a User. */
  requesterId?: string | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  /** The id of an Item. */
  parentId?: string | undefined
  /** The id of a Cycle. */
  cycleId?: string | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | undefined
  remainingMinutes?: number | undefined
  points?: number | undefined
  progress?: number | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | undefined
  restrictedTo?: string[] | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | undefined
  labels?: string[] | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | undefined
  rank?: string | undefined
  /** The checked entries of its checklist. */
  checklistDone?: number | undefined
  /** All entries of its checklist. */
  checklistTotal?: number | undefined
  closedAt?: string | null | undefined
  resolvedAt?: string | null | undefined
  /** The id of an Item. */
  mergedInto?: string | undefined
  /** The names of the labels. */
  Tags?: string[] | undefined
  Field?: { fieldId: string; key: string; value: unknown }[] | undefined
  spentMinutes?: number | undefined
  requester?: { userId?: string | undefined; email?: string | undefined; name?: string | undefined; phone?: string | undefined; unproven?: boolean | undefined } | undefined
  cc?: string[] | undefined
  /** 0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social. */
  channel?: number | undefined
  /** The id of a Mailbox. */
  mailboxId?: string | undefined
  /** The id of a UserGroup. */
  queueGroupId?: string | undefined
  /** Who has to act next: 0 we · 1 the requester · 2 a third party. */
  waitingOn?: number | undefined
  snoozedUntil?: string | null | undefined
  satisfaction?: { score?: number | undefined; comment?: string | undefined; at?: string | undefined } | undefined
  firstReplyAt?: string | null | undefined
  reopenCount?: number | undefined
  lastRequesterAt?: string | null | undefined
  lastStaffAt?: string | null | undefined
  language?: string | undefined
  spam?: boolean | undefined
  spamScore?: number | undefined
  /** The id of an Item. */
  followUpId?: string | undefined
  linkGeneration?: number | undefined
  /** What was not taken from the first item. */
  warnings?: string[] | undefined
}

/** A chat room that belongs to an item, a container or a group and is visible to everybody who sees that, or that has `members` and is visible to them only. A team room (`kind` 0) is for staff; a customer room (2) is also for the requester. A room with a visitor (4) is for staff and for somebody on the portal who began it. The same members have one direct room (1). */
export interface ListedChatRoom {
  entity: "ChatRoom"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  topic: string
  /** 0 team · 1 direct · 2 customer · 3 assistant · 4 visitor. */
  kind: number
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  members: string[]
  archived: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
  /** The number of unread messages, counted up to 100. */
  unread?: number | undefined
}

/** A chat room that belongs to an item, a container or a group and is visible to everybody who sees that, or that has `members` and is visible to them only. A team room (`kind` 0) is for staff; a customer room (2) is also for the requester. A room with a visitor (4) is for staff and for somebody on the portal who began it. The same members have one direct room (1). */
export interface ChatRoom {
  entity: "ChatRoom"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  topic: string
  /** 0 team · 1 direct · 2 customer · 3 assistant · 4 visitor. */
  kind: number
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  members: string[]
  archived: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** A message in a chat room. Only its author may edit or delete it; a deleted message stays in the list without its text. Events record that a message was posted, not its text. */
export interface ChatMessage {
  entity: "ChatMessage"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a ChatRoom. */
  roomId: string
  body: string
  /** The id of a ChatMessage. */
  replyToId: string
  files: string[]
  mentions: string[]
  /** Makes posting repeatable: a second message of the same author with this id is not stored. */
  clientId: string
  /** A note for staff in a room with a visitor, which the visitor does not see; it stays one. */
  internal: boolean
  editedAt: string | null
  /** The id of an Item. */
  itemId: string
  /** Who reacted how: the ids of users by emoji. */
  reactions: Record<string, string[]>
}

export interface ChatMarker {
  roomId: string
  messageId: string
  /** The number of unread messages, counted up to 100. */
  unread: number
}

/** Notifies somebody of what happens to a record: a user (by default the caller), a group, or an email address, which receives mail about public annotations and the status of items. `until` suppresses notifications up to that time. Authors and assignees watch their items without a stored watch; `level` 3 mutes that. */
export interface Watch {
  entity: "Watch"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a User. */
  userId: string
  /** The id of a UserGroup. */
  userGroupId: string
  email: string
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  /** 0 all · 1 comments and status · 2 status only · 3 muted. */
  level: number
  /** 0 manual · 1 author · 2 assignee · 3 mentioned · 4 commented · 5 rule · 6 group default · 7 requester cc. */
  reason: number
  until: string | null
  /** The scopes of the credential that decided what this does; it acts within them. Empty: with all rights of its user. */
  scopes: string[]
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface Watcher {
  /** The id of the watch; empty for authors and assignees without a stored watch. */
  id: string
  userId: string
  userGroupId: string
  email: string
  name: string
  /** A code or its name: 0 `all` · 1 `comments` · 2 `status` · 3 `muted`. */
  level: number
  /** A code or its name: 0 `manual` · 1 `author` · 2 `assignee` · 3 `mentioned` · 4 `commented` · 5 `rule` · 6 `group` · 7 `cc`. */
  reason: number
  until: string | null
}

export interface RenderedTemplate {
  subject: string
  /** The text in the format of the template. */
  body: string
  /** The text as sanitised HTML. */
  html: string
  text: string
  /** The variables without a value. */
  missing: string[]
  /** The language of the variant that was used; empty for the template itself. */
  locale: string
  /** The actions of a macro. */
  actions: Record<string, unknown>[]
}

/** The settings for all mail of the tenant: the signature, the stop lists, limits and policies. An entry of `subjectStopList` is a text that the subject contains, or a pattern between slashes: `/out of office/`. `mailRecipientDomains` lists the domains (with their subdomains) to which automatic mail may be sent if the address belongs to no user; an empty list allows all domains. */
export interface MailGeneral {
  entity: "MailGeneral"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  signature: string
  domainStopList: string[]
  subjectStopList: string[]
  /** Larger messages are refused; 0 is 25 MiB. */
  maxMessageBytes: number
  allowedAttachmentTypes: string[]
  defaultFrom: string
  replyMarker: string
  /** Which messages get an automatic reply from the template of the mailbox: 0 those that open a ticket · 1 all · 2 none. */
  autoReplyPolicy: number
  /** The minutes within which an address gets at most one automatic reply. */
  autoReplyMinutes: number
  loopQuotas: { scope?: number | undefined; count: number; minutes: number }[]
  trustedSenders: string[]
  mailRecipientDomains: string[]
  bounceSuppressDays: number
  /** For how many days a message reopens a closed ticket; 0 uses the setting `ticket.reopenDays`. */
  followUpDays: number
  /** How the HTML of incoming mail is stored: 0 sanitized · 1 as plain text. */
  htmlPolicy: number
  trackOpens: boolean
  /** Which mail that fails DMARC goes to quarantine: 0 if the policy of its domain is reject · 1 also if it is quarantine · 2 none; the mail is only marked. */
  spoofPolicy: number
  /** Mail from a domain that publishes nothing (SPF, DKIM, DMARC) is treated as mail from a stranger. */
  demandProof: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** A mail address of a service desk. Incoming mail is read by IMAP and becomes tickets and messages; replies are sent through its SMTP server, or through that of the installation. With `auth` `oauth` it signs in by OAuth 2.0, with a refresh token or with client credentials. Passwords, tokens and keys are write-only; `***` in an update keeps them. */
export interface Mailbox {
  entity: "Mailbox"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  address: string
  aliases: string[]
  /** 0 IMAP · 1 POP3 · 2 Graph · 3 Gmail API · 4 pushed by SMTP or LMTP · 5 forwarding. Only 0 is read. */
  protocol: number
  auth: string
  imap: { host?: string | undefined; port?: number | undefined; security?: number | undefined; user?: string | undefined; folder?: string | undefined }
  smtp: { host?: string | undefined; port?: number | undefined; security?: number | undefined; user?: string | undefined }
  /** A secret: `***` if there is one, else empty. A request with `***` keeps it. */
  password: string
  /** A secret: `***` if there is one, else empty. A request with `***` keeps it. */
  smtpPassword: string
  oauth: { tokenUrl?: unknown; clientId?: string | undefined; scope?: string | undefined }
  /** A secret: `***` if there is one, else empty. A request with `***` keeps it. */
  clientSecret: string
  /** A secret: `***` if there is one, else empty. A request with `***` keeps it. */
  refreshToken: string
  dkim: { domain?: string | undefined; selector?: string | undefined }
  /** A secret: `***` if there is one, else empty. A request with `***` keeps it. */
  dkimKey: string
  trustedAuthHosts: string[]
  /** Whether the spam headers (`X-Spam-…`, `X-Rspamd-…`) of the receiving server are trusted. */
  spamHeaders: boolean
  /** The id of a Container. */
  containerId: string
  /** The id of a Process. */
  processId: string
  /** The id of a UserGroup. */
  groupId: string
  /** Default values of new tickets, as in the body of a ticket: `{"priority": 2}`. */
  defaults: Record<string, unknown>
  /** The id of a ContentTemplate. */
  templateId: string
  signature: string
  deleteAfterFetch: boolean
  moveTo: string
  archiveImport: { since?: string | undefined }
  active: boolean
  /** The state of reading: the last success, the last error, and the number of waiting messages. */
  state: { lastFetch: string | null; lastError: string; backlog: number }
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** An outgoing mail with its recipients, subject, state and last error. It is stored in the transaction that causes it, and sent after the commit. */
export interface OutboundMail {
  entity: "OutboundMail"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  to: string[]
  cc: string[]
  from: string
  subject: string
  /** The id of a ContentTemplate. */
  templateId: string
  /** The id of an Item. */
  itemId: string
  /** The id of an Annotation. */
  annotationId: string
  /** The id of a Mailbox. */
  mailboxId: string
  /** 0 plain mail · 1 reply · 2 forwarded message · 3 automatic reply · 4 notification · 5 test · 6 question about satisfaction. */
  purpose: number
  /** Whether the mail was sent automatically, and not written by a user. */
  auto: boolean
  /** 0 queued · 1 sent · 2 deferred · 3 bounced · 4 suppressed · 5 cancelled. */
  state: number
  attempts: number
  nextAttempt: string | null
  lastError: string
  messageId: string
  changeSetId: string
  sentAt: string | null
  undelivered: string[]
}

/** A message that arrived through a mailbox, with its processing steps and its outcome: a new ticket, a part of a ticket, or a refusal with its reason. */
export interface MailMessage {
  entity: "MailMessage"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a Mailbox. */
  mailboxId: string
  messageId: string
  sender: string
  subject: string
  size: number
  /** 0 not processed yet · 1 a new ticket · 2 part of a ticket · 3 in quarantine · 4 dropped · 5 a delivery report · 6 failed. */
  outcome: number
  reason: string
  authenticity: { verdict?: number | undefined; spf?: string | undefined; dkim?: string | undefined; dmarc?: string | undefined; policy?: string | undefined; domain?: string | undefined; by?: string | undefined }
  steps: { step: string; note?: string | undefined }[]
  /** The id of an Item. */
  itemId: string
  /** The id of an Annotation. */
  annotationId: string
  attempts: number
  /** Imported from the archive of the mailbox: it keeps its date, and nobody is answered. */
  archived: boolean
}

/** An address that gets no automatic mail, because a mail to it bounced or a user entered it: until a given time, or permanently. Mail that users write is sent nevertheless. Deleting the record ends the suppression. */
export interface MailSuppression {
  entity: "MailSuppression"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  address: string
  reason: string
  until: string | null
  /** The id of an OutboundMail. */
  outboundMailId: string
}

/** A business clock: which minutes count when service levels are measured, what the targets are, and when a cycle starts, pauses and ends. A shift that ends at or before its start ends on the next day; days off are `2026-12-25`, every year’s `--12-25`, or `2026-12-24/2026-12-31`. `schedule` gives weekdays their own hours, `exceptions` single dates. `holidays` is filled from `holidayCountry` and `holidayFeed`, from last year to five years ahead. A clock with `regions` follows the sun: instead of its own hours it counts each minute in which the clock of at least one region is open, and of the open regions the first in the list is responsible. */
export interface Clock {
  entity: "Clock"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  container: string[]
  timezone: unknown
  dayStart: unknown
  dayEnd: unknown
  weekStart: unknown
  weekEnd: unknown
  nonWorkingDay: string[]
  tick: number
  greenThreshold: number
  amberThreshold: number
  redThreshold: number
  schedule: { day: number; intervals?: { start?: unknown; end?: unknown }[] | undefined }[]
  exceptions: { date: string; intervals?: { start?: unknown; end?: unknown }[] | undefined }[]
  /** The country or region whose public holidays are days off, by ISO 3166: `DE`, `DE-BY`, `US-CA`. */
  holidayCountry: string
  /** The address of an iCalendar file whose all-day events are days off; it is read once a day. */
  holidayFeed: string
  holidays: { date: string; name: string; source: string }[]
  regions: { name: string; clockId: string; groupId?: string | undefined }[]
  targets: { id?: string | undefined; kind?: number | undefined; minutes?: number | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; calendarTime?: boolean | undefined }[]
  /** 0 ticks elapsed · 1 percent of the target · 2 ticks remaining. */
  thresholdMode: number
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  start: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  pause: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  resume: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  stop: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  reset: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  cancel: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  /** From when on time counts: `event`, `created`, or `field:` and a path. */
  startFrom: string
  order: number
  active: boolean
  parallel: boolean
  effectiveFrom: string | null
  /** The last fetch of `holidayFeed`: when it succeeded, what failed, and how many days it contained. */
  holidayFeedState: { fetchedAt: string | null; lastError: string; days: number; ignored: number }
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** The region that takes over; null if none is open. */
export type ClockRegion = { name: string; clockId: string; groupId: string } | null

export interface ClockDuty {
  at: string
  /** Whether time counts. */
  open: boolean
  /** The regions that are open, in the order of the clock. The first one is responsible. */
  onDuty: { name: string; clockId: string; groupId: string; until: string }[]
  /** When another region, or nobody, is responsible; null if that does not happen within 400 days. */
  handover: { at: string; to: ClockRegion } | null
}

export interface ClockPreview {
  /** Items that the change may affect. */
  total: number
  /** How many of them were compared. */
  looked: number
  /** Items whose state would change. */
  light: number
  /** Items whose due time would change. */
  due: number
  /** The ten items that get worst. */
  worst: { itemId: string; key: string; targetId: string; stateBefore: number; stateAfter: number; dueBefore: string | null; dueAfter: string | null }[]
}

export interface ClockRecalculation {
  state: "none" | "running" | "done"
  version: number
  total: number
  done: number
  /** Items whose clocks changed. */
  changed: number
  began: string | null
  ended: string | null
}

export interface ItemClock {
  clockId: string
  targetId: string
  /** The kind of the target. */
  kind: number
  /** The number of the run, from 1; a reopened item begins another. */
  cycle: number
  /** The version of the clock’s hours. */
  version: number
  /** A code or its name: 0 `notStarted` · 1 `green` · 2 `amber` · 3 `red` · 4 `paused` · 5 `met` · 6 `metLate` · 7 `cancelled`. */
  state: number
  startedAt: string | null
  /** Seconds of working time. */
  elapsed: number
  /** Seconds of working time until it is due; negative if it is overdue. */
  remaining: number
  /** From when on a state is shown. */
  greenAt?: string | null | undefined
  amberAt?: string | null | undefined
  redAt?: string | null | undefined
  /** A paused clock has no due time. */
  dueAt: string | null
  pausedSince?: string | null | undefined
  pauses?: { from: string; to: string | null; reason: string }[] | undefined
  metAt?: string | null | undefined
  breachedAt?: string | null | undefined
  /** Seconds of working time. */
  breachSeconds?: number | undefined
  /** The regions that are open, in the order of the clock. The first one is responsible. */
  onDuty?: { name: string; clockId: string; groupId: string; until: string }[] | undefined
  /** When another region, or nobody, is responsible; null if that does not happen within 400 days. */
  handover?: { at: string; to: ClockRegion } | null | undefined
}

export interface ItemClockExplained {
  clockId: string
  targetId: string
  /** The kind of the target. */
  kind: number
  /** The number of the run, from 1; a reopened item begins another. */
  cycle: number
  /** The version of the clock’s hours. */
  version: number
  /** A code or its name: 0 `notStarted` · 1 `green` · 2 `amber` · 3 `red` · 4 `paused` · 5 `met` · 6 `metLate` · 7 `cancelled`. */
  state: number
  startedAt: string | null
  /** Seconds of working time. */
  elapsed: number
  /** Seconds of working time until it is due; negative if it is overdue. */
  remaining: number
  /** From when on a state is shown. */
  greenAt?: string | null | undefined
  amberAt?: string | null | undefined
  redAt?: string | null | undefined
  /** A paused clock has no due time. */
  dueAt: string | null
  pausedSince?: string | null | undefined
  pauses?: { from: string; to: string | null; reason: string }[] | undefined
  metAt?: string | null | undefined
  breachedAt?: string | null | undefined
  /** Seconds of working time. */
  breachSeconds?: number | undefined
  /** The regions that are open, in the order of the clock. The first one is responsible. */
  onDuty?: { name: string; clockId: string; groupId: string; until: string }[] | undefined
  /** When another region, or nobody, is responsible; null if that does not happen within 400 days. */
  handover?: { at: string; to: ClockRegion } | null | undefined
  intervals?: { from: string; to: string; seconds: number; counted: boolean; reason: string; regions: ClockRegion[] }[] | undefined
  /** Intervals that are not in this answer. */
  leftOut?: number | undefined
  /** The intervals from now until it is due, of the next 800 days; those that count add up to `remaining`. A paused clock is explained as if it were resumed now. Empty if it is overdue or never due. */
  ahead?: { from: string; to: string; seconds: number; counted: boolean; reason: string; regions: ClockRegion[] }[] | undefined
  /** Of a paused clock: when it would be due if it were resumed now. */
  dueIfResumed?: string | null | undefined
  /** Intervals ahead that are not in this answer. */
  aheadLeftOut?: number | undefined
}

export interface DayCapacity {
  date: string
  minutes: number
  /** The minutes if there were no absence. */
  plannedMinutes: number
  source: "capacity" | "workingHours" | "clock" | "default"
  /** The first day of the entry of `capacity` that applies. */
  since: string | null
  clockId: string
  absence: { from?: string | undefined; to?: string | null | undefined } | null
}

export interface Schedule {
  items: { id: string; dates: { startDate: string | null; dueDate: string | null }; early: { startDate: string | null; dueDate: string | null }; late: { startDate: string | null; dueDate: string | null }; floatDays: number | null; critical: boolean; because: { linkId?: string | undefined; constraint?: "startNoEarlier" | undefined; parent?: boolean | undefined; skipped?: { date: string | null; reason: string; name?: string | undefined }[] | undefined } | null }[]
  conflicts: { id: string; linkId: string | null; reason: "fixed" | "closed"; earliest: string | null }[]
  /** The items whose dates change. */
  moved: string[]
  applied: boolean
}

/** What was planned for containers at a moment: dates, estimates and categories of their items, their own dates and their budgets, by the log. `…/compare` says what has changed since, or until another baseline. It is visible to those who see all of its containers. */
export interface Baseline {
  entity: "Baseline"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  containerIds: string[]
  /** The moment whose plan it keeps; that of its creation by default. */
  at: string | null
}

export interface BaselineComparison {
  from: string
  to: string
  items: { entity: string; id: string; key?: string | undefined; title?: string | undefined; containerId?: string | undefined; deleted?: boolean | undefined; changes?: Record<string, { from: unknown; to: unknown; days?: number | null | undefined }> | undefined }[]
  added: { entity: string; id: string; key?: string | undefined; title?: string | undefined; containerId?: string | undefined; deleted?: boolean | undefined }[]
  removed: { entity: string; id: string; key?: string | undefined; title?: string | undefined; containerId?: string | undefined; deleted?: boolean | undefined }[]
  containers: { id: string; changes?: Record<string, { from: unknown; to: unknown; days?: number | null | undefined }> | undefined }[]
  budgets: { budgetId: string; containerId: string; unit: number; currency: string; from: string | null; to: string | null }[]
}

export interface Portfolio {
  total: { progress: number | null; progressBy: "estimate" | "count"; items: number; done: number; overdue: number; estimateMinutes: number; remainingMinutes: number; firstStart: string | null; lastDue: string | null; startDate: string | null; dueDate: string | null; health: number | null; budgets: { unit: number; currency: string; current: string; actual: string; left: string; budgets: number }[] }
  containers: { id: string; key: string; name: string; health: number; healthNote: string; archived: boolean; progress: number | null; progressBy: "estimate" | "count"; items: number; done: number; overdue: number; estimateMinutes: number; remainingMinutes: number; firstStart: string | null; lastDue: string | null; startDate: string | null; dueDate: string | null; budgets: { budgetId: string; name: string; unit: number; currency: string; current: string; actual: string; left: string }[] }[]
}

/** A tree of items that is created as a whole, with dates that are counted from an anchor. Titles and descriptions may have variables such as `{{ customer }}`; `variables` lists those that they use. */
export interface ItemTemplate {
  entity: "ItemTemplate"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  /** The tenant (0) or a container (1), whose staff see the template. */
  owner: number
  ownerId: string
  items: { key: string; parentKey?: string | undefined; title: string; description?: string | undefined; processId?: string | undefined; status?: string | undefined; priority?: number | undefined; severity?: number | undefined; labels?: string[] | undefined; assignees?: string[] | undefined; assignCreator?: boolean | undefined; assignTo?: { jobRoleId?: string | undefined; relation?: number | undefined }[] | undefined; watchers?: string[] | undefined; watchedBy?: { jobRoleId?: string | undefined; relation?: number | undefined }[] | undefined; estimateMinutes?: number | undefined; points?: number | undefined; start?: { days: number; working?: boolean | undefined } | null | undefined; due?: { days: number; working?: boolean | undefined } | null | undefined; Field?: { fieldId: string; value: unknown }[] | undefined; checklist?: string[] | undefined; checklistBy?: { entry: number; userId?: string | undefined; jobRoleId?: string | undefined; relation?: number | undefined }[] | undefined }[]
  links: { from: string; to: string; type?: string | undefined; lagDays?: number | undefined }[]
  variables: string[]
  active: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface CreatedTree {
  /** The items in the order of the template. */
  items: { key: string; parentKey: string; item: Item }[]
  /** Who was chosen for each placeholder. */
  people: { key: string; use: "assignee" | "watcher" | "checklist"; entry: number | null; jobRoleId: string; relation: number; userId: string; reason: string }[]
  warnings: string[]
}

/** Changes of allocations, items, leave, dates of containers and budgets that are proposed together (`…/change`). With `scenario=` the plan is read as if they were made; nobody else notices them until they are merged (`…/merge`). */
export interface Scenario {
  entity: "Scenario"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  /** 0 open · 1 merged · 2 dropped. */
  state: number
}

export interface ScenarioChange {
  entity: "Container" | "Item" | "Leave" | "Plan" | "BudgetEntry"
  /** The record; of a new one an id within the scenario. */
  recordId: string
  /** A code or its name: 0 `create` · 1 `update` · 2 `delete`. */
  op: number
  /** For each property the value when the change was proposed, and the proposed one: `{"amount": {"from": 60, "to": 90}}`. */
  changes: Record<string, unknown>
}

export interface ScenarioComparison {
  load: { key: string; name: string; buckets: { from: string; changes?: Record<string, unknown> | undefined }[] }[]
  over: { from?: number | undefined; to?: number | undefined }
  cost?: { from?: string | undefined; to?: string | undefined } | undefined
  value?: { currency?: string | undefined; from?: string | undefined; to?: string | undefined }[] | undefined
  dates: { id: string; entity?: string | undefined; key?: string | undefined; title?: string | undefined; changes?: Record<string, unknown> | undefined }[]
}

export interface MergedScenario {
  scenario: Scenario
  created: { entity: string; recordId?: string | undefined; id: string }[]
  updated: string[]
  deleted: string[]
}

/** Work that is planned for a user, a group, or a placeholder (a job role or skills, until somebody is assigned), on the days from `from` to `to`. It is firm if it is approved and not tentative. */
export interface Plan {
  entity: "Plan"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a User. */
  userId: string
  /** The id of a UserGroup. */
  userGroupId: string
  /** The id of a JobRole. */
  jobRoleId: string
  skills: string[]
  /** What the work is for: 0 nothing in particular · 1 container · 3 item · 6 customer · 9 cycle. */
  owner: number
  ownerId: string
  /** Instead of an owner: work on a non-billable code. */
  nonBillable: string
  /** The container of the item, of the cycle, or the owner itself. */
  containerId: string
  from: string | null
  to: string | null
  /** 0 minutes a day · 1 minutes in total, spread over the days with capacity · 2 percent of the capacity. */
  unit: number
  amount: number
  /** An RRULE: only the days from `from` to `to` on which it holds are planned. */
  recurrence: string
  tentative: boolean
  probability: number
  note: string
  /** 0 draft, which plans nothing · 1 proposed, which is tentative · 2 approved. */
  state: number
  /** The dates stay when those of the item move. */
  lockDates: boolean
  /** Nobody can work on these days, so that all of it is on the first one. */
  noCapacity: boolean
  /** The item that it is for was deleted. */
  ownerDeleted: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface LoadRow {
  /** The id; empty for what is planned for nobody in particular. */
  key: string
  name: string
  buckets: { from: string; capacity: number | null; firm: number; tentative: number; leave: number | null; actual: number; free: number | null; delta: number; over: number | null; cost?: string | undefined; value?: { currency: string; amount: string }[] | undefined }[]
}

export interface FreeUser {
  userId: string
  name: string
  capacity: number
  firm: number
  /** `capacity − firm`, in seconds. */
  free: number
}

/** Days on which a user does not work: requested, and effective when approved. Without `to` it lasts until further notice. It is visible to the user, to their manager (`managerId`) and to those who have `leave.approve`; others see the days of approved leave as `absence` of the user. */
export interface Leave {
  entity: "Leave"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a User. */
  userId: string
  /** A code of kind 1 leave, 2 sick, 3 holiday or 4 training; it sets `kind`. */
  nonBillable: string
  /** 0 holiday · 1 illness · 2 training · 3 other. */
  kind: number
  from: string | null
  to: string | null
  /** 0 the whole first day · 1 its morning · 2 its afternoon. */
  fromHalf: number
  /** 0 the whole last day · 1 its morning · 2 its afternoon. */
  toHalf: number
  note: string
  /** 0 requested · 1 approved · 2 rejected · 3 cancelled. */
  state: number
  /** What the approver wrote. */
  comment: string
  /** The id of a User. */
  decidedBy: string
  decidedAt: string | null
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface LeaveBalance {
  nonBillable: string
  name: string
  /** A code or its name: 0 `minutes` · 1 `days`. */
  unit: number
  /** The allowance of the year. */
  amount: number
  /** What is left of the year before. */
  carried: number
  carriedUntil: string | null
  /** Approved leave of the year. */
  approved: number
  /** Requested leave of the year. */
  requested: number
  /** What is left. */
  balance: number
}

/** How much leave of a code a user has in a year, in the unit of the code. */
export interface LeaveAllowance {
  entity: "LeaveAllowance"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a User. */
  userId: string
  /** The id of a NonBillable. */
  nonBillable: string
  year: number
  /** In the unit of the code: minutes or days. */
  amount: number
  /** What is left of the year before. */
  carried: number
  /** The last day on which leave takes of `carried`; without it the whole year. */
  carriedUntil: string | null
  note: string
}

export interface TimeBalance {
  userId: string
  from: string
  to: string
  /** The contract without holidays and unpaid leave. */
  expected: number
  /** Time on items, and on codes with `countsAsWorked` that are not for leave. */
  worked: number
  /** Paid leave. */
  credited: number
  /** `worked + credited − expected`. */
  difference: number
}

/** A saved query that runs on a schedule, and the recipients of its result. It runs with the permissions of its creator; each recipient gets the records that they may see too, and nobody gets an empty message. */
export interface Notification {
  entity: "Notification"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  active: boolean
  container: string[]
  /** A code or its name: 0 `off` · 1 `quarterHourly` · 2 `hourly` · 3 `daily` · 4 `workingDay` · 5 `weekly` · 6 `fortnightly` · 7 `monthly` · 8 `quarterly` · 9 `onGain`. */
  interval: number
  /** A code or its name: 0 `none` · 1 `newMatches` · 2 `oncePerRecord` · 3 `oncePerDay` · 4 `oncePerWeek` · 5 `changedOnly` · 6 `ifDifferent`. */
  limiter: number
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  recipientUserGroup: string[]
  recipientEmail: string[]
  recipientEndpoint: string
  recipientSlackId: string
  recipientMsTeamsId: string
  at: unknown
  weekday: unknown
  timezone: unknown
  /** A recurrence rule (RFC 5545), instead of `interval`. */
  schedule: string
  /** The id of a ContentTemplate. */
  templateId: string
  /** 0 list · 1 count · 2 CSV attached · 3 XLSX attached, of a saved report. */
  format: number
  /** Writes to the inbox of users, and so to their digest, instead of sending a separate mail. */
  digest: boolean
  groupBy: string
  /** Sends this saved report instead of items. Each recipient gets what they get when they run it themselves; it must be shared with them. */
  savedReportId: string
  /** The scopes of the credential that decided what this does; it acts within them. Empty: with all rights of its user. */
  scopes: string[]
  nextRun: string | null
  lastRun: string | null
  /** The number of records that the last run reported. */
  lastCount: number
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface NotificationPreview {
  /** The number of records that would be reported. */
  count: number
  /** The number of recipients. */
  recipients: number
  messages: { kind: "user" | "email" | "endpoint" | "slack" | "teams"; to: string; count: number; subject: string; text: string }[]
  /** The messages that users of the groups would have got in the last four weeks, or in the last week if it runs often. The runs of that time are tried with the items that match now and that the caller sees, each from its creation on; it is changed once, at its last change. The first 100 users and the newest 1000 items are tried. */
  estimate: { count: number; perWeek: number | null; people: { userId: string; count: number }[] }
}

export interface NotificationRun {
  id: string
  planned: string
  at: string
  /** The user who started the run; empty for a scheduled run. */
  askedBy: string
  count: number
  /** Whether more records match than a run reads. */
  more: boolean
  /** A code or its name: 0 `sent` · 1 `nothingToReport` · 2 `noRecipients` · 3 `failed`. */
  outcome: number
  error: string
  sent: { kind: string; to: string; count: number; mailId: string }[]
}

/** The notices of a user, bundled by record: one entry holds all events of an item since the user last read it, or one change of many items. */
export interface InboxEntry {
  entity: "InboxEntry"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of a User. */
  userId: string
  /** The kind of the record that the entry is about: `Item`, `ChangeSet` (a change of many items), `Document` … */
  subject: string
  subjectId: string
  /** The items that the entry is about and that the reader may see; at most 200. */
  itemIds: string[]
  /** Why the user is notified: 0 manual · 1 author · 2 assignee · 3 mentioned · 4 commented · 5 rule · 6 group default · 7 requester cc · 8 responsible for the record. */
  reason: number
  events: string[]
  /** The changes that the entry reports, newest first. */
  changeSetIds: string[]
  /** The users who made the changes. */
  actorIds: string[]
  count: number
  text: string
  unread: boolean
  archived: boolean
  snoozedUntil: string | null
  /** The title of the item; empty for other records. */
  title: string
  /** The key of the item; empty for other records. */
  key: string
  /** The id of the item; empty for other records. */
  itemId: string
}

export interface NotificationPreference {
  /** How often mail is sent: 0 never · 1 after 15 minutes · 2 after an hour · 3 once a day. */
  digest: number
  /** No mail is sent outside of the user’s working hours, if these name times of the day. */
  quietHours: boolean
  /** The most notification mails on a day, in the user’s time zone; further ones are sent as one digest in the next morning. Null uses the setting `notify.mailsPerDay` of the tenant. */
  mailsPerDay: number | null
  /** Channels per event. An event without a choice uses both channels. */
  events: { event: string; containerId?: string | undefined; inbox?: boolean | undefined; mail?: boolean | undefined }[]
  userId: string
  /** Whether mail is sent at all: the user has an address and `notifications` is on. */
  mail: boolean
  /** The limit in force: `mailsPerDay`, or the setting of the tenant; 0 is no limit. */
  mailLimit: number
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface Noise {
  /** The first day that is counted (UTC). */
  since: string
  /** New or changed entries of inboxes. */
  inbox: number
  /** Mails to addresses of users. */
  mail: number
  /** Messages whose mail was held, because their reader had got as many mails on that day as the limit allows. */
  held: number
  /** Messages that came with the digest of what was held. */
  digested: number
  /** The mails of the caller today, in their time zone; null with `scope=all`, and if there is no limit. */
  budget: { limit: number; sent: number; held: number; digestAt: string | null } | null
  /** The 50 sources of most messages. */
  sources: { kind: "rule" | "notification" | "watch" | "mention" | "approval" | "warning" | "digest"; id: string; name: string; inbox: number; mail: number; held: number; digested: number }[]
  /** With `scope=all`, the 50 users who got most messages. */
  people: { userId: string; name: string; inbox: number; mail: number; held: number; digested: number }[]
}

/** A webhook: a foreign address to which events are sent, signed according to Standard Webhooks. It receives only what `ownerUser`, the user who last changed its address or selection, may see. `secret` and the values of `headers` are write-only: `***` keeps them. Without a given secret one is generated: the reply to the creation shows it, once, and `rotate-secret` returns a new one. */
export interface Hook {
  entity: "Hook"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  url: string
  events: number[]
  container: string[]
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  /** A secret: `***` if there is one, else empty. A request with `***` keeps it. */
  secret: string
  headers: string[]
  /** A code or its name: 0 `standard` · 1 `thin` · 2 `cloudEvents` · 3 `slack` · 4 `teams`. */
  format: number
  active: boolean
  includePrevious: boolean
  /** The id of a User. */
  ownerUser: string
  /** 0 well · 1 failing · 2 disabled */
  state: number
  failures: number
  failingSince: string | null
  retryAt: string | null
  disabledAt: string | null
  /** The scopes of the credential that decided what this does; it acts within them. Empty: with all rights of its user. */
  scopes: string[]
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** One call to a foreign address, with all its attempts. Only the size and the hash of the body are stored, and only the status of the answer. */
export interface Delivery {
  id: string
  /** The kind of the record that sent it: `Hook`, `Rule` or `Notification`. */
  ownerEntity: string
  ownerId: string
  /** The position of the event in the log. */
  eventSeq?: string | undefined
  eventId?: string | undefined
  /** The name of the event, such as `item.closed`. */
  type?: string | undefined
  entity?: string | undefined
  recordId?: string | undefined
  url: string
  method?: string | undefined
  /** The header `webhook-id`, the same in every attempt. */
  webhookId: string
  created?: string | undefined
  /** A code or its name: 0 `waiting` · 1 `delivered` · 2 `failed` · 3 `cancelled`. */
  state: number
  attempts: number
  /** The HTTP status of the last answer. */
  status?: number | null | undefined
  ms?: number | null | undefined
  error?: string | undefined
  /** Bytes of the body that was sent last. */
  size?: number | null | undefined
  /** SHA-256 of that body, in hex. */
  digest?: string | undefined
  /** The last attempts, the newest last. */
  tries?: { at?: string | undefined; status?: number | null | undefined; ms?: number | null | undefined; error?: string | undefined }[] | undefined
  /** When the next attempt is made. */
  nextAt?: string | null | undefined
}

/** Which fields an item has, which states it goes through, and who may move it on. `fieldId` is the id or the key of a field, or a property that every item has, such as `status`. */
export interface Process {
  entity: "Process"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  key: string
  description: string
  image: string
  itemNoun: string
  order: number
  fields: { fieldId: string; order?: number | undefined; required?: boolean | undefined; requiredAt?: string[] | undefined; readOnlyFor?: string[] | undefined; hiddenFor?: string[] | undefined; default?: unknown }[]
  features: string[]
  workflow: { id?: string | undefined; fieldId?: string | undefined; value?: string | undefined; next?: string | undefined; userGroup?: string[] | undefined; name?: string | undefined; color?: string | undefined; category?: number | undefined; initial?: boolean | undefined; requires?: string[] | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; pausesClock?: boolean | undefined; screenId?: string | undefined }[]
  active: boolean
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

/** An automation: its actions are performed when its trigger occurs and its conditions hold. Values of `httpHeader` are write-only: sending back `Authorization: ***` keeps the stored value. */
export interface Rule {
  entity: "Rule"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  active: boolean
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner: number
  ownerId: string
  /** A code or its name: 0 `event` · 1 `schedule` · 2 `clock` · 3 `manual` · 4 `inboundMail` · 5 `inboundCall` · 6 `dateField` · 7 `inactivity`. */
  trigger: number
  /** A code or name of the table `triggerEvent` (`/api/meta/codes?field=triggerEvent`). */
  triggerEvent: number
  triggerInterval: string
  container: string[]
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[]
  actionValue: { actionType?: number | undefined; field?: string | undefined; value?: unknown; id?: string | undefined; active?: boolean | undefined }[]
  actionEndpoint: { actionType?: number | undefined; url?: string | undefined; httpHeader?: string[] | undefined; to?: string | undefined; text?: string | undefined; id?: string | undefined; active?: boolean | undefined }[]
  order: number
  /** 0 acts after the commit · 1 acts before the commit: it can only set fields (actions 0 to 5) or refuse the change (24). */
  mode: number
  /** The user whose rights apply: `0` or empty for `ownerUser` · `1` for the actor of the event · the id of a user. */
  runAs: string
  /** The user who is responsible for the rule and with whose rights it acts: the last one who changed its behaviour. */
  ownerUser: string
  /** After it has acted, no later rule runs for the same event. */
  stopOnMatch: boolean
  /** Acts at most once on each record. */
  oncePerRecord: boolean
  /** Waits until no further event has come for this duration: `PT5M`. */
  debounce: string
  maxPerHour: number
  /** Does nothing while this clock is open. */
  quietHours: string
  timezone: unknown
  notes: string
  /** The scopes of the credential that decided what this does; it acts within them. Empty: with all rights of its user. */
  scopes: string[]
  /** How often the rule matched, acted and failed, and its average duration. */
  stats: { matched: number; acted: number; failed: number; avgMs: number }
  lastRun: string | null
  lastError: string
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface RuleLogEntry {
  id: string
  ruleId: string
  ruleName: string
  at: string
  /** 0 did not match · 1 acted · 2 matched and changed nothing · 3 failed · 4 reached a loop limit · 5 was skipped. */
  outcome: number
  /** A code or its name: 0 `event` · 1 `schedule` · 2 `clock` · 3 `manual` · 4 `inboundMail` · 5 `inboundCall` · 6 `dateField` · 7 `inactivity`. */
  trigger?: number | undefined
  eventId?: string | null | undefined
  event: string
  recordId?: string | null | undefined
  itemId: string | null
  changeSetId: string | null
  /** The number of rules before it in its chain. */
  depth?: number | undefined
  ms: number
  conditions: { id: string; group: number; leftSide: string; operator: number; rightSide: string; left: string | null; outcome: boolean; fault?: string | undefined }[]
  actions: { id: string; actionType: number; field?: string | undefined; before?: unknown; after?: unknown; note?: string | undefined; reason?: string | undefined; deliveryId?: string | undefined; status?: number | null | undefined; ms?: number | null | undefined }[]
  error: string
}

export interface RuleRun {
  /** The code of the outcome, as in the log; 0 if the conditions do not hold. */
  outcome: number
  changeSetId: string | null
  actions: { id: string; actionType: number; field?: string | undefined; before?: unknown; after?: unknown; note?: string | undefined; reason?: string | undefined; deliveryId?: string | undefined; status?: number | null | undefined; ms?: number | null | undefined }[]
  error: string
}

export interface RuleSecret {
  /** Returned only once. */
  secret: string
  path?: string | undefined
}

export interface RuleRehearsal {
  /** Events that trigger the rule. */
  events: number
  matched: number
  acted: number
  failed: number
  /** Whether the whole time span was read. */
  complete: boolean
  days: { date: string; matched: number; acted: number; failed: number }[]
  /** The messages that the rule itself would send to users: by notices, mails and requests for approvals, without what the saved rules do in turn and what watchers are told of its changes. */
  messages: { count: number; perWeek: number | null; people: { userId: string; count: number }[] }
  /** The first 200 results. */
  would: { at: string; event: string; itemId: string | null; outcome: number; conditions: { id: string; group: number; leftSide: string; operator: number; rightSide: string; left: string | null; outcome: boolean; fault?: string | undefined }[]; actions: { id: string; actionType: number; field?: string | undefined; before?: unknown; after?: unknown; note?: string | undefined; reason?: string | undefined; deliveryId?: string | undefined; status?: number | null | undefined; ms?: number | null | undefined }[]; error: string; next: { ruleId: string; name: string; depth: number; itemId: string | null; outcome: number; actions: { id: string; actionType: number; field?: string | undefined; before?: unknown; after?: unknown; note?: string | undefined; reason?: string | undefined; deliveryId?: string | undefined; status?: number | null | undefined; ms?: number | null | undefined }[]; error: string; loop: string[] }[] }[]
}

export interface RuleDryRun {
  id: string
  /** The name of the rule. */
  name: string
  /** 0 running · 1 done · 2 cancelled · 3 failed. */
  state: number
  since: string
  until: string
  /** Up to when the period is done. */
  reached: string
  /** The part of the period that is done, from 0 to 1. */
  progress: number
  /** Events of the log that were read, or items that were due. */
  events: number
  /** How many of them trigger the rule, on items that the caller sees. */
  triggered: number
  matched: number
  acted: number
  failed: number
  /** The results that are kept, at most 10000. */
  listed: number
  /** How often each condition held, of all events that trigger the rule. */
  conditions: { id: string; group: number; leftSide: string; operator: number; rightSide: string; held: number }[]
  days: { date: string; matched: number; acted: number; failed: number }[]
  /** The messages that the rule itself would send to users: by notices, mails and requests for approvals, without what the saved rules do in turn and what watchers are told of its changes. */
  messages: { count: number; perWeek: number | null; people: { userId: string; count: number }[] }
  /** Why it failed. */
  error: string
  began: string
  ended: string | null
  /** When it is deleted: after 7 days. */
  expires: string
}

export interface RuleDryRunResult {
  n: number
  at: string
  event: string
  itemId: string | null
  /** The code of the outcome, as in the log. */
  outcome: number
  conditions: { id: string; group: number; leftSide: string; operator: number; rightSide: string; left: string | null; outcome: boolean; fault?: string | undefined }[]
  actions: { id: string; actionType: number; field?: string | undefined; before?: unknown; after?: unknown; note?: string | undefined; reason?: string | undefined; deliveryId?: string | undefined; status?: number | null | undefined; ms?: number | null | undefined }[]
  error: string
  /** What the saved rules would do in turn, within the limits of chains. */
  next: { ruleId: string; name: string; depth: number; itemId: string | null; outcome: number; actions: { id: string; actionType: number; field?: string | undefined; before?: unknown; after?: unknown; note?: string | undefined; reason?: string | undefined; deliveryId?: string | undefined; status?: number | null | undefined; ms?: number | null | undefined }[]; error: string; loop: string[] }[]
}

/** A request to a group to approve something about an item, made by a rule or by a user who may update the item. It is approved as soon as `quorum` (0 means 1) members approve, and rejected with the first rejection. */
export interface Approval {
  entity: "Approval"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of an Item. */
  itemId: string
  /** The group whose members vote, including its subgroups. */
  groupId: string
  quorum: number
  /** 0 pending · 1 approved · 2 rejected · 3 cancelled. */
  state: number
  /** The question to the group. */
  text: string
  votes: { userId?: string | undefined; decision?: number | undefined; comment?: string | undefined; at?: string | undefined }[]
  /** The consequence of an approval: a step or a state of the workflow (as action 6 takes it), or a list of actions as in `actionValue` of rules. */
  onApprove: unknown
  /** The consequence of a rejection: a step or a state of the workflow (as action 6 takes it), or a list of actions as in `actionValue` of rules. */
  onReject: unknown
  until: string | null
  /** The user whose change requested it; they vote only if the group has no other member. */
  askedBy: string
  /** The rule that requested it. */
  ruleId: string
  decidedAt: string | null
  /** The scopes of the credential that decided what this does; it acts within them. Empty: with all rights of its user. */
  scopes: string[]
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface SuggestedArticle {
  /** The document. */
  id: string
  title: string
  /** HTML: escaped text, with `<mark>` around what was found. */
  snippet: string
}

export interface ArticleSuggestions {
  /** Names what is suggested for this request, for a day. */
  session: string
  /** At most 5, the best first. */
  articles: SuggestedArticle[]
}

export interface ArticleUsage {
  /** To how many it was suggested while they wrote a request. */
  suggested: number
  /** How many opened it, each counted once. */
  views: number
  /** How many of them said that it helped. */
  helped: number
  /** How many of them said that it did not. */
  notHelped: number
  /** How many said so after it was suggested for a request, and filed none. */
  ticketsAvoided: number
  /** How many public replies link to it. */
  usedInReplies: number
}

export interface Hit {
  /** The name of the kind in the query. */
  kind: "item" | "annotation" | "document" | "file" | "user" | "container" | "filter" | "board" | "crm"
  entity: "Item" | "Annotation" | "Document" | "File" | "User" | "Container" | "ContainerFilter" | "Board" | "Crm"
  id: string
  /** The key of the item or container, of the annotation’s item, or the code of the customer. */
  key?: string | undefined
  title: string
  /** The item of an annotation. */
  itemId?: string | undefined
  container: { id: string; key: string; name: string } | null
  /** HTML: escaped text, with `<mark>` around what was found. */
  snippet: string
  rank: number
  updated: string
}

export interface TimesheetRow {
  /** The local day of the entry, at 00:00Z. */
  date: string
  totalMinutes: number
  /** The key and title of the item, or the code and name of the non-billable code. */
  label: string
  /** A code or its name: 0 `no` · 1 `yes`. */
  isBillable: 0 | 1
  /** The exact length; `totalMinutes` is rounded. */
  seconds?: number | undefined
  timeId?: string | undefined
  itemId?: string | null | undefined
  note?: string | undefined
}

export interface WorkCard {
  entity: "Item"
  id: string
  key?: string | undefined
  title?: string | undefined
  status?: string | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | undefined
  assignees?: string[] | undefined
  dueDate?: string | null | undefined
  /** The id of a Container. */
  containerId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  /** The id of an Item. */
  parentId?: string | undefined
  points?: number | undefined
  estimateMinutes?: number | undefined
  spentMinutes?: number | undefined
  /** The names of the labels. */
  Tags?: string[] | undefined
  updated?: string | undefined
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** With `include=clock`: how each promise stood when something last happened to it; `GET /item/:id/clock` counts to this moment. Requesters get `kind`, `cycle`, `state`, `dueAt`, `metAt` and `breachedAt`, and no targets of the kinds 5 and 6. */
  clock?: { clockId?: string | undefined; targetId?: string | undefined; kind: number; cycle: number; state: number; startedAt?: string | null | undefined; amberAt?: string | null | undefined; redAt?: string | null | undefined; dueAt: string | null; pausedSince?: string | null | undefined; metAt?: string | null | undefined; breachedAt?: string | null | undefined }[] | undefined
}

/** A request to a group to approve something about an item, made by a rule or by a user who may update the item. It is approved as soon as `quorum` (0 means 1) members approve, and rejected with the first rejection. */
export interface ApprovalWithItem {
  entity: "Approval"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  /** The id of an Item. */
  itemId: string
  /** The group whose members vote, including its subgroups. */
  groupId: string
  quorum: number
  /** 0 pending · 1 approved · 2 rejected · 3 cancelled. */
  state: number
  /** The question to the group. */
  text: string
  votes: { userId?: string | undefined; decision?: number | undefined; comment?: string | undefined; at?: string | undefined }[]
  /** The consequence of an approval: a step or a state of the workflow (as action 6 takes it), or a list of actions as in `actionValue` of rules. */
  onApprove: unknown
  /** The consequence of a rejection: a step or a state of the workflow (as action 6 takes it), or a list of actions as in `actionValue` of rules. */
  onReject: unknown
  until: string | null
  /** The user whose change requested it; they vote only if the group has no other member. */
  askedBy: string
  /** The rule that requested it. */
  ruleId: string
  decidedAt: string | null
  /** The scopes of the credential that decided what this does; it acts within them. Empty: with all rights of its user. */
  scopes: string[]
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check?: { path: string; code: string; message: string }[] | undefined
  item?: WorkCard | undefined
}

export interface MyWork {
  /** Started. */
  now: WorkCard[]
  /** Due before today, where the caller is. */
  overdue: WorkCard[]
  /** With a running clock: red ones first, then by the next breach. */
  waiting: WorkCard[]
  /** Due within seven days. */
  soon: WorkCard[]
  /** The rest: due later, or on no day. */
  later: WorkCard[]
  /** What the caller changed or wrote on last, beside the items of the other lists. */
  recent: WorkCard[]
  /** Pending approvals that wait for the vote of the caller, each with its item. */
  approvals: ApprovalWithItem[]
  /** How many there are in all; 200 approvals mean 200 or more. */
  counts: { now: number; overdue: number; waiting: number; soon: number; later: number; approvals: number }
}

export interface QueryResult {
  columns: { name: string; kind: string; role: "dimension" | "measure" }[]
  rows: { drill: string | null }[]
  /** The measures over all records that were counted. */
  total: Record<string, unknown>
  /** The number of groups, also of those beyond `limit`. */
  groups: number
}

export interface LeadTimeRow {
  container?: string | null | undefined
  containerLabel?: string | null | undefined
  process?: string | null | undefined
  processLabel?: string | null | undefined
  area?: string | null | undefined
  areaLabel?: string | null | undefined
  customer?: string | null | undefined
  customerLabel?: string | null | undefined
  assignee?: string | null | undefined
  assigneeLabel?: string | null | undefined
  priority?: number | null | undefined
  severity?: number | null | undefined
  day?: string | null | undefined
  week?: string | null | undefined
  month?: string | null | undefined
  quarter?: string | null | undefined
  year?: string | null | undefined
  /** The items that were closed. */
  items: number | null
  /** Those of them that have such a length. */
  measured: number | null
  /** In hours. */
  average: number | null
  /** The median in hours. */
  p50: number | null
  /** In hours. */
  p85: number | null
  /** In hours. */
  p95: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface CycleTimeRow {
  container?: string | null | undefined
  containerLabel?: string | null | undefined
  process?: string | null | undefined
  processLabel?: string | null | undefined
  area?: string | null | undefined
  areaLabel?: string | null | undefined
  customer?: string | null | undefined
  customerLabel?: string | null | undefined
  assignee?: string | null | undefined
  assigneeLabel?: string | null | undefined
  priority?: number | null | undefined
  severity?: number | null | undefined
  day?: string | null | undefined
  week?: string | null | undefined
  month?: string | null | undefined
  quarter?: string | null | undefined
  year?: string | null | undefined
  /** The items that were closed. */
  items: number | null
  /** Those of them that have such a length. */
  measured: number | null
  /** In hours. */
  average: number | null
  /** The median in hours. */
  p50: number | null
  /** In hours. */
  p85: number | null
  /** In hours. */
  p95: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface TimeInStatusRow {
  container?: string | null | undefined
  containerLabel?: string | null | undefined
  process?: string | null | undefined
  processLabel?: string | null | undefined
  area?: string | null | undefined
  areaLabel?: string | null | undefined
  customer?: string | null | undefined
  customerLabel?: string | null | undefined
  assignee?: string | null | undefined
  assigneeLabel?: string | null | undefined
  priority?: number | null | undefined
  severity?: number | null | undefined
  status?: string | null | undefined
  category?: number | null | undefined
  /** The stays in the period. */
  stays: number | null
  /** The items with such a stay. */
  items: number | null
  /** All hours. */
  hours: number | null
  /** The mean of an item. */
  hoursPerItem: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface CumulativeFlowRow {
  date: string
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  category: number
  items: number
  /** The token of the records of this row. */
  drill: string | null
}

export interface BurnRow {
  date: string
  scope?: CycleAmount | undefined
  done?: CycleAmount | undefined
  inProgress?: CycleAmount | undefined
  remaining?: CycleAmount | undefined
  ideal?: CycleAmount | undefined
  /** The token of the records of this row. */
  drill: string | null
}

export interface BacklogAgeRow {
  age?: string | null | undefined
  container?: string | null | undefined
  containerLabel?: string | null | undefined
  process?: string | null | undefined
  processLabel?: string | null | undefined
  area?: string | null | undefined
  areaLabel?: string | null | undefined
  customer?: string | null | undefined
  customerLabel?: string | null | undefined
  assignee?: string | null | undefined
  assigneeLabel?: string | null | undefined
  priority?: number | null | undefined
  severity?: number | null | undefined
  status?: string | null | undefined
  /** The open items. */
  items: number | null
  /** The mean of their ages. */
  averageDays: number | null
  /** The greatest age. */
  oldestDays: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface SlaAttainmentRow {
  clock?: string | null | undefined
  clockLabel?: string | null | undefined
  target?: string | null | undefined
  kind?: number | null | undefined
  container?: string | null | undefined
  containerLabel?: string | null | undefined
  process?: string | null | undefined
  processLabel?: string | null | undefined
  area?: string | null | undefined
  areaLabel?: string | null | undefined
  customer?: string | null | undefined
  customerLabel?: string | null | undefined
  assignee?: string | null | undefined
  assigneeLabel?: string | null | undefined
  priority?: number | null | undefined
  severity?: number | null | undefined
  day?: string | null | undefined
  week?: string | null | undefined
  month?: string | null | undefined
  quarter?: string | null | undefined
  year?: string | null | undefined
  /** Met in time. */
  met: number | null
  /** Met after the due time. */
  metLate: number | null
  /** Overdue, and not met yet. */
  breached: number | null
  /** All of these. */
  decided: number | null
  /** Met in time ÷ decided; null without any. */
  attainment: number | null
  /** Cancelled. */
  cancelled: number | null
  /** Not overdue yet. */
  running: number | null
  /** Paused. */
  paused: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface FirstResponseRow {
  container?: string | null | undefined
  containerLabel?: string | null | undefined
  process?: string | null | undefined
  processLabel?: string | null | undefined
  area?: string | null | undefined
  areaLabel?: string | null | undefined
  customer?: string | null | undefined
  customerLabel?: string | null | undefined
  assignee?: string | null | undefined
  assigneeLabel?: string | null | undefined
  priority?: number | null | undefined
  severity?: number | null | undefined
  channel?: number | null | undefined
  day?: string | null | undefined
  week?: string | null | undefined
  month?: string | null | undefined
  quarter?: string | null | undefined
  year?: string | null | undefined
  /** The tickets. */
  tickets: number | null
  /** Those with a reply. */
  answered: number | null
  /** Those without one. */
  unanswered: number | null
  /** In hours. */
  average: number | null
  /** The median in hours. */
  p50: number | null
  /** In hours. */
  p85: number | null
  /** In hours. */
  p95: number | null
  /** In hours of working time. */
  workingAverage: number | null
  /** The median in hours of working time. */
  workingP50: number | null
  /** In hours of working time. */
  workingP85: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface SatisfactionRow {
  container?: string | null | undefined
  containerLabel?: string | null | undefined
  process?: string | null | undefined
  processLabel?: string | null | undefined
  area?: string | null | undefined
  areaLabel?: string | null | undefined
  customer?: string | null | undefined
  customerLabel?: string | null | undefined
  assignee?: string | null | undefined
  assigneeLabel?: string | null | undefined
  priority?: number | null | undefined
  severity?: number | null | undefined
  day?: string | null | undefined
  week?: string | null | undefined
  month?: string | null | undefined
  quarter?: string | null | undefined
  year?: string | null | undefined
  /** The tickets that were closed. */
  closed: number | null
  /** Those with a score. */
  answers: number | null
  /** Those with 4 or 5. */
  good: number | null
  /** Good ÷ answers; null without any. */
  satisfaction: number | null
  /** Answers ÷ closed. */
  answerRate: number | null
  /** From 1 to 5. */
  averageScore: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface KnowledgeRow {
  document?: string | null | undefined
  documentLabel?: string | null | undefined
  day?: string | null | undefined
  week?: string | null | undefined
  month?: string | null | undefined
  quarter?: string | null | undefined
  year?: string | null | undefined
  /** To how many an article was suggested. */
  suggested: number | null
  /** How many opened it. */
  views: number | null
  /** How many said that it helped. */
  helped: number | null
  /** How many said that it did not. */
  notHelped: number | null
  /** Helped ÷ views; null without any. */
  helpfulness: number | null
  /** The tickets that were avoided. */
  ticketsAvoided: number | null
  /** The public replies that link to it. */
  usedInReplies: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface TeamTimesheetRow {
  userId: string
  userName: string
  /** The local day of the entry, at 00:00Z. */
  date: string
  totalMinutes: number
  seconds: number
  /** The key and title of the item, or the code and name of the non-billable code. */
  label: string
  /** A code or its name: 0 `no` · 1 `yes`. */
  isBillable: 0 | 1
  /** A code or its name: 0 `draft` · 1 `logged` · 2 `submitted` · 3 `approved` · 4 `rejected` · 5 `invoiced` · 6 `locked`. */
  state: number
  timeId: string
  itemId: string | null
  note: string
  /** The token of the records of this row. */
  drill: string | null
}

export interface UtilisationRow {
  user?: string | undefined
  userLabel?: string | undefined
  day?: string | undefined
  week?: string | undefined
  month?: string | undefined
  quarter?: string | undefined
  year?: string | undefined
  /** The seconds that could be worked. */
  capacity: number
  /** The seconds that were worked. */
  worked: number
  /** Those that are billable. */
  billable: number
  utilisation: number | null
  occupation: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface WorkloadRow {
  user: string
  userLabel: string
  items: number
  /** Minutes. */
  remaining: number
  /** Minutes. */
  capacity: number
  load: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface PlanVersusActualRow {
  user?: string | undefined
  userLabel?: string | undefined
  container?: string | undefined
  containerLabel?: string | undefined
  crm?: string | undefined
  crmLabel?: string | undefined
  day?: string | undefined
  week?: string | undefined
  month?: string | undefined
  /** The seconds that are firmly planned. */
  planned: number
  /** Those that are tentative or proposed. */
  tentative: number
  /** The seconds that were booked, without drafts. */
  actual: number
  /** `actual − planned`. */
  delta: number
  /** `actual ÷ planned`; null if nothing was planned. */
  attainment: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface RealisationRow {
  /** The customer; null for work without one. */
  crm?: string | null | undefined
  crmLabel?: string | null | undefined
  month?: string | undefined
  currency: string
  /** The entries in containers whose amounts the caller may not read; they are in no sum. Absent if there are none. */
  withheld?: number | undefined
  /** The value of the work. */
  worked: string
  /** Issued, less credit notes. */
  net: string
  /** The value of the work that is on no document. */
  unbilled: string
  realisation: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface ProfitabilityRow {
  /** The customer; null for work without one. */
  crm?: string | null | undefined
  crmLabel?: string | null | undefined
  month?: string | undefined
  currency: string
  /** The entries in containers whose amounts the caller may not read; they are in no sum. Absent if there are none. */
  withheld?: number | undefined
  /** Issued, less credit notes. */
  net: string
  /** Null in the rows of other currencies. */
  cost: string | null
  margin: string | null
  marginRatio: number | null
  /** The value of the work that is on no document. */
  unbilled: string
  mixedCurrency: boolean
  /** The token of the records of this row. */
  drill: string | null
}

export interface BudgetRow {
  budget: string
  budgetLabel: string
  /** A code or its name: 0 `minutes` · 1 `cost` · 2 `value`. */
  unit: number
  currency: string
  from: string | null
  to: string | null
  /** What the budget holds. */
  current: string
  /** The rest of earlier periods; a part of `current`. */
  carried: string
  /** What was used. */
  actual: string
  /** What is planned firmly. */
  committed: string
  /** current − actual − committed */
  available: string
  /** What will be used. */
  forecast: string
  /** Percent of `current`. */
  used: string | null
  exhaustedOn: string | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface CostCentersRow {
  costCenter?: string | null | undefined
  costCenterLabel?: string | null | undefined
  user?: string | null | undefined
  userLabel?: string | null | undefined
  container?: string | null | undefined
  containerLabel?: string | null | undefined
  currency?: string | null | undefined
  day?: string | null | undefined
  week?: string | null | undefined
  month?: string | null | undefined
  quarter?: string | null | undefined
  year?: string | null | undefined
  /** The entries, or parts of entries. */
  entries: number | null
  /** Their length. */
  seconds: number | null
  /** What they cost, in the currency of the tenant; of containers where the caller has `cost.read`; null without it. */
  cost: string | null
  /** What customers pay for them, in containers where the caller has `bill.read`; null without it, and where there are several currencies: group by currency. */
  value: string | null
  /** The entries, or parts, in containers where the caller may not read one of the amounts, which is not in its sum. */
  withheld: number | null
  /** The token of the records of this row. */
  drill: string | null
}

export interface AuditRow {
  actor?: string | null | undefined
  actorLabel?: string | null | undefined
  actorKind?: string | null | undefined
  kind?: string | null | undefined
  entity?: string | null | undefined
  day?: string | null | undefined
  week?: string | null | undefined
  month?: string | null | undefined
  quarter?: string | null | undefined
  year?: string | null | undefined
  /** The events. */
  events: number | null
  /** The records that they are about. */
  records: number | null
  /** The change sets, which are requests or runs of rules. */
  changeSets: number | null
  /** The token of the records of this row. */
  drill: string | null
}

/** A report or a query that a user keeps, and the users and groups who may run it too. It belongs to its creator, who alone changes it, besides admins. Each run has the rights of whoever runs it. */
export interface SavedReport {
  entity: "SavedReport"
  tenantId: string
  id: string
  created: string
  createdBy: string
  updated: string
  updatedBy: string
  deleted: boolean
  /** Counts the changes; the ETag is "v" and this number. */
  version: number
  name: string
  description: string
  /** The name of a report, such as `utilisation`; empty if it is a query. */
  report: string
  /** The request of the report, as it is sent to `POST /api/insight/report/{name}`. */
  input: Record<string, unknown>
  /** Gives the report its `startDate` and `endDate` on the day on which it runs, in its time zone; empty if `input` has them. */
  period: "" | "today" | "yesterday" | "thisWeek" | "lastWeek" | "thisMonth" | "lastMonth" | "thisQuarter" | "lastQuarter" | "thisYear" | "lastYear"
  query: { entity: "Item" | "Ticket" | "Time" | "Invoice" | "BudgetEntry" | "Event"; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; groupBy?: { field: string; bucket?: "day" | "week" | "month" | "quarter" | "year" | undefined; as?: string | undefined }[] | undefined; measures?: { op: "count" | "countDistinct" | "sum" | "avg" | "min" | "max" | "percentile"; field?: string | undefined; p?: number | undefined; as?: string | undefined }[] | undefined; timezone?: unknown; sort?: string | undefined; limit?: number | undefined; archived?: "include" | "only" | undefined } | null
  /** The users and groups with whom its owner shares it. */
  shared: string[]
  /** What of the record is stored but inert, and why. Empty if every part has an effect. */
  check: { path: string; code: string; message: string }[]
}

export interface ChangePart {
  entity: string
  verb: "created" | "changed" | "deleted" | "restored"
  records: number
  /** The properties that changed; `Field` for custom fields. */
  properties: string[]
}

/** The undo of a large change set: the one that was begun last, or null. */
export type UndoRun = { id: string; state: number; records: number; skippedRecords: number; conflicts: Record<string, unknown>[]; error: string } | null

export interface ListedChange {
  id: string
  at: string
  actor: { id: string; kind: string }
  /** The rule that did it, if one did. */
  via?: { ruleId?: string | undefined } | undefined
  /** What was done, in English: `12 items changed: priority, status`. */
  summary: string
  /** What was done, for clients that say it in another language; that of the most records first. */
  parts: ChangePart[]
  /** The numbers of changed records by kind. */
  entities: Record<string, number>
  records: number
  /** False if there are more records than were counted. */
  exact: boolean
  /** The change set that undid this one, or null. */
  undoneBy: string | null
  undoing: UndoRun
  /** The change set that this one undid, or null. */
  undoes: string | null
  /** Whether an undo can be tried; `?dryRun=true` tells of conflicts. */
  undoable: boolean
  /** Why it cannot be undone. */
  reason: "already-undone" | "forbidden" | null
}

export interface Change {
  id: string
  at: string
  actor: { id: string; kind: string }
  /** The rule that did it, if one did. */
  via?: { ruleId?: string | undefined } | undefined
  /** What was done, in English: `12 items changed: priority, status`. */
  summary: string
  /** What was done, for clients that say it in another language; that of the most records first. */
  parts: ChangePart[]
  /** The numbers of changed records by kind. */
  entities: Record<string, number>
  records: number
  /** False if there are more records than were counted. */
  exact: boolean
  /** The change set that undid this one, or null. */
  undoneBy: string | null
  undoing: UndoRun
  /** The change set that this one undid, or null. */
  undoes: string | null
  /** Whether an undo can be tried; `?dryRun=true` tells of conflicts. */
  undoable: boolean
  /** Why it cannot be undone. */
  reason: "already-undone" | "forbidden" | null
  events: Event[]
}

export interface SkippedRecord {
  entity: string
  recordId: string
  /** The record was changed since, others refer to it, or the caller does not see it. */
  reason: "changed" | "used" | "not-found"
  /** The properties: `{property, expected, current}`. */
  conflicts: Record<string, unknown>[]
}

export interface Undone {
  /** The change set that was undone. */
  undone: string
  /** The number of records that were undone. */
  records: number
  /** The first 100 records that were left out, with `conflicts=skip`. */
  skipped: SkippedRecord[]
  /** The number of all records that were left out. */
  skippedRecords: number
  /** What could not be taken back, such as a mail that was sent. */
  warnings: string[]
  undoing: UndoRun
}

export interface BulkRecordOutcome {
  index: number
  id?: string | undefined
  outcome: "created" | "updated" | "unchanged" | "failed"
  /** The HTTP status that the row alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
  warnings?: string[] | undefined
}

export interface BulkUserChange {
  id: string
  outcome: "updated" | "unchanged" | "failed"
  /** The HTTP status that the record alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

export interface BulkUserDeletion {
  id: string
  outcome: "deleted" | "failed"
  /** The HTTP status that the record alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

export interface BulkLabelChange {
  id: string
  outcome: "updated" | "unchanged" | "failed"
  /** The HTTP status that the record alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

export interface BulkLabelDeletion {
  id: string
  outcome: "deleted" | "failed"
  /** The HTTP status that the record alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

export interface BulkContainerChange {
  id: string
  outcome: "updated" | "unchanged" | "failed"
  /** The HTTP status that the record alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

export interface BulkContainerDeletion {
  id: string
  outcome: "deleted" | "failed"
  /** The HTTP status that the record alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

export interface BulkLinkChange {
  id: string
  outcome: "updated" | "unchanged" | "failed"
  /** The HTTP status that the record alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

export interface BulkLinkDeletion {
  id: string
  outcome: "deleted" | "failed"
  /** The HTTP status that the record alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

export interface BulkAnnotationChange {
  id: string
  outcome: "updated" | "unchanged" | "failed"
  /** The HTTP status that the record alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

export interface BulkAnnotationDeletion {
  id: string
  outcome: "deleted" | "failed"
  /** The HTTP status that the record alone would have. */
  status: number
  version?: number | undefined
  code?: string | undefined
  detail?: string | undefined
  Fields?: Record<string, unknown>[] | undefined
}

/** Records by kind and natural key; an absent property stays unchanged. `${Kind:key}` stands for the id of a record. */
export interface Configuration {
  format: "gantry-configuration"
  version: 1
  kinds: Record<string, Record<string, Record<string, unknown>>>
}

export interface ConfigurationPlan {
  /** Identifies the plan; `apply` refuses if the plan has changed. */
  planHash: string
  steps: { kind: string; key: string; action: "add" | "change" | "remove"; id: string; changes: Record<string, unknown>; affected: { entity: string; count: number }[] }[]
  warnings: { pointer: string; code: string; message: string }[]
}

export interface ConfigurationApplied {
  /** The number of records that were changed. */
  applied: number
  /** Identifies the plan; `apply` refuses if the plan has changed. */
  planHash: string
  steps: { kind: string; key: string; action: "add" | "change" | "remove"; id: string; changes: Record<string, unknown>; affected: { entity: string; count: number }[] }[]
  warnings: { pointer: string; code: string; message: string }[]
}

export interface MyConfig {
  caller: { id: string; tenantId: string; name: string; timezone: string; kind: string; superAdmin: boolean }
  /** The areas of the API that are there. */
  features: string[]
  /** Every permission by name: whether the caller has it in the whole tenant. */
  permissions: Record<string, boolean>
  /** Permissions that the caller has in some places only: the `containers` and `areas`, by id. */
  places: Record<string, Record<string, unknown>>
  /** The effective values of the settings that a user can change. */
  settings: Record<string, unknown>
  /** Changes when a process or a field changes; for caching. */
  catalogueHash: string
}

export interface SessionState {
  user: { id: string; name: string; initials: string; email: string; locale: string; timezone: string; darkMode: string; avatarFileId: string | null; role: number; superAdmin: boolean }
  tenant: { id: string; name: string; slug: string; locale: string; timezone: string; branding: Record<string, unknown>; weekStart: string; currency: string; status: number }
  /** The permissions that the caller has in the whole tenant; `item.*` stands for all of an area. */
  permissions: string[]
  /** Permissions that the caller has in some places only: the `containers` and `areas`, by id. */
  places: Record<string, Record<string, unknown>>
  /** The setting `ui.preferences`. */
  preferences: Record<string, unknown>
  /** The containers that the caller sees and that are not archived: starred ones first, then by name; at most 30. */
  containers: { id: string; key: string; name: string; kind: number; processIds: string[] }[]
  /** There are more containers than these. */
  moreContainers: boolean
  /** What the caller has starred and still sees, in the order of the preferences, with the container in which it is shown. */
  starred: { entity: string; id: string; name: string; containerId: string | null }[]
  /** The number of unread inbox entries; 1000 means 1000 or more. */
  unread: number
  /** The running timer. */
  timer: Timer | null
  /** The features of the tenant. */
  features: string[]
  /** The version of the service. */
  version: string
  /** The clock of the service. */
  now: string
  /** Changes when a process or a field changes; for caching. */
  catalogueHash: string
}

export interface EntityDescription {
  entity: string
  description: string
  create: Record<string, unknown>
  update: Record<string, unknown>
  answer: Record<string, unknown>
  fields: { id: string; key: string; name: string; fieldType: string; options: unknown[]; usage: unknown[]; multiple: boolean; unique: boolean; prompt: string; help: string }[]
}

export interface BatchReply {
  results: { index: number; as?: string | undefined; status: number; body?: unknown }[]
}

export interface PortalType {
  containerId: string
  /** The name of the service desk. */
  desk: string
  /** Empty at a desk without processes. */
  processId: string
  name: string
  description: string
  image: string
  /** Whether a ticket without `processId` is of this type. */
  isDefault: boolean
}

export interface PortalFront {
  branding: { name: string; logoUrl: string; color: string }
  locale: string
  /** At most 200. */
  types: PortalType[]
}

export interface PortalArticle {
  id: string
  title: string
  /** Sanitised HTML. */
  html: string
  updated: string
  /** With which the reader says whether it helped. */
  session: string
}

export interface VisitorMessage {
  id: string
  at: string
  /** The name of the visitor, or of the user who answers. */
  author: string
  /** Whether the visitor wrote it. */
  own: boolean
  text: string
}

export interface BegunVisitorChat {
  token: string
  chatId: string
  /** Whether it accepts no more messages. */
  ended: boolean
  /** The key of the ticket that the chat became; else empty. */
  ticket: string
  /** The oldest first, at most 200. */
  messages: VisitorMessage[]
}

export interface VisitorChat {
  chatId: string
  /** Whether it accepts no more messages. */
  ended: boolean
  /** The key of the ticket that the chat became; else empty. */
  ticket: string
  /** The oldest first, at most 200. */
  messages: VisitorMessage[]
}

export interface LeftVisitorChat {
  /** The key of the ticket that the chat became; else empty. */
  ticket: string
}

export interface FiledVisitorTicket {
  /** Its key. */
  ticket: string
  /** By which the visitor follows it; null if links are switched off. */
  link: { url: string; expiresAt: string } | null
}

export interface GuestTicket {
  key: string
  title?: string | undefined
  description?: string | undefined
  status?: string | undefined
  statusCategory?: number | undefined
  waitingOn?: number | undefined
  created: string
  closedAt?: string | null | undefined
  /** The name of the service desk. */
  desk: string
  /** What was promised, as `include=clock` shows it to requesters. */
  clock: Record<string, unknown>[]
  satisfaction: { score?: number | undefined; comment?: string | undefined } | null
  can: { close: boolean; reopen: boolean; rate: boolean }
  /** The public conversation, oldest first: at most the newest 500. */
  messages: { id: string; at: string; author: string; own: boolean; html: string; files: string[]; attachments: { id: string; name: string; size: number }[]; articles: { id: string; title: string; url: string }[] }[]
  /** How long the link is valid. */
  expiresAt: string
}

export interface ChangedGuestTicket {
  key: string
  title?: string | undefined
  description?: string | undefined
  status?: string | undefined
  statusCategory?: number | undefined
  waitingOn?: number | undefined
  created: string
  closedAt?: string | null | undefined
  /** The name of the service desk. */
  desk: string
  /** What was promised, as `include=clock` shows it to requesters. */
  clock: Record<string, unknown>[]
  satisfaction: { score?: number | undefined; comment?: string | undefined } | null
  can: { close: boolean; reopen: boolean; rate: boolean }
  /** The public conversation, oldest first: at most the newest 500. */
  messages: { id: string; at: string; author: string; own: boolean; html: string; files: string[]; attachments: { id: string; name: string; size: number }[]; articles: { id: string; title: string; url: string }[] }[]
  /** How long the link is valid. */
  expiresAt: string
  /** The link to the ticket that has the message, if this one was closed too long ago. */
  followUp?: { url: string; expiresAt: string } | undefined
}

export interface PutTenant {
  name?: string | undefined
  locale?: string | null | undefined
  timezone?: unknown
  currency?: string | null | undefined
  weekStart?: unknown
  /** The id of a Clock. */
  defaultClockId?: string | null | undefined
  branding?: { title?: string | undefined; color?: string | undefined; logoUrl?: string | undefined; supportEmail?: string | undefined } | null | undefined
  domains?: string[] | null | undefined
  features?: string[] | null | undefined
  retention?: { deletedDays?: number | undefined; archivedDays?: number | undefined; eventDays?: number | undefined; chatDays?: number | undefined; mailDays?: number | undefined } | null | undefined
  /** 0 active · 1 suspended: read only · 2 closing: only super admins, to export. */
  status?: number | null | undefined
  region?: string | null | undefined
  quotas?: { users?: number | undefined; storageBytes?: number | undefined; apiKeys?: number | undefined; itemsPerMinute?: number | undefined; requestsPerMinute?: number | undefined; strangerMailsPerDay?: number | undefined } | null | undefined
}

export interface NewTenant {
  name: string
  /** The name in addresses; derived from the name of the tenant if absent. */
  slug?: string | undefined
  /** The address of its first super admin. */
  email: string
  /** The language of the tenant, such as `de-AT`: also that of the container “Start here” (`de`, else `en`). */
  locale?: string | undefined
  /** Creates the container “Start here”, whose items teach by doing. */
  startHere?: boolean | undefined
}

export interface NewUser {
  name: string
  initials?: string | null | undefined
  email?: unknown
  locale?: string | null | undefined
  timezone?: unknown
  darkMode?: string | null | undefined
  costCenter?: string | null | undefined
  jobRole?: string | null | undefined
  workingHours?: string | null | undefined
  notifications?: boolean | null | undefined
  superAdmin?: boolean | null | undefined
  active?: boolean | null | undefined
  /** Until then an administrator has locked the user: sign-in, sessions, API keys and rules stop. */
  locked?: string | null | undefined
  /** A code or its name: 0 `staff` · 1 `requester` · 2 `service` · 3 `placeholder` · 4 `agent`. */
  kind?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  role?: number | null | undefined
  phone?: string | null | undefined
  externalId?: string | null | undefined
  login?: string | null | undefined
  /** The id of a File. */
  avatarFileId?: string | null | undefined
  /** The id or the e-mail address of a User. */
  managerId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | null | undefined
  skills?: string[] | null | undefined
  capacity?: { from: string; to?: string | null | undefined; minutesPerWeekday?: number[] | undefined; clockId?: string | undefined }[] | null | undefined
  split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | null | undefined
  absence?: { from: string; to?: string | null | undefined; kind?: number | undefined; note?: string | undefined; fromHalf?: number | undefined; toHalf?: number | undefined }[] | null | undefined
  rates?: { from: string; to?: string | null | undefined; cost?: string | null | undefined; bill?: string | null | undefined; currency?: string | undefined }[] | null | undefined
}

export interface PutUser {
  name?: string | undefined
  initials?: string | null | undefined
  email?: unknown
  locale?: string | null | undefined
  timezone?: unknown
  darkMode?: string | null | undefined
  costCenter?: string | null | undefined
  jobRole?: string | null | undefined
  workingHours?: string | null | undefined
  notifications?: boolean | null | undefined
  superAdmin?: boolean | null | undefined
  active?: boolean | null | undefined
  /** Until then an administrator has locked the user: sign-in, sessions, API keys and rules stop. */
  locked?: string | null | undefined
  /** A code or its name: 0 `staff` · 1 `requester` · 2 `service` · 3 `placeholder` · 4 `agent`. */
  kind?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  role?: number | null | undefined
  phone?: string | null | undefined
  externalId?: string | null | undefined
  login?: string | null | undefined
  /** The id of a File. */
  avatarFileId?: string | null | undefined
  /** The id or the e-mail address of a User. */
  managerId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | null | undefined
  skills?: string[] | null | undefined
  capacity?: { from: string; to?: string | null | undefined; minutesPerWeekday?: number[] | undefined; clockId?: string | undefined }[] | null | undefined
  split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | null | undefined
  absence?: { from: string; to?: string | null | undefined; kind?: number | undefined; note?: string | undefined; fromHalf?: number | undefined; toHalf?: number | undefined }[] | null | undefined
  rates?: { from: string; to?: string | null | undefined; cost?: string | null | undefined; bill?: string | null | undefined; currency?: string | undefined }[] | null | undefined
}

export interface UpdateManyUser {
  ids: string[]
  /** Changes all records, or none if one is refused. */
  atomic?: boolean | undefined
  patch: { name?: string | undefined; initials?: string | null | undefined; email?: unknown; locale?: string | null | undefined; timezone?: unknown; darkMode?: string | null | undefined; costCenter?: string | null | undefined; jobRole?: string | null | undefined; workingHours?: string | null | undefined; notifications?: boolean | null | undefined; superAdmin?: boolean | null | undefined; active?: boolean | null | undefined; locked?: string | null | undefined; kind?: number | null | undefined; role?: number | null | undefined; phone?: string | null | undefined; externalId?: string | null | undefined; login?: string | null | undefined; avatarFileId?: string | null | undefined; managerId?: string | null | undefined; crmId?: string | null | undefined; skills?: string[] | null | undefined; capacity?: { from: string; to?: string | null | undefined; minutesPerWeekday?: number[] | undefined; clockId?: string | undefined }[] | null | undefined; split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | null | undefined; absence?: { from: string; to?: string | null | undefined; kind?: number | undefined; note?: string | undefined; fromHalf?: number | undefined; toHalf?: number | undefined }[] | null | undefined; rates?: { from: string; to?: string | null | undefined; cost?: string | null | undefined; bill?: string | null | undefined; currency?: string | undefined }[] | null | undefined }
}

export interface PutUser2 {
  name?: string | undefined
  initials?: string | null | undefined
  locale?: string | null | undefined
  timezone?: unknown
  darkMode?: string | null | undefined
  workingHours?: string | null | undefined
  notifications?: boolean | null | undefined
  phone?: string | null | undefined
  /** The id of a File. */
  avatarFileId?: string | null | undefined
  skills?: string[] | null | undefined
  absence?: { from: string; to?: string | null | undefined; kind?: number | undefined; note?: string | undefined; fromHalf?: number | undefined; toHalf?: number | undefined }[] | null | undefined
}

export interface MeSecondFactorRecoveryCodesUser {
  /** The current password. */
  password?: string | undefined
  /** A code of the app, or a recovery code. */
  code?: string | undefined
}

export interface NewPasskey {
  /** What the user calls the device. */
  name: string
  /** The credential that the browser has made, as its `toJSON()` writes it. */
  response: { id: string; rawId: string; type: string; response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined } }
}

export interface NewUserGroup {
  name: string
  description?: string | null | undefined
  members?: string[] | null | undefined
  owners?: string[] | null | undefined
  /** The id of a UserGroup. */
  parentId?: string | null | undefined
  /** A code or its name: 0 `security` · 1 `team` · 2 `queue` · 3 `distribution`. */
  kind?: number | null | undefined
  /** Who gets the next item, unless the request or the action says otherwise: 0 and 1 in turn · 2 fewest open items · 3 fewest minutes left · 4 in turn among those on shift. */
  assignPolicy?: number | null | undefined
  externalId?: string | null | undefined
  /** 0 local · 1 Entra · 2 SCIM · 3 LDAP. */
  source?: number | null | undefined
  /** The id of a Clock. */
  clockId?: string | null | undefined
  /** The id of a Mailbox. */
  mailboxId?: string | null | undefined
}

export interface PutUserGroup {
  name?: string | undefined
  description?: string | null | undefined
  members?: string[] | null | undefined
  owners?: string[] | null | undefined
  /** The id of a UserGroup. */
  parentId?: string | null | undefined
  /** A code or its name: 0 `security` · 1 `team` · 2 `queue` · 3 `distribution`. */
  kind?: number | null | undefined
  /** Who gets the next item, unless the request or the action says otherwise: 0 and 1 in turn · 2 fewest open items · 3 fewest minutes left · 4 in turn among those on shift. */
  assignPolicy?: number | null | undefined
  externalId?: string | null | undefined
  /** 0 local · 1 Entra · 2 SCIM · 3 LDAP. */
  source?: number | null | undefined
  /** The id of a Clock. */
  clockId?: string | null | undefined
  /** The id of a Mailbox. */
  mailboxId?: string | null | undefined
}

export interface NewAccessControl {
  /** The id or the e-mail address of a User. */
  userId?: string | null | undefined
  /** The id of a UserGroup. */
  userGroupId?: string | null | undefined
  audience?: "" | "@everyone" | "@staff" | "@requesters" | "@superAdmins" | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  role?: number | null | undefined
  /** The id of an AccessRole. */
  roleId?: string | null | undefined
  /** Names of permissions; `*` matches one part of a name, at the end all remaining parts. */
  permissions?: string[] | null | undefined
  /** A code or its name: 0 `allow` · 1 `deny`. */
  effect?: number | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  expiresAt?: string | null | undefined
  reason?: string | null | undefined
}

export interface NewAccessRole {
  name: string
  description?: string | null | undefined
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  role?: number | null | undefined
  /** Names of permissions; `*` matches one part of a name, at the end all remaining parts. */
  permissions?: string[] | null | undefined
}

export interface PutAccessControlRole {
  name?: string | undefined
  description?: string | null | undefined
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  role?: number | null | undefined
  /** Names of permissions; `*` matches one part of a name, at the end all remaining parts. */
  permissions?: string[] | null | undefined
}

export interface NewFreshApiKey {
  name: string
  expiresAt?: string | null | undefined
  scopes?: string[] | null | undefined
  /** A code or its name: 0 `personal` · 1 `service`. */
  kind?: number | null | undefined
  allowedIps?: string[] | null | undefined
}

export interface PutAdminApiKey {
  name?: string | undefined
  expiresAt?: string | null | undefined
  scopes?: string[] | null | undefined
  /** A code or its name: 0 `personal` · 1 `service`. */
  kind?: number | null | undefined
  allowedIps?: string[] | null | undefined
}

export interface NewFreshOAuthClient {
  name: string
  /** The website of the program (https), shown beside its name. */
  homepage?: string | null | undefined
  /** A code or its name: 0 `public` · 1 `confidential`. */
  kind?: number | null | undefined
  /** Where answers are sent: https, or `http://127.0.0.1` and `http://[::1]` for programs on the device of the user, whose port is not compared. Otherwise the address of a request must be one of these, character by character. */
  redirectUris: string[]
  /** The scopes that the program may ask for, as API keys have them (`item:read`, `*:write`, `agent`). Without one it only learns who somebody is. */
  scopes?: string[] | null | undefined
  active?: boolean | null | undefined
}

export interface PutOauthClient {
  name?: string | undefined
  /** The website of the program (https), shown beside its name. */
  homepage?: string | null | undefined
  /** A code or its name: 0 `public` · 1 `confidential`. */
  kind?: number | null | undefined
  /** Where answers are sent: https, or `http://127.0.0.1` and `http://[::1]` for programs on the device of the user, whose port is not compared. Otherwise the address of a request must be one of these, character by character. */
  redirectUris?: string[] | undefined
  /** The scopes that the program may ask for, as API keys have them (`item:read`, `*:write`, `agent`). Without one it only learns who somebody is. */
  scopes?: string[] | null | undefined
  active?: boolean | null | undefined
}

export interface NewAppSetting {
  key: string
  /** any JSON value */
  value?: unknown
  /** A code or its name: 0 `tenant` · 1 `container` · 2 `user` · 3 `operator`. */
  scope?: number | null | undefined
  ownerId?: string | null | undefined
  secret?: boolean | null | undefined
  description?: string | null | undefined
}

export interface PutAdminSetting {
  key?: string | undefined
  /** any JSON value */
  value?: unknown
  /** A code or its name: 0 `tenant` · 1 `container` · 2 `user` · 3 `operator`. */
  scope?: number | null | undefined
  ownerId?: string | null | undefined
  secret?: boolean | null | undefined
  description?: string | null | undefined
}

export interface NewEntraMeta {
  name: string
  provider?: string | null | undefined
  entraTenantId?: string | null | undefined
  authority?: unknown
  issuer?: unknown
  clientId?: string | null | undefined
  clientSecret?: string | null | undefined
  scopes?: string[] | null | undefined
  groupClaim?: string | null | undefined
  groupMappings?: { externalGroupId: string; userGroupId?: string | undefined; role?: number | undefined }[] | null | undefined
  jitProvisioning?: boolean | null | undefined
  allowedDomains?: string[] | null | undefined
  active?: boolean | null | undefined
}

export interface PutEntraMeta {
  name?: string | undefined
  provider?: string | null | undefined
  entraTenantId?: string | null | undefined
  authority?: unknown
  issuer?: unknown
  clientId?: string | null | undefined
  clientSecret?: string | null | undefined
  scopes?: string[] | null | undefined
  groupClaim?: string | null | undefined
  groupMappings?: { externalGroupId: string; userGroupId?: string | undefined; role?: number | undefined }[] | null | undefined
  jitProvisioning?: boolean | null | undefined
  allowedDomains?: string[] | null | undefined
  active?: boolean | null | undefined
}

export interface NewRate {
  /** The id or the key of an Item. */
  itemId?: string | null | undefined
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | null | undefined
  /** The id or the e-mail address of a User. */
  userId?: string | null | undefined
  /** The id of a JobRole. */
  jobRoleId?: string | null | undefined
  from: string
  to?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  bill?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  cost?: string | null | undefined
  currency?: string | null | undefined
  note?: string | null | undefined
}

export interface PutFinanceRate {
  /** The id or the key of an Item. */
  itemId?: string | null | undefined
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | null | undefined
  /** The id or the e-mail address of a User. */
  userId?: string | null | undefined
  /** The id of a JobRole. */
  jobRoleId?: string | null | undefined
  from?: string | undefined
  to?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  bill?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  cost?: string | null | undefined
  currency?: string | null | undefined
  note?: string | null | undefined
}

export interface NewCrm {
  code?: string | null | undefined
  name: string
  /** The primary mail domain, also the first of `domains`. */
  domain?: string | null | undefined
  address?: string | null | undefined
  zipcode?: string | null | undefined
  country?: string | null | undefined
  contacts?: { id?: string | undefined; name?: string | undefined; email?: unknown; phone?: string | undefined; lead?: boolean | undefined }[] | null | undefined
  sku?: string[] | null | undefined
  /** Mail from an address at one of these domains is of this customer, unless a contact of another customer has the address. Providers of mailboxes for everybody never match. */
  domains?: string[] | null | undefined
  city?: string | null | undefined
  /** The id of a Crm. */
  parentId?: string | null | undefined
  /** 0 active · 1 prospect · 2 former */
  status?: number | null | undefined
  tier?: string | null | undefined
  /** The id or the e-mail address of a User. */
  ownerUserId?: string | null | undefined
  timezone?: unknown
  language?: string | null | undefined
  /** The id of a Clock. */
  clockId?: string | null | undefined
  currency?: string | null | undefined
  taxId?: string | null | undefined
  /** The code of UNTDID 5305 for invoices, such as S (standard rate) and AE (reverse charge). */
  taxCategory?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  taxRate?: string | null | undefined
  /** The days until an invoice is due. */
  paymentDays?: number | null | undefined
  paymentTerms?: string | null | undefined
  /** How time is rounded when it is billed. Empty: as the customer, else as the setting `billing.rounding` says. */
  rounding?: { mode?: number | undefined; stepSeconds?: number | undefined; minimumSeconds?: number | undefined; per?: number | undefined; quantityDecimals?: number | undefined } | null | undefined
  labels?: string[] | null | undefined
  externalId?: string | null | undefined
  notes?: string | null | undefined
}

export interface PutFinanceCrm {
  code?: string | null | undefined
  name?: string | undefined
  /** The primary mail domain, also the first of `domains`. */
  domain?: string | null | undefined
  address?: string | null | undefined
  zipcode?: string | null | undefined
  country?: string | null | undefined
  contacts?: { id?: string | undefined; name?: string | undefined; email?: unknown; phone?: string | undefined; lead?: boolean | undefined }[] | null | undefined
  sku?: string[] | null | undefined
  /** Mail from an address at one of these domains is of this customer, unless a contact of another customer has the address. Providers of mailboxes for everybody never match. */
  domains?: string[] | null | undefined
  city?: string | null | undefined
  /** The id of a Crm. */
  parentId?: string | null | undefined
  /** 0 active · 1 prospect · 2 former */
  status?: number | null | undefined
  tier?: string | null | undefined
  /** The id or the e-mail address of a User. */
  ownerUserId?: string | null | undefined
  timezone?: unknown
  language?: string | null | undefined
  /** The id of a Clock. */
  clockId?: string | null | undefined
  currency?: string | null | undefined
  taxId?: string | null | undefined
  /** The code of UNTDID 5305 for invoices, such as S (standard rate) and AE (reverse charge). */
  taxCategory?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  taxRate?: string | null | undefined
  /** The days until an invoice is due. */
  paymentDays?: number | null | undefined
  paymentTerms?: string | null | undefined
  /** How time is rounded when it is billed. Empty: as the customer, else as the setting `billing.rounding` says. */
  rounding?: { mode?: number | undefined; stepSeconds?: number | undefined; minimumSeconds?: number | undefined; per?: number | undefined; quantityDecimals?: number | undefined } | null | undefined
  labels?: string[] | null | undefined
  externalId?: string | null | undefined
  notes?: string | null | undefined
}

export interface NewBudget {
  name?: string | null | undefined
  /** 1 container · 2 area · 3 item · 6 customer · 9 cycle · 18 cost centre */
  owner?: number | null | undefined
  ownerId: string
  /** The id of a Budget. */
  parentId?: string | null | undefined
  /** 0 minutes · 1 cost · 2 value at the billing rates */
  unit?: number | null | undefined
  currency?: string | null | undefined
  /** 0 once · 1 weekly · 2 monthly · 3 quarterly · 4 yearly */
  period?: number | null | undefined
  /** Whether the rest of a period, also a negative one, belongs to the next. */
  rollover?: boolean | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
  /** Percentages of use, such as 80 and 100, at which the event `budget.thresholdCrossed` is written, once in a period. */
  alertAt?: number[] | null | undefined
}

export interface PutFinanceBudget {
  name?: string | null | undefined
  /** 1 container · 2 area · 3 item · 6 customer · 9 cycle · 18 cost centre */
  owner?: number | null | undefined
  ownerId?: string | undefined
  /** The id of a Budget. */
  parentId?: string | null | undefined
  /** 0 minutes · 1 cost · 2 value at the billing rates */
  unit?: number | null | undefined
  currency?: string | null | undefined
  /** 0 once · 1 weekly · 2 monthly · 3 quarterly · 4 yearly */
  period?: number | null | undefined
  /** Whether the rest of a period, also a negative one, belongs to the next. */
  rollover?: boolean | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
  /** Percentages of use, such as 80 and 100, at which the event `budget.thresholdCrossed` is written, once in a period. */
  alertAt?: number[] | null | undefined
}

export interface NewBudgetEntry {
  /** Minutes or money, as the unit of the budget says; negative to take away. */
  delta: string
  /** The id of a BudgetReason. */
  reasonId: string
  date?: string | null | undefined
  /** Whether it counts in every later period, too. */
  recurring?: boolean | null | undefined
  note?: string | null | undefined
}

export interface PutFinanceBudgetEntry {
  /** Minutes or money, as the unit of the budget says; negative to take away. */
  delta?: string | undefined
  /** The id of a BudgetReason. */
  reasonId?: string | undefined
  date?: string | null | undefined
  /** Whether it counts in every later period, too. */
  recurring?: boolean | null | undefined
  note?: string | null | undefined
}

export interface NewContract {
  /** The id of a Crm. */
  crmId: string
  /** The id of a Sku. */
  skuId?: string | null | undefined
  name: string
  from: string
  to?: string | null | undefined
  /** 0 once · 1 month · 2 quarter · 3 year, of the calendar */
  period?: number | null | undefined
  /** Granted at the start of each period, also of a shorter first one. */
  includedMinutes?: number | null | undefined
  /** The fee of a period. */
  price?: string | null | undefined
  currency?: string | null | undefined
  /** What becomes of unused time: 0 it expires · 1 it is carried over up to `rolloverMaxMinutes` · 2 all of it is carried over */
  rollover?: number | null | undefined
  rolloverMaxMinutes?: number | null | undefined
  /** For how many periods time is carried over; 1 by default. */
  rolloverPeriods?: number | null | undefined
  containerIds?: string[] | null | undefined
  /** Work beyond: 0 at the normal rates · 1 at `overageRate` */
  overage?: number | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  overageRate?: string | null | undefined
  /** What was left of the period before the contract. */
  openingMinutes?: number | null | undefined
  /** Of several contracts of a customer, the lowest is used first. */
  order?: number | null | undefined
}

export interface PutFinanceContract {
  /** The id of a Crm. */
  crmId?: string | undefined
  /** The id of a Sku. */
  skuId?: string | null | undefined
  name?: string | undefined
  from?: string | undefined
  to?: string | null | undefined
  /** 0 once · 1 month · 2 quarter · 3 year, of the calendar */
  period?: number | null | undefined
  /** Granted at the start of each period, also of a shorter first one. */
  includedMinutes?: number | null | undefined
  /** The fee of a period. */
  price?: string | null | undefined
  currency?: string | null | undefined
  /** What becomes of unused time: 0 it expires · 1 it is carried over up to `rolloverMaxMinutes` · 2 all of it is carried over */
  rollover?: number | null | undefined
  rolloverMaxMinutes?: number | null | undefined
  /** For how many periods time is carried over; 1 by default. */
  rolloverPeriods?: number | null | undefined
  containerIds?: string[] | null | undefined
  /** Work beyond: 0 at the normal rates · 1 at `overageRate` */
  overage?: number | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  overageRate?: string | null | undefined
  /** What was left of the period before the contract. */
  openingMinutes?: number | null | undefined
  /** Of several contracts of a customer, the lowest is used first. */
  order?: number | null | undefined
}

export interface NewInvoiceSeries {
  name: string
  /** `{0000}` is the number with at least so many digits, `{yyyy}`, `{yy}` and `{mm}` are of the date. */
  pattern?: string | null | undefined
  /** The number of the next document; fixed once a document has one. */
  next?: number | null | undefined
}

export interface PutFinanceInvoiceSeries {
  name?: string | undefined
  /** `{0000}` is the number with at least so many digits, `{yyyy}`, `{yy}` and `{mm}` are of the date. */
  pattern?: string | null | undefined
  /** The number of the next document; fixed once a document has one. */
  next?: number | null | undefined
}

export interface DraftFinanceInvoice {
  /** The id of a Crm. */
  crmId: string
  from?: string | null | undefined
  to: string
  containerIds?: string[] | undefined
  /** What makes a line: 0 item · 1 container · 2 container and job role · 3 user · 4 entry · 5 day; always also the price. */
  groupBy: number
}

export interface NewInvoice {
  /** The id of an InvoiceSeries. */
  seriesId?: string | null | undefined
  /** The id of a Crm. */
  crmId: string
  currency?: string | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
  reference?: string | null | undefined
  note?: string | null | undefined
  lines?: { id?: string | undefined; source?: number | undefined; text?: string | undefined; quantity?: string | undefined; unit?: string | undefined; price?: string | undefined; taxCategory?: string | undefined; taxRate?: string | undefined; amount?: string | undefined }[] | null | undefined
}

export interface PutFinanceInvoice {
  /** The id of an InvoiceSeries. */
  seriesId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | undefined
  currency?: string | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
  reference?: string | null | undefined
  note?: string | null | undefined
  lines?: { id?: string | undefined; source?: number | undefined; text?: string | undefined; quantity?: string | undefined; unit?: string | undefined; price?: string | undefined; taxCategory?: string | undefined; taxRate?: string | undefined; amount?: string | undefined }[] | null | undefined
}

export interface MarkFinanceInvoice {
  exportedAt?: string | undefined
  paidAt?: string | undefined
  reference?: string | undefined
}

export interface CreditFinanceInvoice {
  lines?: { id: string; quantity?: string | undefined }[] | undefined
  reason: string
  release?: boolean | undefined
}

export interface NewNonBillable {
  code?: string | null | undefined
  name: string
  description?: string | null | undefined
  group?: string[] | null | undefined
  active?: boolean | null | undefined
  /** A code or its name: 0 `internal` · 1 `leave` · 2 `sick` · 3 `holiday` · 4 `training` · 5 `sales` · 6 `idle`. */
  kind?: number | null | undefined
  countsAsWorked?: boolean | null | undefined
  color?: string | null | undefined
  /** The unit of allowances of leave on this code: 0 minutes · 1 days. */
  unit?: number | null | undefined
  /** Leave on this code is credited as if it were worked. */
  paid?: boolean | null | undefined
  /** Leave on this code must not exceed the allowance of its year. */
  limited?: boolean | null | undefined
}

export interface PutFinanceNonBillable {
  code?: string | null | undefined
  name?: string | undefined
  description?: string | null | undefined
  group?: string[] | null | undefined
  active?: boolean | null | undefined
  /** A code or its name: 0 `internal` · 1 `leave` · 2 `sick` · 3 `holiday` · 4 `training` · 5 `sales` · 6 `idle`. */
  kind?: number | null | undefined
  countsAsWorked?: boolean | null | undefined
  color?: string | null | undefined
  /** The unit of allowances of leave on this code: 0 minutes · 1 days. */
  unit?: number | null | undefined
  /** Leave on this code is credited as if it were worked. */
  paid?: boolean | null | undefined
  /** Leave on this code must not exceed the allowance of its year. */
  limited?: boolean | null | undefined
}

export interface NewJobRole {
  code?: string | null | undefined
  name: string
  description?: string | null | undefined
  skills?: string[] | null | undefined
  active?: boolean | null | undefined
  rates?: { from: string; to?: string | null | undefined; cost?: string | null | undefined; bill?: string | null | undefined; currency?: string | undefined }[] | null | undefined
}

export interface PutFinanceJobRole {
  code?: string | null | undefined
  name?: string | undefined
  description?: string | null | undefined
  skills?: string[] | null | undefined
  active?: boolean | null | undefined
  rates?: { from: string; to?: string | null | undefined; cost?: string | null | undefined; bill?: string | null | undefined; currency?: string | undefined }[] | null | undefined
}

export interface NewCostCenter {
  code?: string | null | undefined
  name: string
  description?: string | null | undefined
  /** The id of a CostCenter. */
  parentId?: string | null | undefined
  /** The id or the e-mail address of a User. */
  managerId?: string | null | undefined
  active?: boolean | null | undefined
  validFrom?: string | null | undefined
  validTo?: string | null | undefined
  externalId?: string | null | undefined
}

export interface PutFinanceCostCenter {
  code?: string | null | undefined
  name?: string | undefined
  description?: string | null | undefined
  /** The id of a CostCenter. */
  parentId?: string | null | undefined
  /** The id or the e-mail address of a User. */
  managerId?: string | null | undefined
  active?: boolean | null | undefined
  validFrom?: string | null | undefined
  validTo?: string | null | undefined
  externalId?: string | null | undefined
}

export interface NewMultiplier {
  name: string
  /** 0 tenant · 1 container · 4 user · 6 customer */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
  /** 1 Monday … 7 Sunday. Without weekdays and holidays it holds on every day. */
  weekdays?: number[] | null | undefined
  /** Whether it also holds on holidays of the clock of the user, else of the container, else of the tenant. */
  holidays?: boolean | null | undefined
  startTime?: unknown
  endTime?: unknown
  /** A decimal with at most four places. In requests a number, too. */
  bill?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  cost?: string | null | undefined
}

export interface PutFinanceMultiplier {
  name?: string | undefined
  /** 0 tenant · 1 container · 4 user · 6 customer */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
  /** 1 Monday … 7 Sunday. Without weekdays and holidays it holds on every day. */
  weekdays?: number[] | null | undefined
  /** Whether it also holds on holidays of the clock of the user, else of the container, else of the tenant. */
  holidays?: boolean | null | undefined
  startTime?: unknown
  endTime?: unknown
  /** A decimal with at most four places. In requests a number, too. */
  bill?: string | null | undefined
  /** A decimal with at most four places. In requests a number, too. */
  cost?: string | null | undefined
}

export interface NewBudgetReason {
  code?: string | null | undefined
  name: string
  description?: string | null | undefined
  /** A code or its name: 0 `initial` · 1 `changeRequest` · 2 `overrun` · 3 `writeOff` · 4 `transfer` · 5 `correction`. */
  kind?: number | null | undefined
  requiresApproval?: boolean | null | undefined
  active?: boolean | null | undefined
}

export interface PutFinanceBudgetReason {
  code?: string | null | undefined
  name?: string | undefined
  description?: string | null | undefined
  /** A code or its name: 0 `initial` · 1 `changeRequest` · 2 `overrun` · 3 `writeOff` · 4 `transfer` · 5 `correction`. */
  kind?: number | null | undefined
  requiresApproval?: boolean | null | undefined
  active?: boolean | null | undefined
}

export interface NewSku {
  code?: string | null | undefined
  name: string
  description?: string | null | undefined
  /** A code or its name: 0 `service` · 1 `product` · 2 `supportPlan` · 3 `licence`. */
  kind?: number | null | undefined
  unit?: string | null | undefined
  price?: { from: string; amount?: string | undefined; currency?: string | undefined }[] | null | undefined
  cost?: { from: string; amount?: string | undefined; currency?: string | undefined }[] | null | undefined
  taxCode?: string | null | undefined
  /** The working time that a support plan includes. */
  includedMinutes?: number | null | undefined
  /** The service level of a support plan: new items of customers with a contract for it get this clock before any other. */
  clockId?: string | null | undefined
  active?: boolean | null | undefined
  validFrom?: string | null | undefined
  validTo?: string | null | undefined
}

export interface PutFinanceSku {
  code?: string | null | undefined
  name?: string | undefined
  description?: string | null | undefined
  /** A code or its name: 0 `service` · 1 `product` · 2 `supportPlan` · 3 `licence`. */
  kind?: number | null | undefined
  unit?: string | null | undefined
  price?: { from: string; amount?: string | undefined; currency?: string | undefined }[] | null | undefined
  cost?: { from: string; amount?: string | undefined; currency?: string | undefined }[] | null | undefined
  taxCode?: string | null | undefined
  /** The working time that a support plan includes. */
  includedMinutes?: number | null | undefined
  /** The service level of a support plan: new items of customers with a contract for it get this clock before any other. */
  clockId?: string | null | undefined
  active?: boolean | null | undefined
  validFrom?: string | null | undefined
  validTo?: string | null | undefined
}

export interface NewDocument {
  /** The id of a Folder. */
  folderId?: string | null | undefined
  name: string
  author?: string | null | undefined
  context?: { owner?: number | undefined; ownerId?: string | undefined }[] | null | undefined
  restrictedTo?: string[] | null | undefined
  /** 0 draft: for its author and those who may write documents · 1 internal: for staff · 2 public: for requesters, too. `restrictedTo` and `context` apply in every state. */
  state?: number | null | undefined
  /** Assistants may read it; otherwise it does not exist for them. */
  aiAccess?: boolean | null | undefined
  archived?: boolean | null | undefined
  /** Others are made of it, by `POST /docs/doc/{id}/copy`. */
  template?: boolean | null | undefined
}

export interface PutDocsDoc {
  /** The id of a Folder. */
  folderId?: string | null | undefined
  name?: string | undefined
  author?: string | null | undefined
  context?: { owner?: number | undefined; ownerId?: string | undefined }[] | null | undefined
  restrictedTo?: string[] | null | undefined
  /** 0 draft: for its author and those who may write documents · 1 internal: for staff · 2 public: for requesters, too. `restrictedTo` and `context` apply in every state. */
  state?: number | null | undefined
  /** Assistants may read it; otherwise it does not exist for them. */
  aiAccess?: boolean | null | undefined
  archived?: boolean | null | undefined
  /** Others are made of it, by `POST /docs/doc/{id}/copy`. */
  template?: boolean | null | undefined
}

export interface CopyDocsDoc {
  name?: string | undefined
  /** The id of a Folder. */
  folderId?: string | undefined
  context?: { owner?: number | undefined; ownerId?: string | undefined }[] | undefined
  restrictedTo?: string[] | undefined
  /** A code or its name: 0 `draft` · 1 `internal` · 2 `public`. */
  state?: number | undefined
}

export interface PutDocsContent {
  body?: string | null | undefined
  format?: string | null | undefined
}

export interface NewFolder {
  name: string
  /** The id of a Folder. */
  parentId?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  restrictedTo?: string[] | null | undefined
}

export interface PutDocsFolder {
  name?: string | undefined
  /** The id of a Folder. */
  parentId?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  restrictedTo?: string[] | null | undefined
}

export interface NewFile {
  /** The file itself. */
  file: Blob
  /** An id that the client has made: a UUIDv7 (RFC 9562) whose time is at most a day ahead. Without one the service makes it. An id that a record has or had is refused (409 `id-taken`). */
  id?: unknown
  /** The kind of the owner: 0 the tenant, 1 a container, 3 an item, 10 a document … */
  owner?: number | undefined
  /** The id of the owner. */
  ownerId?: string | undefined
  description?: string | undefined
}

export interface PutFile {
  name?: string | undefined
  description?: string | null | undefined
}

export interface NewOutboundStorage {
  name: string
  /** 0 the disk of the service · 1 a store that speaks S3. */
  kind?: number | null | undefined
  /** The address of the store, without bucket and path. */
  endpoint?: string | null | undefined
  /** The region that requests are signed for; empty is us-east-1, which stores without regions accept. */
  region?: string | null | undefined
  bucket?: string | null | undefined
  /** What the keys of all objects begin with: `<prefix>/<tenant>/<aa>/<bb>/<sha256>`. */
  prefix?: string | null | undefined
  accessKey?: string | null | undefined
  secretKey?: string | null | undefined
  /** 0 as the bucket has it · 1 the store is asked to encrypt each object (AES256). */
  encryption?: number | null | undefined
  /** Whether new bytes are written there. Those that are there are read in any case. */
  active?: boolean | null | undefined
  /** New files of the tenant go there. One storage at most. */
  default?: boolean | null | undefined
}

export interface PutOutboundStorage {
  name?: string | undefined
  /** 0 the disk of the service · 1 a store that speaks S3. */
  kind?: number | null | undefined
  /** The address of the store, without bucket and path. */
  endpoint?: string | null | undefined
  /** The region that requests are signed for; empty is us-east-1, which stores without regions accept. */
  region?: string | null | undefined
  bucket?: string | null | undefined
  /** What the keys of all objects begin with: `<prefix>/<tenant>/<aa>/<bb>/<sha256>`. */
  prefix?: string | null | undefined
  accessKey?: string | null | undefined
  secretKey?: string | null | undefined
  /** 0 as the bucket has it · 1 the store is asked to encrypt each object (AES256). */
  encryption?: number | null | undefined
  /** Whether new bytes are written there. Those that are there are read in any case. */
  active?: boolean | null | undefined
  /** New files of the tenant go there. One storage at most. */
  default?: boolean | null | undefined
}

export interface NewTimeCalendar {
  name: string
  userGroups?: string[] | null | undefined
  order?: number | null | undefined
  /** 0 week · 1 month · 2 half month · 3 custom. */
  kind?: number | null | undefined
  /** 1 Monday … 7 Sunday. */
  weekStart?: number | null | undefined
  /** The first days of custom periods; the last one ends the period before it and begins none. */
  dates?: string[] | null | undefined
  from?: string | null | undefined
  /** How many days after the end of a period users may still change their own time; null is no limit. */
  graceDays?: number | null | undefined
  /** 0 none · 1 by person · 2 by project · 3 both. */
  approval?: number | null | undefined
  /** The group whose members approve by person, beside the manager. */
  approverGroupId?: string | null | undefined
  /** Whether approvers may approve their own sheets. */
  selfApproval?: boolean | null | undefined
  /** How many days after the end of a period users are reminded of a sheet that is not submitted. */
  remindAfterDays?: number[] | null | undefined
  /** Whether sheets are submitted when the grace days are over. */
  autoSubmit?: boolean | null | undefined
}

export interface PutTimeCalendar {
  name?: string | undefined
  userGroups?: string[] | null | undefined
  order?: number | null | undefined
  /** 0 week · 1 month · 2 half month · 3 custom. */
  kind?: number | null | undefined
  /** 1 Monday … 7 Sunday. */
  weekStart?: number | null | undefined
  /** The first days of custom periods; the last one ends the period before it and begins none. */
  dates?: string[] | null | undefined
  from?: string | null | undefined
  /** How many days after the end of a period users may still change their own time; null is no limit. */
  graceDays?: number | null | undefined
  /** 0 none · 1 by person · 2 by project · 3 both. */
  approval?: number | null | undefined
  /** The group whose members approve by person, beside the manager. */
  approverGroupId?: string | null | undefined
  /** Whether approvers may approve their own sheets. */
  selfApproval?: boolean | null | undefined
  /** How many days after the end of a period users are reminded of a sheet that is not submitted. */
  remindAfterDays?: number[] | null | undefined
  /** Whether sheets are submitted when the grace days are over. */
  autoSubmit?: boolean | null | undefined
}

export interface BulkTimeSheet {
  ids: string[]
  verb: "submit" | "recall" | "approve" | "reject" | "reopen" | "lock" | "unlock"
  /** The comment, or the reason where the verb needs one. */
  comment?: string | undefined
}

export interface ApproveTimeSheet {
  comment?: string | undefined
  /** The parts that are meant, an empty text for that of the person; by default all that wait for the caller. */
  containerIds?: string[] | undefined
}

export interface NewTimeDelegation {
  /** The approver who is represented; by default the caller. */
  fromUserId?: string | null | undefined
  /** The id or the e-mail address of a User. */
  toUserId: string
  from: string
  to: string
  note?: string | null | undefined
}

export interface PutTimeDelegation {
  /** The approver who is represented; by default the caller. */
  fromUserId?: string | null | undefined
  /** The id or the e-mail address of a User. */
  toUserId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  note?: string | null | undefined
}

export interface CorrectTime {
  reason: string
  /** The right length; 0 withdraws the entry. */
  seconds?: number | undefined
  minutes?: number | undefined
  hours?: number | undefined
  /** The id or the key of an Item. */
  itemId?: string | undefined
  /** The id of a NonBillable. */
  nonBillable?: string | undefined
  /** A code or its name: 0 `no` · 1 `yes` · 2 `asContainer`. */
  billable?: number | undefined
  note?: string | undefined
}

export type BulkTime = { id?: unknown; userId?: string | null | undefined; itemId?: string | null | undefined; nonBillable?: string | null | undefined; date?: string | null | undefined; start?: string | null | undefined; end?: string | null | undefined; seconds?: number | null | undefined; minutes?: number | null | undefined; note?: string | null | undefined; billable?: number | null | undefined; state?: number | null | undefined; externalId?: string | null | undefined; jobRoleId?: string | null | undefined; skuId?: string | null | undefined; budgetReasonId?: string | null | undefined; billRate?: string | null | undefined; costCenterId?: string | null | undefined; hours?: number | null | undefined }[]

export interface UpdateManyTime {
  ids: string[]
  /** Changes all entries, or none if one is refused. */
  atomic?: boolean | undefined
  patch: { userId?: string | null | undefined; itemId?: string | null | undefined; nonBillable?: string | null | undefined; date?: string | null | undefined; start?: string | null | undefined; end?: string | null | undefined; seconds?: number | null | undefined; minutes?: number | null | undefined; note?: string | null | undefined; billable?: number | null | undefined; state?: number | null | undefined; externalId?: string | null | undefined; jobRoleId?: string | null | undefined; skuId?: string | null | undefined; budgetReasonId?: string | null | undefined; billRate?: string | null | undefined; costCenterId?: string | null | undefined; hours?: number | null | undefined }
}

export interface NewTimeOrEntries {
  /** An id that the client has made: a UUIDv7 (RFC 9562) whose time is at most a day ahead. Without one the service makes it. An id that a record has or had is refused (409 `id-taken`). */
  id?: unknown
  /** The id or the e-mail address of a User. */
  userId?: string | null | undefined
  /** The id or the key of an Item. */
  itemId?: string | null | undefined
  /** The id of a NonBillable. */
  nonBillable?: string | null | undefined
  date?: string | null | undefined
  start?: string | null | undefined
  end?: string | null | undefined
  /** The length in whole seconds. */
  seconds?: number | null | undefined
  /** The length in minutes, instead of `seconds`. */
  minutes?: number | null | undefined
  note?: string | null | undefined
  /** A code or its name: 0 `no` · 1 `yes` · 2 `asContainer`. */
  billable?: number | null | undefined
  /** A code or its name: 0 `draft` · 1 `logged` · 2 `submitted` · 3 `approved` · 4 `rejected` · 5 `invoiced` · 6 `locked`. */
  state?: number | null | undefined
  externalId?: string | null | undefined
  /** The id of a JobRole. */
  jobRoleId?: string | null | undefined
  /** The id of a Sku. */
  skuId?: string | null | undefined
  /** The id of a BudgetReason. */
  budgetReasonId?: string | null | undefined
  /** What the customer pays for an hour. A value in a request is for this entry only and needs `rate.override`; null lets the rates decide. */
  billRate?: string | null | undefined
  /** The cost centre, if there is one only. A value in a request is for this entry; an empty one lets container and user decide. */
  costCenterId?: string | null | undefined
  /** The length in hours, instead of `seconds`: 1.5 is 5400 seconds. */
  hours?: number | null | undefined
}

export interface PutTime {
  /** The id or the e-mail address of a User. */
  userId?: string | null | undefined
  /** The id or the key of an Item. */
  itemId?: string | null | undefined
  /** The id of a NonBillable. */
  nonBillable?: string | null | undefined
  date?: string | null | undefined
  start?: string | null | undefined
  end?: string | null | undefined
  /** The length in whole seconds. */
  seconds?: number | null | undefined
  /** The length in minutes, instead of `seconds`. */
  minutes?: number | null | undefined
  note?: string | null | undefined
  /** A code or its name: 0 `no` · 1 `yes` · 2 `asContainer`. */
  billable?: number | null | undefined
  /** A code or its name: 0 `draft` · 1 `logged` · 2 `submitted` · 3 `approved` · 4 `rejected` · 5 `invoiced` · 6 `locked`. */
  state?: number | null | undefined
  externalId?: string | null | undefined
  /** The id of a JobRole. */
  jobRoleId?: string | null | undefined
  /** The id of a Sku. */
  skuId?: string | null | undefined
  /** The id of a BudgetReason. */
  budgetReasonId?: string | null | undefined
  /** What the customer pays for an hour. A value in a request is for this entry only and needs `rate.override`; null lets the rates decide. */
  billRate?: string | null | undefined
  /** The cost centre, if there is one only. A value in a request is for this entry; an empty one lets container and user decide. */
  costCenterId?: string | null | undefined
  /** The length in hours, instead of `seconds`: 1.5 is 5400 seconds. */
  hours?: number | null | undefined
}

export interface UpdateTimerTime {
  /** The id or the key of an Item. */
  itemId?: string | null | undefined
  /** The id of a NonBillable. */
  nonBillable?: string | null | undefined
  note?: string | null | undefined
  /** A code or its name: 0 `no` · 1 `yes` · 2 `asContainer`. */
  billable?: number | null | undefined
  startedAt?: string | null | undefined
}

export interface TimerStopTime {
  at?: string | null | undefined
  note?: string | null | undefined
}

export interface RepriceTime {
  from: string
  to: string
  containerIds?: string[] | undefined
  crmIds?: string[] | undefined
  userIds?: string[] | undefined
  which: "bill" | "cost" | "both"
}

export interface SetWeekTime {
  /** The id or the e-mail address of a User. */
  userId?: string | undefined
  cells: { itemId?: string | undefined; nonBillable?: string | undefined; billable?: number | undefined; date: string; seconds?: number | null | undefined; minutes?: number | null | undefined; hours?: number | null | undefined; was?: number | null | undefined; note?: string | null | undefined }[]
}

export interface NewContainer {
  key?: string | null | undefined
  name: string
  description?: string | null | undefined
  /** A code or its name: 0 `project` · 1 `desk` · 2 `product` · 3 `internal`. */
  kind?: number | null | undefined
  processIds?: string[] | null | undefined
  /** The id of a Process. */
  defaultProcessId?: string | null | undefined
  /** The id of a Clock. */
  clockId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | null | undefined
  costCenter?: string | null | undefined
  split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | null | undefined
  billable?: boolean | null | undefined
  private?: boolean | null | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** A code or its name: 0 `onTrack` · 1 `atRisk` · 2 `offTrack`. */
  health?: number | null | undefined
  healthNote?: string | null | undefined
  budget?: { minutes?: number | undefined; amount?: number | undefined; currency?: string | undefined; resetPeriod?: number | undefined; alertAt?: number[] | undefined } | null | undefined
  /** How time is rounded when it is billed. Empty: as the customer, else as the setting `billing.rounding` says. */
  rounding?: { mode?: number | undefined; stepSeconds?: number | undefined; minimumSeconds?: number | undefined; per?: number | undefined; quantityDecimals?: number | undefined } | null | undefined
  /** An archived container is read-only: its items can be read and found, but not changed. */
  archived?: boolean | null | undefined
  /** Only service desks (`kind` 1) have a portal. A container that is created as one, or becomes one, without `portal` has it enabled for requesters. */
  portal?: { enabled?: boolean | undefined; visitors?: boolean | undefined; types?: string[] | undefined } | null | undefined
  /** Marks the container as a template, which is meant to be copied. */
  template?: boolean | null | undefined
}

export interface PutContainer {
  key?: string | null | undefined
  name?: string | undefined
  description?: string | null | undefined
  /** A code or its name: 0 `project` · 1 `desk` · 2 `product` · 3 `internal`. */
  kind?: number | null | undefined
  processIds?: string[] | null | undefined
  /** The id of a Process. */
  defaultProcessId?: string | null | undefined
  /** The id of a Clock. */
  clockId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | null | undefined
  costCenter?: string | null | undefined
  split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | null | undefined
  billable?: boolean | null | undefined
  private?: boolean | null | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** A code or its name: 0 `onTrack` · 1 `atRisk` · 2 `offTrack`. */
  health?: number | null | undefined
  healthNote?: string | null | undefined
  budget?: { minutes?: number | undefined; amount?: number | undefined; currency?: string | undefined; resetPeriod?: number | undefined; alertAt?: number[] | undefined } | null | undefined
  /** How time is rounded when it is billed. Empty: as the customer, else as the setting `billing.rounding` says. */
  rounding?: { mode?: number | undefined; stepSeconds?: number | undefined; minimumSeconds?: number | undefined; per?: number | undefined; quantityDecimals?: number | undefined } | null | undefined
  /** An archived container is read-only: its items can be read and found, but not changed. */
  archived?: boolean | null | undefined
  /** Only service desks (`kind` 1) have a portal. A container that is created as one, or becomes one, without `portal` has it enabled for requesters. */
  portal?: { enabled?: boolean | undefined; visitors?: boolean | undefined; types?: string[] | undefined } | null | undefined
  /** Marks the container as a template, which is meant to be copied. */
  template?: boolean | null | undefined
}

export interface UpdateManyContainer {
  ids: string[]
  /** Changes all records, or none if one is refused. */
  atomic?: boolean | undefined
  patch: { key?: string | null | undefined; name?: string | undefined; description?: string | null | undefined; kind?: number | null | undefined; processIds?: string[] | null | undefined; defaultProcessId?: string | null | undefined; clockId?: string | null | undefined; crmId?: string | null | undefined; costCenter?: string | null | undefined; split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | null | undefined; billable?: boolean | null | undefined; private?: boolean | null | undefined; startDate?: string | null | undefined; dueDate?: string | null | undefined; health?: number | null | undefined; healthNote?: string | null | undefined; budget?: { minutes?: number | undefined; amount?: number | undefined; currency?: string | undefined; resetPeriod?: number | undefined; alertAt?: number[] | undefined } | null | undefined; rounding?: { mode?: number | undefined; stepSeconds?: number | undefined; minimumSeconds?: number | undefined; per?: number | undefined; quantityDecimals?: number | undefined } | null | undefined; archived?: boolean | null | undefined; portal?: { enabled?: boolean | undefined; visitors?: boolean | undefined; types?: string[] | undefined } | null | undefined; template?: boolean | null | undefined }
}

export interface SetContainerMember {
  /** The id or the e-mail address of a User. */
  userId?: string | undefined
  /** The id of a UserGroup. */
  userGroupId?: string | undefined
  /** A code or its name: 0 `none` · 1 `readOnly` · 2 `requester` · 3 `member` · 5 `manager` · 6 `admin`. */
  role: number
  expiresAt?: string | undefined
}

export interface NewContainerFilter {
  /** The id of a Container. */
  containerId?: string | null | undefined
  name: string
  active?: boolean | null | undefined
  criteria?: { container?: string[] | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; includeClosed?: boolean | undefined; sortField?: string | undefined; sortDescending?: boolean | undefined } | null | undefined
  columns?: string[] | null | undefined
  groupBy?: string | null | undefined
  /** A code or its name: 0 `list` · 1 `board` · 2 `gantt` · 3 `calendar` · 4 `chart`. */
  layout?: number | null | undefined
  /** The owner of a personal filter; empty if everybody who sees the container may use it. */
  ownerUserId?: string | null | undefined
  /** The users and groups with whom its owner shares it. */
  shared?: string[] | null | undefined
}

export interface PutContainerFilter {
  /** The id of a Container. */
  containerId?: string | null | undefined
  name?: string | undefined
  active?: boolean | null | undefined
  criteria?: { container?: string[] | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; includeClosed?: boolean | undefined; sortField?: string | undefined; sortDescending?: boolean | undefined } | null | undefined
  columns?: string[] | null | undefined
  groupBy?: string | null | undefined
  /** A code or its name: 0 `list` · 1 `board` · 2 `gantt` · 3 `calendar` · 4 `chart`. */
  layout?: number | null | undefined
  /** The owner of a personal filter; empty if everybody who sees the container may use it. */
  ownerUserId?: string | null | undefined
  /** The users and groups with whom its owner shares it. */
  shared?: string[] | null | undefined
}

export interface NewArea {
  name: string
  description?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** The id of an Area. */
  parentId?: string | null | undefined
  archived?: boolean | null | undefined
  sequence?: number | null | undefined
  /** The id or the e-mail address of a User. */
  leadUserId?: string | null | undefined
  /** The assignee of new items in this area, and in the areas below it, for which the request names none. */
  defaultAssignee?: string | null | undefined
  /** The id of a Clock. */
  clockId?: string | null | undefined
  color?: string | null | undefined
}

export interface PutArea {
  name?: string | undefined
  description?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** The id of an Area. */
  parentId?: string | null | undefined
  archived?: boolean | null | undefined
  sequence?: number | null | undefined
  /** The id or the e-mail address of a User. */
  leadUserId?: string | null | undefined
  /** The assignee of new items in this area, and in the areas below it, for which the request names none. */
  defaultAssignee?: string | null | undefined
  /** The id of a Clock. */
  clockId?: string | null | undefined
  color?: string | null | undefined
}

export interface NewBoard {
  name: string
  description?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  containerIds?: string[] | null | undefined
  criteria?: { conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined } | null | undefined
  columnField?: string | null | undefined
  columns?: { id?: string | undefined; name?: string | undefined; values?: string[] | undefined; wip?: number | undefined; wipMode?: number | undefined; wipPolicy?: number | undefined; collapsed?: boolean | undefined }[] | null | undefined
  swimlaneField?: string | null | undefined
  cardFields?: string[] | null | undefined
  quickFilters?: { id?: string | undefined; name?: string | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined }[] | null | undefined
  /** A code or its name: 0 `container`. */
  rankScope?: number | null | undefined
  /** A code or its name: 0 `rank` · 1 `field`. */
  sortMode?: number | null | undefined
  sortField?: string | null | undefined
  sortDescending?: boolean | null | undefined
  estimateField?: string | null | undefined
  clockLight?: boolean | null | undefined
  includeClosedDays?: number | null | undefined
}

export interface PutBoard {
  name?: string | undefined
  description?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  containerIds?: string[] | null | undefined
  criteria?: { conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined } | null | undefined
  columnField?: string | null | undefined
  columns?: { id?: string | undefined; name?: string | undefined; values?: string[] | undefined; wip?: number | undefined; wipMode?: number | undefined; wipPolicy?: number | undefined; collapsed?: boolean | undefined }[] | null | undefined
  swimlaneField?: string | null | undefined
  cardFields?: string[] | null | undefined
  quickFilters?: { id?: string | undefined; name?: string | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined }[] | null | undefined
  /** A code or its name: 0 `container`. */
  rankScope?: number | null | undefined
  /** A code or its name: 0 `rank` · 1 `field`. */
  sortMode?: number | null | undefined
  sortField?: string | null | undefined
  sortDescending?: boolean | null | undefined
  estimateField?: string | null | undefined
  clockLight?: boolean | null | undefined
  includeClosedDays?: number | null | undefined
}

export interface NewCycle {
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** The id of a UserGroup. */
  userGroupId?: string | null | undefined
  name: string
  goal?: string | null | undefined
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  capacityMinutes?: number | null | undefined
  retro?: string | null | undefined
  /** A code or its name: 0 `next` · 1 `backlog` · 2 `ask`. */
  rollover?: number | null | undefined
  autoCreate?: { lengthDays?: number | undefined; cooldownDays?: number | undefined; count?: number | undefined } | null | undefined
  parallel?: boolean | null | undefined
}

export interface PutCycle {
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** The id of a UserGroup. */
  userGroupId?: string | null | undefined
  name?: string | undefined
  goal?: string | null | undefined
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  capacityMinutes?: number | null | undefined
  retro?: string | null | undefined
  /** A code or its name: 0 `next` · 1 `backlog` · 2 `ask`. */
  rollover?: number | null | undefined
  autoCreate?: { lengthDays?: number | undefined; cooldownDays?: number | undefined; count?: number | undefined } | null | undefined
  parallel?: boolean | null | undefined
}

export interface NewField {
  key?: string | null | undefined
  /** One of text, longText, number, money, boolean, date, dateTime, time, select, multiSelect, user, userGroup, item, crm, sku, url, file, formula, rollup, cascade, json. */
  fieldType?: string | null | undefined
  allowDay?: boolean | null | undefined
  allowHour?: boolean | null | undefined
  allowMinute?: boolean | null | undefined
  defaultValue?: string | null | undefined
  name: string
  prompt?: string | null | undefined
  description?: string | null | undefined
  isFeature?: boolean | null | undefined
  featureName?: string | null | undefined
  placement?: number[] | null | undefined
  usage?: number[] | null | undefined
  listEditable?: boolean | null | undefined
  options?: { id?: string | undefined; label: string; color?: string | undefined; order?: number | undefined; active?: boolean | undefined; parentId?: string | undefined }[] | null | undefined
  min?: number | null | undefined
  max?: number | null | undefined
  pattern?: string | null | undefined
  /** No two items have the same value. */
  unique?: boolean | null | undefined
  /** Whether an item holds a list of values. For fields of records, codes and addresses. */
  multiple?: boolean | null | undefined
  /** For money: the only accepted currency; empty accepts every currency. */
  currency?: string | null | undefined
  precision?: number | null | undefined
  formula?: string | null | undefined
  rollup?: { source?: string | undefined; field?: string | undefined; function?: string | undefined } | null | undefined
  help?: string | null | undefined
}

export interface PutField {
  key?: string | null | undefined
  /** One of text, longText, number, money, boolean, date, dateTime, time, select, multiSelect, user, userGroup, item, crm, sku, url, file, formula, rollup, cascade, json. */
  fieldType?: string | null | undefined
  allowDay?: boolean | null | undefined
  allowHour?: boolean | null | undefined
  allowMinute?: boolean | null | undefined
  defaultValue?: string | null | undefined
  name?: string | undefined
  prompt?: string | null | undefined
  description?: string | null | undefined
  isFeature?: boolean | null | undefined
  featureName?: string | null | undefined
  placement?: number[] | null | undefined
  usage?: number[] | null | undefined
  listEditable?: boolean | null | undefined
  options?: { id?: string | undefined; label: string; color?: string | undefined; order?: number | undefined; active?: boolean | undefined; parentId?: string | undefined }[] | null | undefined
  min?: number | null | undefined
  max?: number | null | undefined
  pattern?: string | null | undefined
  /** No two items have the same value. */
  unique?: boolean | null | undefined
  /** Whether an item holds a list of values. For fields of records, codes and addresses. */
  multiple?: boolean | null | undefined
  /** For money: the only accepted currency; empty accepts every currency. */
  currency?: string | null | undefined
  precision?: number | null | undefined
  formula?: string | null | undefined
  rollup?: { source?: string | undefined; field?: string | undefined; function?: string | undefined } | null | undefined
  help?: string | null | undefined
}

export interface NewLabel {
  name: string
  color?: string | null | undefined
  description?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** The name of a group of labels, such as `severity`. */
  group?: string | null | undefined
  /** Whether an item can have only one label of this group. */
  exclusive?: boolean | null | undefined
  aliases?: string[] | null | undefined
  active?: boolean | null | undefined
}

export interface PutLabel {
  name?: string | undefined
  color?: string | null | undefined
  description?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** The name of a group of labels, such as `severity`. */
  group?: string | null | undefined
  /** Whether an item can have only one label of this group. */
  exclusive?: boolean | null | undefined
  aliases?: string[] | null | undefined
  active?: boolean | null | undefined
}

export interface UpdateManyLabel {
  ids: string[]
  /** Changes all records, or none if one is refused. */
  atomic?: boolean | undefined
  patch: { name?: string | undefined; color?: string | null | undefined; description?: string | null | undefined; owner?: number | null | undefined; ownerId?: string | null | undefined; group?: string | null | undefined; exclusive?: boolean | null | undefined; aliases?: string[] | null | undefined; active?: boolean | null | undefined }
}

export interface NewScreen {
  name: string
  /** The id of a Process. */
  processId?: string | null | undefined
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** A code or its name: 0 `all` · 1 `create` · 2 `edit` · 3 `view` · 4 `transition` · 5 `portal` · 6 `quickAdd`. */
  moment?: number | null | undefined
  stepId?: string | null | undefined
  sections?: { title?: string | undefined; columns?: number | undefined; fields?: { fieldId: string; width?: number | undefined; readOnly?: boolean | undefined; required?: boolean | undefined; visibleIf?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined }[] | undefined }[] | null | undefined
  userGroup?: string[] | null | undefined
  active?: boolean | null | undefined
}

export interface PutScreen {
  name?: string | undefined
  /** The id of a Process. */
  processId?: string | null | undefined
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** A code or its name: 0 `all` · 1 `create` · 2 `edit` · 3 `view` · 4 `transition` · 5 `portal` · 6 `quickAdd`. */
  moment?: number | null | undefined
  stepId?: string | null | undefined
  sections?: { title?: string | undefined; columns?: number | undefined; fields?: { fieldId: string; width?: number | undefined; readOnly?: boolean | undefined; required?: boolean | undefined; visibleIf?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined }[] | undefined }[] | null | undefined
  userGroup?: string[] | null | undefined
  active?: boolean | null | undefined
}

export interface NewConstraint {
  name: string
  description?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  active?: boolean | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  when?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  then?: { kind?: number | undefined; field?: string | undefined; value?: unknown }[] | null | undefined
  message?: string | null | undefined
  /** A code or its name: 0 `refuse` · 1 `warn`. */
  severity?: number | null | undefined
  enforceOn?: number[] | null | undefined
}

export interface PutConstraint {
  name?: string | undefined
  description?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  active?: boolean | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  when?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  then?: { kind?: number | undefined; field?: string | undefined; value?: unknown }[] | null | undefined
  message?: string | null | undefined
  /** A code or its name: 0 `refuse` · 1 `warn`. */
  severity?: number | null | undefined
  enforceOn?: number[] | null | undefined
}

export interface NewContentTemplate {
  name: string
  /** A code or its name: 0 `cannedReply` · 1 `notificationMail` · 2 `autoReply` · 3 `itemDescription` · 4 `document` · 5 `chat` · 6 `macro` · 7 `webhookBody` · 8 `report`. */
  kind?: number | null | undefined
  subject?: string | null | undefined
  body?: string | null | undefined
  /** One of markdown, html, text. */
  format?: string | null | undefined
  /** The texts in other languages: `{"de": {"subject": …, "body": …}}`. An empty text is taken from the template itself. */
  locales?: Record<string, { subject?: string | undefined; body?: string | undefined }> | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  userGroup?: string[] | null | undefined
  shortcut?: string | null | undefined
  actions?: { actionType?: number | undefined; field?: string | undefined; value?: unknown; id?: string | undefined; active?: boolean | undefined }[] | null | undefined
  active?: boolean | null | undefined
}

export interface PutContentTemplate {
  name?: string | undefined
  /** A code or its name: 0 `cannedReply` · 1 `notificationMail` · 2 `autoReply` · 3 `itemDescription` · 4 `document` · 5 `chat` · 6 `macro` · 7 `webhookBody` · 8 `report`. */
  kind?: number | null | undefined
  subject?: string | null | undefined
  body?: string | null | undefined
  /** One of markdown, html, text. */
  format?: string | null | undefined
  /** The texts in other languages: `{"de": {"subject": …, "body": …}}`. An empty text is taken from the template itself. */
  locales?: Record<string, { subject?: string | undefined; body?: string | undefined }> | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  userGroup?: string[] | null | undefined
  shortcut?: string | null | undefined
  actions?: { actionType?: number | undefined; field?: string | undefined; value?: unknown; id?: string | undefined; active?: boolean | undefined }[] | null | undefined
  active?: boolean | null | undefined
}

export interface PutItem {
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** The id of an Area. */
  areaId?: string | null | undefined
  /** The id of a Process. */
  processId?: string | null | undefined
  title?: string | undefined
  description?: string | null | undefined
  status?: string | null | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | null | undefined
  resolution?: string | null | undefined
  assignees?: string[] | null | undefined
  /** The id or the e-mail address of a User. */
  requesterId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | null | undefined
  /** The id or the key of an Item. */
  parentId?: string | null | undefined
  /** The id of a Cycle. */
  cycleId?: string | null | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | null | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | null | undefined
  remainingMinutes?: number | null | undefined
  points?: number | null | undefined
  progress?: number | null | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | null | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | null | undefined
  restrictedTo?: string[] | null | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | null | undefined
  labels?: string[] | null | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | null | undefined
  Tags?: string[] | null | undefined
  Field?: { fieldId?: string | undefined; key?: string | undefined; name?: string | undefined; value: unknown }[] | null | undefined
  Time?: { externalId?: string | null | undefined; userId?: string | null | undefined; email?: string | null | undefined; date?: string | null | undefined; start?: string | null | undefined; end?: string | null | undefined; seconds?: number | null | undefined; minutes?: number | null | undefined; hours?: number | null | undefined; billable?: boolean | number | null | undefined; nonBillable?: string | null | undefined; note?: string | null | undefined; billRate?: string | null | undefined; reversesId?: string | null | undefined }[] | null | undefined
}

export interface NewItemWithTime {
  /** An id that the client has made: a UUIDv7 (RFC 9562) whose time is at most a day ahead. Without one the service makes it. An id that a record has or had is refused (409 `id-taken`). */
  id?: unknown
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** The id of an Area. */
  areaId?: string | null | undefined
  /** The id of a Process. */
  processId?: string | null | undefined
  title: string
  description?: string | null | undefined
  status?: string | null | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | null | undefined
  resolution?: string | null | undefined
  assignees?: string[] | null | undefined
  /** The id or the e-mail address of a User. */
  requesterId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | null | undefined
  /** The id or the key of an Item. */
  parentId?: string | null | undefined
  /** The id of a Cycle. */
  cycleId?: string | null | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | null | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | null | undefined
  remainingMinutes?: number | null | undefined
  points?: number | null | undefined
  progress?: number | null | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | null | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | null | undefined
  restrictedTo?: string[] | null | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | null | undefined
  labels?: string[] | null | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | null | undefined
  Tags?: string[] | null | undefined
  Field?: { fieldId?: string | undefined; key?: string | undefined; name?: string | undefined; value: unknown }[] | null | undefined
  Time?: { externalId?: string | null | undefined; userId?: string | null | undefined; email?: string | null | undefined; date?: string | null | undefined; start?: string | null | undefined; end?: string | null | undefined; seconds?: number | null | undefined; minutes?: number | null | undefined; hours?: number | null | undefined; billable?: boolean | number | null | undefined; nonBillable?: string | null | undefined; note?: string | null | undefined; billRate?: string | null | undefined; reversesId?: string | null | undefined }[] | null | undefined
}

export interface UpdateManyItem {
  ids?: string[] | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** Required for a change without conditions. */
  all?: boolean | undefined
  container?: string[] | undefined
  includeClosed?: boolean | undefined
  atomic?: boolean | undefined
  patch: { containerId?: string | null | undefined; areaId?: string | null | undefined; processId?: string | null | undefined; title?: string | undefined; description?: string | null | undefined; status?: string | null | undefined; statusCategory?: number | null | undefined; priority?: number | null | undefined; severity?: number | null | undefined; resolution?: string | null | undefined; assignees?: string[] | null | undefined; requesterId?: string | null | undefined; crmId?: string | null | undefined; parentId?: string | null | undefined; cycleId?: string | null | undefined; startDate?: string | null | undefined; dueDate?: string | null | undefined; scheduling?: number | null | undefined; startNoEarlier?: string | null | undefined; estimateMinutes?: number | null | undefined; remainingMinutes?: number | null | undefined; points?: number | null | undefined; progress?: number | null | undefined; archived?: boolean | null | undefined; visibility?: number | null | undefined; restrictedTo?: string[] | null | undefined; source?: number | null | undefined; labels?: string[] | null | undefined; Meta?: Record<string, unknown> | null | undefined; Tags?: string[] | null | undefined; Field?: { fieldId?: string | undefined; key?: string | undefined; name?: string | undefined; value: unknown }[] | null | undefined; Time?: { externalId?: string | null | undefined; userId?: string | null | undefined; email?: string | null | undefined; date?: string | null | undefined; start?: string | null | undefined; end?: string | null | undefined; seconds?: number | null | undefined; minutes?: number | null | undefined; hours?: number | null | undefined; billable?: boolean | number | null | undefined; nonBillable?: string | null | undefined; note?: string | null | undefined; billRate?: string | null | undefined; reversesId?: string | null | undefined }[] | null | undefined }
}

export interface MoveItem {
  /** The id of a Container. */
  containerId: string
  /** The id of an Area. */
  areaId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  status?: string | undefined
  /** Whether its descendants move, too; otherwise they stay in their container. True by default. */
  children?: boolean | undefined
}

export interface ConvertItem {
  /** The id of a Process. */
  processId: string
  status?: string | undefined
  /** The id or the key of an Item. */
  parentId?: string | undefined
}

export interface SearchItem {
  /** One of the groups must hold; a group holds if all its conditions do. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** Words, as in `GET /api/search`. */
  q?: string | undefined
  /** The containers to search; all if empty. */
  container?: string[] | undefined
  /** Whether closed items are included; true by default. */
  includeClosed?: boolean | undefined
  /** The sort order, as in lists: `-priority,dueDate`. Custom fields are named by their key. */
  sort?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
  /** The properties to return, besides `id` and `entity`. */
  fields?: string | undefined
  count?: "exact" | "estimate" | undefined
  /** Show archived records too (`include`), or only them. */
  archived?: "include" | "only" | "true" | "false" | undefined
  /** Parts to add to each item, separated by commas: `clock`, the stored state of its clocks (for requesters: what was promised to them), `can`, what the caller may do with it, and `subItems`, how many items it consists of. */
  include?: string | undefined
  /** Answers as of this moment, from the event log, with the rights of now. It must not be in the future (400), nor before the log begins (422 `log-too-short`). */
  asOf?: string | undefined
}

export interface NewLinkType {
  name: string
  /** The name from the other end, such as `blocked by`; `name` if empty. */
  inverseName?: string | null | undefined
  description?: string | null | undefined
  /** 0 relates, which has no direction · 1 blocks · 2 precedes, which moves the dates of the later item · 3 duplicates · 5 causes · 6 clones · 7 custom. Links of 1 and 2 must not form circles. */
  behaviour?: number | null | undefined
}

export interface PutLinkType {
  name?: string | undefined
  /** The name from the other end, such as `blocked by`; `name` if empty. */
  inverseName?: string | null | undefined
  description?: string | null | undefined
  /** 0 relates, which has no direction · 1 blocks · 2 precedes, which moves the dates of the later item · 3 duplicates · 5 causes · 6 clones · 7 custom. Links of 1 and 2 must not form circles. */
  behaviour?: number | null | undefined
}

export interface NewLink {
  /** The id or the key of an Item. */
  fromId: string
  /** The other item; empty for a link to `external`. */
  toId?: string | null | undefined
  /** The id or the name of a type; by default `relates`. */
  type?: string | null | undefined
  note?: string | null | undefined
  /** For links that precede: the number of working days between the two items. */
  lagDays?: number | null | undefined
  /** For links that precede: 0 the end of the first item lets the other begin · 1 its start does · 2 its end lets the other end · 3 its start does. */
  dependency?: number | null | undefined
  external?: { url?: unknown; title?: string | undefined; system?: string | undefined; key?: string | undefined } | null | undefined
}

export interface PutLink {
  /** The id or the key of an Item. */
  fromId?: string | undefined
  /** The other item; empty for a link to `external`. */
  toId?: string | null | undefined
  /** The id or the name of a type; by default `relates`. */
  type?: string | null | undefined
  note?: string | null | undefined
  /** For links that precede: the number of working days between the two items. */
  lagDays?: number | null | undefined
  /** For links that precede: 0 the end of the first item lets the other begin · 1 its start does · 2 its end lets the other end · 3 its start does. */
  dependency?: number | null | undefined
  external?: { url?: unknown; title?: string | undefined; system?: string | undefined; key?: string | undefined } | null | undefined
}

export interface UpdateManyLink {
  ids: string[]
  /** Changes all records, or none if one is refused. */
  atomic?: boolean | undefined
  patch: { fromId?: string | undefined; toId?: string | null | undefined; type?: string | null | undefined; note?: string | null | undefined; lagDays?: number | null | undefined; dependency?: number | null | undefined; external?: { url?: unknown; title?: string | undefined; system?: string | undefined; key?: string | undefined } | null | undefined }
}

export interface CloseDuplicatesItem {
  status?: string | undefined
  resolution?: string | undefined
}

export interface SimilarItem2 {
  title: string
  description?: string | undefined
  /** Only items of this container. */
  containerId?: string | undefined
  /** Only items of this process. */
  processId?: string | undefined
  /** The most items of the answer; 5 by default. */
  limit?: number | undefined
}

export type BulkItem = { id?: unknown; containerId?: string | null | undefined; areaId?: string | null | undefined; processId?: string | null | undefined; title: string; description?: string | null | undefined; status?: string | null | undefined; statusCategory?: number | null | undefined; priority?: number | null | undefined; severity?: number | null | undefined; resolution?: string | null | undefined; assignees?: string[] | null | undefined; requesterId?: string | null | undefined; crmId?: string | null | undefined; parentId?: string | null | undefined; cycleId?: string | null | undefined; startDate?: string | null | undefined; dueDate?: string | null | undefined; scheduling?: number | null | undefined; startNoEarlier?: string | null | undefined; estimateMinutes?: number | null | undefined; remainingMinutes?: number | null | undefined; points?: number | null | undefined; progress?: number | null | undefined; archived?: boolean | null | undefined; visibility?: number | null | undefined; restrictedTo?: string[] | null | undefined; source?: number | null | undefined; labels?: string[] | null | undefined; Meta?: Record<string, unknown> | null | undefined; Tags?: string[] | null | undefined; Field?: { fieldId?: string | undefined; key?: string | undefined; name?: string | undefined; value: unknown }[] | null | undefined; Time?: { externalId?: string | null | undefined; userId?: string | null | undefined; email?: string | null | undefined; date?: string | null | undefined; start?: string | null | undefined; end?: string | null | undefined; seconds?: number | null | undefined; minutes?: number | null | undefined; hours?: number | null | undefined; billable?: boolean | number | null | undefined; nonBillable?: string | null | undefined; note?: string | null | undefined; billRate?: string | null | undefined; reversesId?: string | null | undefined }[] | null | undefined }[]

export interface SetRecurrenceItem {
  /** An RRULE (RFC 5545), daily or less often: `FREQ=WEEKLY;BYDAY=MO`. */
  rule: string
  /** 0 creates a copy at each time, 1 creates a copy for the next time when the item is closed, 2 reopens the item itself for the next time when it is closed. */
  mode?: number | undefined
  day?: string | undefined
  at?: unknown
  timezone?: unknown
}

export interface CompareItem {
  /** The earlier moment. */
  from: string
  /** The later moment; now by default. */
  to?: string | undefined
  /** A saved filter, instead of `conditionGroup`, `container` and `includeClosed`. */
  filterId?: string | undefined
  /** As in `POST /api/item/search` with `asOf`, at each of the moments. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** The containers to compare; all if empty. */
  container?: string[] | undefined
  /** Whether closed items are included; true by default. */
  includeClosed?: boolean | undefined
  /** The most items of the answer; 200 by default. */
  limit?: number | undefined
  /** The `next` of the previous page. */
  cursor?: string | undefined
}

export interface DryRunConstraint {
  constraint: { name?: string | undefined; description?: string | null | undefined; owner?: number | null | undefined; ownerId?: string | null | undefined; active?: boolean | null | undefined; when?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined; then?: { kind?: number | undefined; field?: string | undefined; value?: unknown }[] | null | undefined; message?: string | null | undefined; severity?: number | null | undefined; enforceOn?: number[] | null | undefined }
  /** The id of a Container. */
  containerId?: string | undefined
}

export interface MoveBoard {
  /** The id or the key of an Item. */
  itemId?: string | undefined
  /** Several cards instead of one: all are moved, in this order, or none. */
  itemIds?: string[] | undefined
  column: string
  /** The id or the key of an Item. */
  before?: string | undefined
  /** The id or the key of an Item. */
  after?: string | undefined
  swimlane?: string | undefined
}

export interface MoveManyItem {
  itemIds: string[]
  /** The id of a Container. */
  containerId: string
  /** The id of an Area. */
  areaId?: string | undefined
  /** The id of a Process. */
  processId?: string | undefined
  status?: string | undefined
  /** Whether their descendants move, too; otherwise they stay in their container. True by default. */
  children?: boolean | undefined
}

export interface FinishCycle {
  /** A code or its name: 0 `next` · 1 `backlog` · 2 `ask`. */
  rollover?: number | undefined
  /** The id of a Cycle. */
  toCycleId?: string | undefined
}

export interface ItemsCycle {
  add?: string[] | undefined
  remove?: string[] | undefined
}

export interface CopyItem {
  /** The id of a Container. */
  containerId?: string | undefined
  title?: string | undefined
  /** The id or the key of an Item. */
  parentId?: string | undefined
  /** Whether all descendants are copied, too. */
  children?: boolean | undefined
}

export interface CopyContainer {
  name: string
  key?: string | undefined
  startDate?: string | undefined
  /** The parts to copy; by default all except the members. */
  include?: ("areas" | "filters" | "boards" | "members" | "items")[] | undefined
}

export interface NewAnnotation {
  /** An id that the client has made: a UUIDv7 (RFC 9562) whose time is at most a day ahead. Without one the service makes it. An id that a record has or had is refused (409 `id-taken`). */
  id?: unknown
  /** The id or the key of an Item. */
  itemId?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** 0 internal note · 1 public reply · 2 requester’s message · 3 system · 4 decision · 5 resolution · 6 status update. 1, 2, 5 and 6 are public. */
  kind?: number | null | undefined
  body: string
  bodyFormat?: "markdown" | "html" | "text" | undefined
  /** The id or the e-mail address of a User. */
  authorId?: string | null | undefined
  /** 0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social. */
  via?: number | null | undefined
  /** The id of an Annotation. */
  replyToId?: string | null | undefined
  restrictedTo?: string[] | null | undefined
  attachments?: string[] | null | undefined
  mentions?: string[] | null | undefined
  mail?: { messageId?: string | undefined; inReplyTo?: string | undefined; to?: string[] | undefined; cc?: string[] | undefined; headers?: Record<string, unknown> | undefined } | null | undefined
  /** The id of a Time. */
  timeId?: string | null | undefined
  anchor?: { from?: number | undefined; to?: number | undefined; quote?: string | undefined; version?: number | undefined } | null | undefined
}

export interface PutAnnotation {
  /** The id or the key of an Item. */
  itemId?: string | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** 0 internal note · 1 public reply · 2 requester’s message · 3 system · 4 decision · 5 resolution · 6 status update. 1, 2, 5 and 6 are public. */
  kind?: number | null | undefined
  body?: string | undefined
  bodyFormat?: "markdown" | "html" | "text" | undefined
  /** The id or the e-mail address of a User. */
  authorId?: string | null | undefined
  /** 0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social. */
  via?: number | null | undefined
  /** The id of an Annotation. */
  replyToId?: string | null | undefined
  restrictedTo?: string[] | null | undefined
  attachments?: string[] | null | undefined
  mentions?: string[] | null | undefined
  mail?: { messageId?: string | undefined; inReplyTo?: string | undefined; to?: string[] | undefined; cc?: string[] | undefined; headers?: Record<string, unknown> | undefined } | null | undefined
  /** The id of a Time. */
  timeId?: string | null | undefined
  anchor?: { from?: number | undefined; to?: number | undefined; quote?: string | undefined; version?: number | undefined } | null | undefined
}

export interface UpdateManyAnnotation {
  ids: string[]
  /** Changes all records, or none if one is refused. */
  atomic?: boolean | undefined
  patch: { itemId?: string | null | undefined; owner?: number | null | undefined; ownerId?: string | null | undefined; kind?: number | null | undefined; body?: string | undefined; bodyFormat?: "markdown" | "html" | "text" | undefined; authorId?: string | null | undefined; via?: number | null | undefined; replyToId?: string | null | undefined; restrictedTo?: string[] | null | undefined; attachments?: string[] | null | undefined; mentions?: string[] | null | undefined; mail?: { messageId?: string | undefined; inReplyTo?: string | undefined; to?: string[] | undefined; cc?: string[] | undefined; headers?: Record<string, unknown> | undefined } | null | undefined; timeId?: string | null | undefined; anchor?: { from?: number | undefined; to?: number | undefined; quote?: string | undefined; version?: number | undefined } | null | undefined }
}

export interface SetDraftItem {
  /** A code or its name: 0 `note` · 1 `reply` · 2 `message` · 3 `system` · 4 `decision` · 5 `resolution` · 6 `update`. */
  kind?: number | undefined
  body?: string | undefined
  bodyFormat?: "markdown" | "html" | "text" | undefined
}

export interface ChecklistMarkdownItem {
  text?: string | undefined
  /** An annotation on the item whose lines are taken. */
  annotationId?: string | undefined
  /** Whether the lines are removed from the description. */
  removeLines?: boolean | undefined
}

export interface NewChecklistEntry {
  /** The id or the key of an Item. */
  itemId: string
  text: string
  /** The place in the checklist; a new entry is the last one. */
  sequence?: number | null | undefined
  /** Who does it. */
  assigneeId?: string | null | undefined
  checked?: boolean | null | undefined
}

export interface PutChecklistEntry {
  /** The id or the key of an Item. */
  itemId?: string | undefined
  text?: string | undefined
  /** The place in the checklist; a new entry is the last one. */
  sequence?: number | null | undefined
  /** Who does it. */
  assigneeId?: string | null | undefined
  checked?: boolean | null | undefined
}

export interface NewTicket {
  /** An id that the client has made: a UUIDv7 (RFC 9562) whose time is at most a day ahead. Without one the service makes it. An id that a record has or had is refused (409 `id-taken`). */
  id?: unknown
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** The id of an Area. */
  areaId?: string | null | undefined
  /** The id of a Process. */
  processId?: string | null | undefined
  title: string
  description?: string | null | undefined
  status?: string | null | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | null | undefined
  resolution?: string | null | undefined
  assignees?: string[] | null | undefined
  /** The id or the e-mail address of a User. */
  requesterId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | null | undefined
  /** The id or the key of an Item. */
  parentId?: string | null | undefined
  /** The id of a Cycle. */
  cycleId?: string | null | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | null | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | null | undefined
  remainingMinutes?: number | null | undefined
  points?: number | null | undefined
  progress?: number | null | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | null | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | null | undefined
  restrictedTo?: string[] | null | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | null | undefined
  labels?: string[] | null | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | null | undefined
  Tags?: string[] | null | undefined
  Field?: { fieldId?: string | undefined; key?: string | undefined; name?: string | undefined; value: unknown }[] | null | undefined
  Time?: { externalId?: string | null | undefined; userId?: string | null | undefined; email?: string | null | undefined; date?: string | null | undefined; start?: string | null | undefined; end?: string | null | undefined; seconds?: number | null | undefined; minutes?: number | null | undefined; hours?: number | null | undefined; billable?: boolean | number | null | undefined; nonBillable?: string | null | undefined; note?: string | null | undefined; billRate?: string | null | undefined; reversesId?: string | null | undefined }[] | null | undefined
  requester?: { userId?: string | undefined; email?: string | undefined; name?: string | undefined; phone?: string | undefined; unproven?: boolean | undefined } | null | undefined
  cc?: unknown[] | null | undefined
  /** 0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social. */
  channel?: number | null | undefined
  /** The id of a Mailbox. */
  mailboxId?: string | null | undefined
  /** The id of a UserGroup. */
  queueGroupId?: string | null | undefined
  /** Who has to act next: 0 we · 1 the requester · 2 a third party. */
  waitingOn?: number | null | undefined
  snoozedUntil?: string | null | undefined
  language?: string | null | undefined
  spamScore?: number | null | undefined
}

export interface PutTicket {
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** The id of an Area. */
  areaId?: string | null | undefined
  /** The id of a Process. */
  processId?: string | null | undefined
  title?: string | undefined
  description?: string | null | undefined
  status?: string | null | undefined
  /** A code or its name: 0 `backlog` · 1 `unstarted` · 2 `started` · 3 `waiting` · 4 `done` · 5 `cancelled`. */
  statusCategory?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `urgent` · 2 `high` · 3 `medium` · 4 `low`. */
  priority?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `critical` · 2 `major` · 3 `minor` · 4 `trivial`. */
  severity?: number | null | undefined
  resolution?: string | null | undefined
  assignees?: string[] | null | undefined
  /** The id or the e-mail address of a User. */
  requesterId?: string | null | undefined
  /** The id of a Crm. */
  crmId?: string | null | undefined
  /** The id or the key of an Item. */
  parentId?: string | null | undefined
  /** The id of a Cycle. */
  cycleId?: string | null | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
  /** 0 moved by links to later days only · 1 automatic: also to earlier days, and with its children · 2 fixed. */
  scheduling?: number | null | undefined
  startNoEarlier?: string | null | undefined
  estimateMinutes?: number | null | undefined
  remainingMinutes?: number | null | undefined
  points?: number | null | undefined
  progress?: number | null | undefined
  /** An archived item is closed and read-only: it can be read and found, but not changed. */
  archived?: boolean | null | undefined
  /** A code or its name: 0 `normal` · 1 `restricted` · 2 `confidential`. */
  visibility?: number | null | undefined
  restrictedTo?: string[] | null | undefined
  /** A code or its name: 0 `ui` · 1 `api` · 2 `mail` · 3 `portal` · 4 `import` · 5 `rule` · 6 `recurrence` · 7 `chat`. */
  source?: number | null | undefined
  labels?: string[] | null | undefined
  /** Metadata, stored as given. A second creation with the same `source` and `externalId` updates the item. */
  Meta?: Record<string, unknown> | null | undefined
  Tags?: string[] | null | undefined
  Field?: { fieldId?: string | undefined; key?: string | undefined; name?: string | undefined; value: unknown }[] | null | undefined
  Time?: { externalId?: string | null | undefined; userId?: string | null | undefined; email?: string | null | undefined; date?: string | null | undefined; start?: string | null | undefined; end?: string | null | undefined; seconds?: number | null | undefined; minutes?: number | null | undefined; hours?: number | null | undefined; billable?: boolean | number | null | undefined; nonBillable?: string | null | undefined; note?: string | null | undefined; billRate?: string | null | undefined; reversesId?: string | null | undefined }[] | null | undefined
  requester?: { userId?: string | undefined; email?: string | undefined; name?: string | undefined; phone?: string | undefined; unproven?: boolean | undefined } | null | undefined
  cc?: unknown[] | null | undefined
  /** 0 mail · 1 portal · 2 phone · 3 chat · 4 API · 5 social. */
  channel?: number | null | undefined
  /** The id of a Mailbox. */
  mailboxId?: string | null | undefined
  /** The id of a UserGroup. */
  queueGroupId?: string | null | undefined
  /** Who has to act next: 0 we · 1 the requester · 2 a third party. */
  waitingOn?: number | null | undefined
  snoozedUntil?: string | null | undefined
  language?: string | null | undefined
  spamScore?: number | null | undefined
}

export interface ReplyTicket {
  /** An id that the client has made: a UUIDv7 (RFC 9562) whose time is at most a day ahead. Without one the service makes it. An id that a record has or had is refused (409 `id-taken`). */
  id?: unknown
  body: string
  bodyFormat?: "markdown" | "html" | "text" | undefined
  attachments?: string[] | undefined
  /** The id of an Annotation. */
  replyToId?: string | undefined
  to?: string[] | undefined
  cc?: string[] | undefined
  internal?: boolean | undefined
  status?: string | undefined
  /** A code or its name: 0 `ours` · 1 `requester` · 2 `thirdParty`. */
  waitingOn?: number | undefined
}

export interface NoteTicket {
  /** An id that the client has made: a UUIDv7 (RFC 9562) whose time is at most a day ahead. Without one the service makes it. An id that a record has or had is refused (409 `id-taken`). */
  id?: unknown
  body: string
  bodyFormat?: "markdown" | "html" | "text" | undefined
  attachments?: string[] | undefined
  /** The id of an Annotation. */
  replyToId?: string | undefined
}

export interface AssignNextTicket {
  /** The id of a UserGroup. */
  groupId?: string | undefined
  /** Instead of the `assignPolicy` of the group. */
  policy?: number | undefined
  skills?: string[] | undefined
  /** Members who have so many open items or more are passed over. */
  maxOpen?: number | undefined
}

export interface SplitItem2 {
  title: string
  annotationIds?: string[] | undefined
  /** The id of a Container. */
  containerId?: string | undefined
}

export interface NewChatRoom {
  name?: string | null | undefined
  topic?: string | null | undefined
  /** 0 team · 1 direct · 2 customer · 3 assistant · 4 visitor. */
  kind?: number | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  members?: string[] | null | undefined
  archived?: boolean | null | undefined
}

export interface NewChatMessage {
  body: string
  /** The id of a ChatMessage. */
  replyToId?: string | null | undefined
  files?: string[] | null | undefined
  mentions?: string[] | null | undefined
  /** Makes posting repeatable: a second message of the same author with this id is not stored. */
  clientId?: string | null | undefined
  /** A note for staff in a room with a visitor, which the visitor does not see; it stays one. */
  internal?: boolean | null | undefined
}

export interface PutChatMessage {
  body?: string | undefined
  /** The id of a ChatMessage. */
  replyToId?: string | null | undefined
  files?: string[] | null | undefined
  mentions?: string[] | null | undefined
  /** Makes posting repeatable: a second message of the same author with this id is not stored. */
  clientId?: string | null | undefined
  /** A note for staff in a room with a visitor, which the visitor does not see; it stays one. */
  internal?: boolean | null | undefined
}

export interface ToItemChatMessage {
  /** The container of the item; by default that of the room. */
  containerId?: string | undefined
  /** By default the first line of the message. */
  title?: string | undefined
}

export interface NewWatch {
  /** The id or the e-mail address of a User. */
  userId?: string | null | undefined
  /** The id of a UserGroup. */
  userGroupId?: string | null | undefined
  email?: unknown
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** 0 all · 1 comments and status · 2 status only · 3 muted. */
  level?: number | null | undefined
  until?: string | null | undefined
}

export interface SetWatchItem {
  /** A code or its name: 0 `all` · 1 `comments` · 2 `status` · 3 `muted`. */
  level?: number | undefined
  until?: string | null | undefined
}

export interface PreviewContentTemplate {
  template?: { name?: string | undefined; kind?: number | null | undefined; subject?: string | null | undefined; body?: string | null | undefined; format?: string | null | undefined; locales?: Record<string, { subject?: string | undefined; body?: string | undefined }> | null | undefined; owner?: number | null | undefined; ownerId?: string | null | undefined; userGroup?: string[] | null | undefined; shortcut?: string | null | undefined; actions?: { actionType?: number | undefined; field?: string | undefined; value?: unknown; id?: string | undefined; active?: boolean | undefined }[] | null | undefined; active?: boolean | null | undefined } | undefined
  /** The id of a ContentTemplate. */
  templateId?: string | undefined
  /** The id or the key of an Item. */
  itemId?: string | undefined
  locale?: string | undefined
}

export interface RenderContentTemplate {
  /** The id or the key of an Item. */
  itemId?: string | undefined
  locale?: string | undefined
}

export interface PutMailGeneral {
  signature?: string | null | undefined
  domainStopList?: string[] | null | undefined
  subjectStopList?: string[] | null | undefined
  /** Larger messages are refused; 0 is 25 MiB. */
  maxMessageBytes?: number | null | undefined
  allowedAttachmentTypes?: string[] | null | undefined
  defaultFrom?: unknown
  replyMarker?: string | null | undefined
  /** Which messages get an automatic reply from the template of the mailbox: 0 those that open a ticket · 1 all · 2 none. */
  autoReplyPolicy?: number | null | undefined
  /** The minutes within which an address gets at most one automatic reply. */
  autoReplyMinutes?: number | null | undefined
  loopQuotas?: { scope?: number | undefined; count: number; minutes: number }[] | null | undefined
  trustedSenders?: string[] | null | undefined
  mailRecipientDomains?: string[] | null | undefined
  bounceSuppressDays?: number | null | undefined
  /** For how many days a message reopens a closed ticket; 0 uses the setting `ticket.reopenDays`. */
  followUpDays?: number | null | undefined
  /** How the HTML of incoming mail is stored: 0 sanitized · 1 as plain text. */
  htmlPolicy?: number | null | undefined
  trackOpens?: boolean | null | undefined
  /** Which mail that fails DMARC goes to quarantine: 0 if the policy of its domain is reject · 1 also if it is quarantine · 2 none; the mail is only marked. */
  spoofPolicy?: number | null | undefined
  /** Mail from a domain that publishes nothing (SPF, DKIM, DMARC) is treated as mail from a stranger. */
  demandProof?: boolean | null | undefined
}

export interface NewMailbox {
  name: string
  address: string
  aliases?: unknown[] | null | undefined
  /** 0 IMAP · 1 POP3 · 2 Graph · 3 Gmail API · 4 pushed by SMTP or LMTP · 5 forwarding. Only 0 is read. */
  protocol?: number | null | undefined
  auth?: string | null | undefined
  imap?: { host?: string | undefined; port?: number | undefined; security?: number | undefined; user?: string | undefined; folder?: string | undefined } | null | undefined
  smtp?: { host?: string | undefined; port?: number | undefined; security?: number | undefined; user?: string | undefined } | null | undefined
  password?: string | null | undefined
  smtpPassword?: string | null | undefined
  oauth?: { tokenUrl?: unknown; clientId?: string | undefined; scope?: string | undefined } | null | undefined
  clientSecret?: string | null | undefined
  refreshToken?: string | null | undefined
  dkim?: { domain?: string | undefined; selector?: string | undefined } | null | undefined
  dkimKey?: string | null | undefined
  trustedAuthHosts?: string[] | null | undefined
  /** Whether the spam headers (`X-Spam-…`, `X-Rspamd-…`) of the receiving server are trusted. */
  spamHeaders?: boolean | null | undefined
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** The id of a Process. */
  processId?: string | null | undefined
  /** The id of a UserGroup. */
  groupId?: string | null | undefined
  /** Default values of new tickets, as in the body of a ticket: `{"priority": 2}`. */
  defaults?: Record<string, unknown> | null | undefined
  /** The id of a ContentTemplate. */
  templateId?: string | null | undefined
  signature?: string | null | undefined
  deleteAfterFetch?: boolean | null | undefined
  moveTo?: string | null | undefined
  archiveImport?: { since?: string | undefined } | null | undefined
  active?: boolean | null | undefined
}

export interface PutMailMailbox {
  name?: string | undefined
  address?: string | undefined
  aliases?: unknown[] | null | undefined
  /** 0 IMAP · 1 POP3 · 2 Graph · 3 Gmail API · 4 pushed by SMTP or LMTP · 5 forwarding. Only 0 is read. */
  protocol?: number | null | undefined
  auth?: string | null | undefined
  imap?: { host?: string | undefined; port?: number | undefined; security?: number | undefined; user?: string | undefined; folder?: string | undefined } | null | undefined
  smtp?: { host?: string | undefined; port?: number | undefined; security?: number | undefined; user?: string | undefined } | null | undefined
  password?: string | null | undefined
  smtpPassword?: string | null | undefined
  oauth?: { tokenUrl?: unknown; clientId?: string | undefined; scope?: string | undefined } | null | undefined
  clientSecret?: string | null | undefined
  refreshToken?: string | null | undefined
  dkim?: { domain?: string | undefined; selector?: string | undefined } | null | undefined
  dkimKey?: string | null | undefined
  trustedAuthHosts?: string[] | null | undefined
  /** Whether the spam headers (`X-Spam-…`, `X-Rspamd-…`) of the receiving server are trusted. */
  spamHeaders?: boolean | null | undefined
  /** The id of a Container. */
  containerId?: string | null | undefined
  /** The id of a Process. */
  processId?: string | null | undefined
  /** The id of a UserGroup. */
  groupId?: string | null | undefined
  /** Default values of new tickets, as in the body of a ticket: `{"priority": 2}`. */
  defaults?: Record<string, unknown> | null | undefined
  /** The id of a ContentTemplate. */
  templateId?: string | null | undefined
  signature?: string | null | undefined
  deleteAfterFetch?: boolean | null | undefined
  moveTo?: string | null | undefined
  archiveImport?: { since?: string | undefined } | null | undefined
  active?: boolean | null | undefined
}

export interface NewMailSuppression {
  address: string
  reason?: string | null | undefined
  until?: string | null | undefined
}

export interface PutMailSuppression {
  address?: string | undefined
  reason?: string | null | undefined
  until?: string | null | undefined
}

export interface NewClock {
  name: string
  container?: string[] | null | undefined
  timezone?: unknown
  dayStart?: unknown
  dayEnd?: unknown
  weekStart?: unknown
  weekEnd?: unknown
  nonWorkingDay?: string[] | null | undefined
  tick?: number | null | undefined
  greenThreshold?: number | null | undefined
  amberThreshold?: number | null | undefined
  redThreshold?: number | null | undefined
  schedule?: { day: number; intervals?: { start?: unknown; end?: unknown }[] | undefined }[] | null | undefined
  exceptions?: { date: string; intervals?: { start?: unknown; end?: unknown }[] | undefined }[] | null | undefined
  /** The country or region whose public holidays are days off, by ISO 3166: `DE`, `DE-BY`, `US-CA`. */
  holidayCountry?: string | null | undefined
  /** The address of an iCalendar file whose all-day events are days off; it is read once a day. */
  holidayFeed?: string | null | undefined
  regions?: { name: string; clockId: string; groupId?: string | undefined }[] | null | undefined
  targets?: { id?: string | undefined; kind?: number | undefined; minutes?: number | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; calendarTime?: boolean | undefined }[] | null | undefined
  /** 0 ticks elapsed · 1 percent of the target · 2 ticks remaining. */
  thresholdMode?: number | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  start?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  pause?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  resume?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  stop?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  reset?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  cancel?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** From when on time counts: `event`, `created`, or `field:` and a path. */
  startFrom?: string | null | undefined
  order?: number | null | undefined
  active?: boolean | null | undefined
  parallel?: boolean | null | undefined
  effectiveFrom?: string | null | undefined
}

export interface PutClock {
  name?: string | undefined
  container?: string[] | null | undefined
  timezone?: unknown
  dayStart?: unknown
  dayEnd?: unknown
  weekStart?: unknown
  weekEnd?: unknown
  nonWorkingDay?: string[] | null | undefined
  tick?: number | null | undefined
  greenThreshold?: number | null | undefined
  amberThreshold?: number | null | undefined
  redThreshold?: number | null | undefined
  schedule?: { day: number; intervals?: { start?: unknown; end?: unknown }[] | undefined }[] | null | undefined
  exceptions?: { date: string; intervals?: { start?: unknown; end?: unknown }[] | undefined }[] | null | undefined
  /** The country or region whose public holidays are days off, by ISO 3166: `DE`, `DE-BY`, `US-CA`. */
  holidayCountry?: string | null | undefined
  /** The address of an iCalendar file whose all-day events are days off; it is read once a day. */
  holidayFeed?: string | null | undefined
  regions?: { name: string; clockId: string; groupId?: string | undefined }[] | null | undefined
  targets?: { id?: string | undefined; kind?: number | undefined; minutes?: number | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; calendarTime?: boolean | undefined }[] | null | undefined
  /** 0 ticks elapsed · 1 percent of the target · 2 ticks remaining. */
  thresholdMode?: number | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  start?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  pause?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  resume?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  stop?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  reset?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  cancel?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  /** From when on time counts: `event`, `created`, or `field:` and a path. */
  startFrom?: string | null | undefined
  order?: number | null | undefined
  active?: boolean | null | undefined
  parallel?: boolean | null | undefined
  effectiveFrom?: string | null | undefined
}

export interface CalcClock {
  from: string
  /** Counts the working time between `from` and `to`. */
  to?: string | null | undefined
  /** Finds the instant that is this number of working minutes after `from`, or before it if negative. */
  minutes?: number | null | undefined
}

export interface SchedulePlan {
  containerIds?: string[] | undefined
  itemIds?: string[] | undefined
  /** Writes the dates; otherwise they are only returned. */
  apply?: boolean | undefined
  /** Schedules the items as this scenario makes them, and writes their dates into it. */
  scenario?: string | undefined
}

export interface NewBaseline {
  name: string
  description?: string | null | undefined
  containerIds: string[]
  /** The moment whose plan it keeps; that of its creation by default. */
  at?: string | null | undefined
}

export interface PutPlanBaseline {
  name?: string | undefined
  description?: string | null | undefined
  containerIds?: string[] | undefined
  /** The moment whose plan it keeps; that of its creation by default. */
  at?: string | null | undefined
}

export interface NewItemTemplate {
  name: string
  description?: string | null | undefined
  /** The tenant (0) or a container (1), whose staff see the template. */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  items?: { key: string; parentKey?: string | undefined; title: string; description?: string | undefined; processId?: string | undefined; status?: string | undefined; priority?: number | undefined; severity?: number | undefined; labels?: string[] | undefined; assignees?: string[] | undefined; assignCreator?: boolean | undefined; assignTo?: { jobRoleId?: string | undefined; relation?: number | undefined }[] | undefined; watchers?: string[] | undefined; watchedBy?: { jobRoleId?: string | undefined; relation?: number | undefined }[] | undefined; estimateMinutes?: number | undefined; points?: number | undefined; start?: { days: number; working?: boolean | undefined } | null | undefined; due?: { days: number; working?: boolean | undefined } | null | undefined; Field?: { fieldId: string; value: unknown }[] | undefined; checklist?: string[] | undefined; checklistBy?: { entry: number; userId?: string | undefined; jobRoleId?: string | undefined; relation?: number | undefined }[] | undefined }[] | null | undefined
  links?: { from: string; to: string; type?: string | undefined; lagDays?: number | undefined }[] | null | undefined
  active?: boolean | null | undefined
}

export interface PutItemTemplate {
  name?: string | undefined
  description?: string | null | undefined
  /** The tenant (0) or a container (1), whose staff see the template. */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  items?: { key: string; parentKey?: string | undefined; title: string; description?: string | undefined; processId?: string | undefined; status?: string | undefined; priority?: number | undefined; severity?: number | undefined; labels?: string[] | undefined; assignees?: string[] | undefined; assignCreator?: boolean | undefined; assignTo?: { jobRoleId?: string | undefined; relation?: number | undefined }[] | undefined; watchers?: string[] | undefined; watchedBy?: { jobRoleId?: string | undefined; relation?: number | undefined }[] | undefined; estimateMinutes?: number | undefined; points?: number | undefined; start?: { days: number; working?: boolean | undefined } | null | undefined; due?: { days: number; working?: boolean | undefined } | null | undefined; Field?: { fieldId: string; value: unknown }[] | undefined; checklist?: string[] | undefined; checklistBy?: { entry: number; userId?: string | undefined; jobRoleId?: string | undefined; relation?: number | undefined }[] | undefined }[] | null | undefined
  links?: { from: string; to: string; type?: string | undefined; lagDays?: number | undefined }[] | null | undefined
  active?: boolean | null | undefined
}

export interface CreateItemsItemTemplate {
  /** The id of a Container. */
  containerId: string
  /** The day that dates are counted from. */
  anchor: string
  /** The values of the variables in titles and descriptions. `anchor` and `container` have values already. */
  variables?: Record<string, unknown> | undefined
  /** The item below which the tree is created. */
  parentId?: string | undefined
  /** The users for the job roles of placeholders: their ids, by the id or the code of the job role. */
  people?: Record<string, string> | undefined
}

export interface TemplateItem {
  name: string
  description?: string | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | undefined
  ownerId?: string | undefined
  anchor?: string | undefined
  /** Whether distances are counted in working days of the container. */
  working?: boolean | undefined
}

export interface NewScenarioChange {
  entity: "Container" | "Item" | "Leave" | "Plan" | "BudgetEntry"
  recordId?: string | undefined
  /** A code or its name: 0 `create` · 1 `update` · 2 `delete`. */
  op: number
  values?: Record<string, unknown> | undefined
}

export interface MergePlanScenario {
  resolve?: { entity: "Container" | "Item" | "Leave" | "Plan" | "BudgetEntry"; id: string; property: string; take: "current" | "proposed" }[] | undefined
}

export interface NewPlan {
  /** The id or the e-mail address of a User. */
  userId?: string | null | undefined
  /** The id of a UserGroup. */
  userGroupId?: string | null | undefined
  /** The id of a JobRole. */
  jobRoleId?: string | null | undefined
  skills?: string[] | null | undefined
  /** What the work is for: 0 nothing in particular · 1 container · 3 item · 6 customer · 9 cycle. */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** Instead of an owner: work on a non-billable code. */
  nonBillable?: string | null | undefined
  from: string
  to: string
  /** 0 minutes a day · 1 minutes in total, spread over the days with capacity · 2 percent of the capacity. */
  unit?: number | null | undefined
  amount?: number | null | undefined
  /** An RRULE: only the days from `from` to `to` on which it holds are planned. */
  recurrence?: string | null | undefined
  tentative?: boolean | null | undefined
  probability?: number | null | undefined
  note?: string | null | undefined
  /** 0 draft, which plans nothing · 1 proposed, which is tentative · 2 approved. */
  state?: number | null | undefined
  /** The dates stay when those of the item move. */
  lockDates?: boolean | null | undefined
}

export interface PutPlan {
  /** The id or the e-mail address of a User. */
  userId?: string | null | undefined
  /** The id of a UserGroup. */
  userGroupId?: string | null | undefined
  /** The id of a JobRole. */
  jobRoleId?: string | null | undefined
  skills?: string[] | null | undefined
  /** What the work is for: 0 nothing in particular · 1 container · 3 item · 6 customer · 9 cycle. */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** Instead of an owner: work on a non-billable code. */
  nonBillable?: string | null | undefined
  from?: string | undefined
  to?: string | undefined
  /** 0 minutes a day · 1 minutes in total, spread over the days with capacity · 2 percent of the capacity. */
  unit?: number | null | undefined
  amount?: number | null | undefined
  /** An RRULE: only the days from `from` to `to` on which it holds are planned. */
  recurrence?: string | null | undefined
  tentative?: boolean | null | undefined
  probability?: number | null | undefined
  note?: string | null | undefined
  /** 0 draft, which plans nothing · 1 proposed, which is tentative · 2 approved. */
  state?: number | null | undefined
  /** The dates stay when those of the item move. */
  lockDates?: boolean | null | undefined
}

export interface NewLeave {
  /** The id or the e-mail address of a User. */
  userId?: string | null | undefined
  /** A code of kind 1 leave, 2 sick, 3 holiday or 4 training; it sets `kind`. */
  nonBillable?: string | null | undefined
  /** 0 holiday · 1 illness · 2 training · 3 other. */
  kind?: number | null | undefined
  from: string
  to?: string | null | undefined
  /** 0 the whole first day · 1 its morning · 2 its afternoon. */
  fromHalf?: number | null | undefined
  /** 0 the whole last day · 1 its morning · 2 its afternoon. */
  toHalf?: number | null | undefined
  note?: string | null | undefined
}

export interface PutTimeLeave {
  /** The id or the e-mail address of a User. */
  userId?: string | null | undefined
  /** A code of kind 1 leave, 2 sick, 3 holiday or 4 training; it sets `kind`. */
  nonBillable?: string | null | undefined
  /** 0 holiday · 1 illness · 2 training · 3 other. */
  kind?: number | null | undefined
  from?: string | undefined
  to?: string | null | undefined
  /** 0 the whole first day · 1 its morning · 2 its afternoon. */
  fromHalf?: number | null | undefined
  /** 0 the whole last day · 1 its morning · 2 its afternoon. */
  toHalf?: number | null | undefined
  note?: string | null | undefined
}

export interface NewLeaveAllowance {
  /** The id or the e-mail address of a User. */
  userId: string
  /** The id of a NonBillable. */
  nonBillable: string
  year: number
  /** In the unit of the code: minutes or days. */
  amount?: number | null | undefined
  /** What is left of the year before. */
  carried?: number | null | undefined
  /** The last day on which leave takes of `carried`; without it the whole year. */
  carriedUntil?: string | null | undefined
  note?: string | null | undefined
}

export interface PutTimeLeaveAllowance {
  /** The id or the e-mail address of a User. */
  userId?: string | undefined
  /** The id of a NonBillable. */
  nonBillable?: string | undefined
  year?: number | undefined
  /** In the unit of the code: minutes or days. */
  amount?: number | null | undefined
  /** What is left of the year before. */
  carried?: number | null | undefined
  /** The last day on which leave takes of `carried`; without it the whole year. */
  carriedUntil?: string | null | undefined
  note?: string | null | undefined
}

export interface NewNotification {
  name: string
  description?: string | null | undefined
  active?: boolean | null | undefined
  container?: string[] | null | undefined
  /** A code or its name: 0 `off` · 1 `quarterHourly` · 2 `hourly` · 3 `daily` · 4 `workingDay` · 5 `weekly` · 6 `fortnightly` · 7 `monthly` · 8 `quarterly` · 9 `onGain`. */
  interval?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `newMatches` · 2 `oncePerRecord` · 3 `oncePerDay` · 4 `oncePerWeek` · 5 `changedOnly` · 6 `ifDifferent`. */
  limiter?: number | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  recipientUserGroup?: string[] | null | undefined
  recipientEmail?: string[] | null | undefined
  recipientEndpoint?: string | null | undefined
  recipientSlackId?: string | null | undefined
  recipientMsTeamsId?: string | null | undefined
  at?: unknown
  weekday?: unknown
  timezone?: unknown
  /** A recurrence rule (RFC 5545), instead of `interval`. */
  schedule?: string | null | undefined
  /** The id of a ContentTemplate. */
  templateId?: string | null | undefined
  /** 0 list · 1 count · 2 CSV attached · 3 XLSX attached, of a saved report. */
  format?: number | null | undefined
  /** Writes to the inbox of users, and so to their digest, instead of sending a separate mail. */
  digest?: boolean | null | undefined
  groupBy?: string | null | undefined
  /** Sends this saved report instead of items. Each recipient gets what they get when they run it themselves; it must be shared with them. */
  savedReportId?: string | null | undefined
}

export interface PutNotification {
  name?: string | undefined
  description?: string | null | undefined
  active?: boolean | null | undefined
  container?: string[] | null | undefined
  /** A code or its name: 0 `off` · 1 `quarterHourly` · 2 `hourly` · 3 `daily` · 4 `workingDay` · 5 `weekly` · 6 `fortnightly` · 7 `monthly` · 8 `quarterly` · 9 `onGain`. */
  interval?: number | null | undefined
  /** A code or its name: 0 `none` · 1 `newMatches` · 2 `oncePerRecord` · 3 `oncePerDay` · 4 `oncePerWeek` · 5 `changedOnly` · 6 `ifDifferent`. */
  limiter?: number | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  recipientUserGroup?: string[] | null | undefined
  recipientEmail?: string[] | null | undefined
  recipientEndpoint?: string | null | undefined
  recipientSlackId?: string | null | undefined
  recipientMsTeamsId?: string | null | undefined
  at?: unknown
  weekday?: unknown
  timezone?: unknown
  /** A recurrence rule (RFC 5545), instead of `interval`. */
  schedule?: string | null | undefined
  /** The id of a ContentTemplate. */
  templateId?: string | null | undefined
  /** 0 list · 1 count · 2 CSV attached · 3 XLSX attached, of a saved report. */
  format?: number | null | undefined
  /** Writes to the inbox of users, and so to their digest, instead of sending a separate mail. */
  digest?: boolean | null | undefined
  groupBy?: string | null | undefined
  /** Sends this saved report instead of items. Each recipient gets what they get when they run it themselves; it must be shared with them. */
  savedReportId?: string | null | undefined
}

export interface PreviewDraftNotification {
  notification: { name?: string | undefined; description?: string | null | undefined; active?: boolean | null | undefined; container?: string[] | null | undefined; interval?: number | null | undefined; limiter?: number | null | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined; recipientUserGroup?: string[] | null | undefined; recipientEmail?: string[] | null | undefined; recipientEndpoint?: string | null | undefined; recipientSlackId?: string | null | undefined; recipientMsTeamsId?: string | null | undefined; at?: unknown; weekday?: unknown; timezone?: unknown; schedule?: string | null | undefined; templateId?: string | null | undefined; format?: number | null | undefined; digest?: boolean | null | undefined; groupBy?: string | null | undefined; savedReportId?: string | null | undefined }
}

export interface InboxReadNotification {
  /** The ids of the entries. */
  ids?: string[] | undefined
  /** All entries that the inbox shows. */
  all?: boolean | undefined
  unread?: boolean | undefined
}

export interface InboxArchiveNotification {
  /** The ids of the entries. */
  ids?: string[] | undefined
  /** All entries that the inbox shows. */
  all?: boolean | undefined
  archived?: boolean | undefined
}

export interface InboxSnoozeNotification {
  /** The ids of the entries. */
  ids?: string[] | undefined
  /** All entries that the inbox shows. */
  all?: boolean | undefined
  until?: string | null | undefined
}

export interface SetPreferenceNotification {
  /** How often mail is sent: 0 never · 1 after 15 minutes · 2 after an hour · 3 once a day. */
  digest?: number | undefined
  /** No mail is sent outside of the user’s working hours, if these name times of the day. */
  quietHours?: boolean | undefined
  /** The most notification mails on a day, in the user’s time zone; further ones are sent as one digest in the next morning. Null uses the setting `notify.mailsPerDay` of the tenant. */
  mailsPerDay?: number | null | undefined
  /** Channels per event. An event without a choice uses both channels. */
  events?: { event: string; containerId?: string | undefined; inbox?: boolean | undefined; mail?: boolean | undefined }[] | undefined
}

export interface NewHook {
  name: string
  url?: string | null | undefined
  events?: number[] | null | undefined
  container?: string[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  secret?: string | null | undefined
  headers?: string[] | null | undefined
  /** A code or its name: 0 `standard` · 1 `thin` · 2 `cloudEvents` · 3 `slack` · 4 `teams`. */
  format?: number | null | undefined
  active?: boolean | null | undefined
  includePrevious?: boolean | null | undefined
}

export interface PutHook {
  name?: string | undefined
  url?: string | null | undefined
  events?: number[] | null | undefined
  container?: string[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  secret?: string | null | undefined
  headers?: string[] | null | undefined
  /** A code or its name: 0 `standard` · 1 `thin` · 2 `cloudEvents` · 3 `slack` · 4 `teams`. */
  format?: number | null | undefined
  active?: boolean | null | undefined
  includePrevious?: boolean | null | undefined
}

export interface RedeliverHook {
  /** Events from this moment on … */
  from?: string | undefined
  /** … and before this one. */
  to?: string | undefined
  /** Only events after this `seq` of the event log. */
  after?: string | undefined
}

export interface NewProcess {
  name: string
  key?: string | null | undefined
  description?: string | null | undefined
  image?: string | null | undefined
  itemNoun?: string | null | undefined
  order?: number | null | undefined
  fields?: { fieldId: string; order?: number | undefined; required?: boolean | undefined; requiredAt?: string[] | undefined; readOnlyFor?: string[] | undefined; hiddenFor?: string[] | undefined; default?: unknown }[] | null | undefined
  features?: string[] | null | undefined
  workflow?: { id?: string | undefined; fieldId?: string | undefined; value?: string | undefined; next?: string | undefined; userGroup?: string[] | undefined; name?: string | undefined; color?: string | undefined; category?: number | undefined; initial?: boolean | undefined; requires?: string[] | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; pausesClock?: boolean | undefined; screenId?: string | undefined }[] | null | undefined
  active?: boolean | null | undefined
}

export interface PutProcess {
  name?: string | undefined
  key?: string | null | undefined
  description?: string | null | undefined
  image?: string | null | undefined
  itemNoun?: string | null | undefined
  order?: number | null | undefined
  fields?: { fieldId: string; order?: number | undefined; required?: boolean | undefined; requiredAt?: string[] | undefined; readOnlyFor?: string[] | undefined; hiddenFor?: string[] | undefined; default?: unknown }[] | null | undefined
  features?: string[] | null | undefined
  workflow?: { id?: string | undefined; fieldId?: string | undefined; value?: string | undefined; next?: string | undefined; userGroup?: string[] | undefined; name?: string | undefined; color?: string | undefined; category?: number | undefined; initial?: boolean | undefined; requires?: string[] | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; pausesClock?: boolean | undefined; screenId?: string | undefined }[] | null | undefined
  active?: boolean | null | undefined
}

export interface NewRule {
  name: string
  description?: string | null | undefined
  active?: boolean | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** A code or its name: 0 `event` · 1 `schedule` · 2 `clock` · 3 `manual` · 4 `inboundMail` · 5 `inboundCall` · 6 `dateField` · 7 `inactivity`. */
  trigger?: number | null | undefined
  /** A code or name of the table `triggerEvent` (`/api/meta/codes?field=triggerEvent`). */
  triggerEvent?: number | null | undefined
  triggerInterval?: string | null | undefined
  container?: string[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  actionValue?: { actionType?: number | undefined; field?: string | undefined; value?: unknown; id?: string | undefined; active?: boolean | undefined }[] | null | undefined
  actionEndpoint?: { actionType?: number | undefined; url?: string | undefined; httpHeader?: string[] | undefined; to?: string | undefined; text?: string | undefined; id?: string | undefined; active?: boolean | undefined }[] | null | undefined
  order?: number | null | undefined
  /** 0 acts after the commit · 1 acts before the commit: it can only set fields (actions 0 to 5) or refuse the change (24). */
  mode?: number | null | undefined
  /** The user whose rights apply: `0` or empty for `ownerUser` · `1` for the actor of the event · the id of a user. */
  runAs?: string | null | undefined
  /** The user who is responsible for the rule and with whose rights it acts: the last one who changed its behaviour. */
  ownerUser?: string | null | undefined
  /** After it has acted, no later rule runs for the same event. */
  stopOnMatch?: boolean | null | undefined
  /** Acts at most once on each record. */
  oncePerRecord?: boolean | null | undefined
  /** Waits until no further event has come for this duration: `PT5M`. */
  debounce?: string | null | undefined
  maxPerHour?: number | null | undefined
  /** Does nothing while this clock is open. */
  quietHours?: string | null | undefined
  timezone?: unknown
  notes?: string | null | undefined
}

export interface PutRule {
  name?: string | undefined
  description?: string | null | undefined
  active?: boolean | null | undefined
  /** A code or name of the table `owner` (`/api/meta/codes?field=owner`). */
  owner?: number | null | undefined
  ownerId?: string | null | undefined
  /** A code or its name: 0 `event` · 1 `schedule` · 2 `clock` · 3 `manual` · 4 `inboundMail` · 5 `inboundCall` · 6 `dateField` · 7 `inactivity`. */
  trigger?: number | null | undefined
  /** A code or name of the table `triggerEvent` (`/api/meta/codes?field=triggerEvent`). */
  triggerEvent?: number | null | undefined
  triggerInterval?: string | null | undefined
  container?: string[] | null | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined
  actionValue?: { actionType?: number | undefined; field?: string | undefined; value?: unknown; id?: string | undefined; active?: boolean | undefined }[] | null | undefined
  actionEndpoint?: { actionType?: number | undefined; url?: string | undefined; httpHeader?: string[] | undefined; to?: string | undefined; text?: string | undefined; id?: string | undefined; active?: boolean | undefined }[] | null | undefined
  order?: number | null | undefined
  /** 0 acts after the commit · 1 acts before the commit: it can only set fields (actions 0 to 5) or refuse the change (24). */
  mode?: number | null | undefined
  /** The user whose rights apply: `0` or empty for `ownerUser` · `1` for the actor of the event · the id of a user. */
  runAs?: string | null | undefined
  /** The user who is responsible for the rule and with whose rights it acts: the last one who changed its behaviour. */
  ownerUser?: string | null | undefined
  /** After it has acted, no later rule runs for the same event. */
  stopOnMatch?: boolean | null | undefined
  /** Acts at most once on each record. */
  oncePerRecord?: boolean | null | undefined
  /** Waits until no further event has come for this duration: `PT5M`. */
  debounce?: string | null | undefined
  maxPerHour?: number | null | undefined
  /** Does nothing while this clock is open. */
  quietHours?: string | null | undefined
  timezone?: unknown
  notes?: string | null | undefined
}

export interface DryRunRule {
  rule: { name?: string | undefined; description?: string | null | undefined; active?: boolean | null | undefined; owner?: number | null | undefined; ownerId?: string | null | undefined; trigger?: number | null | undefined; triggerEvent?: number | null | undefined; triggerInterval?: string | null | undefined; container?: string[] | null | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined; actionValue?: { actionType?: number | undefined; field?: string | undefined; value?: unknown; id?: string | undefined; active?: boolean | undefined }[] | null | undefined; actionEndpoint?: { actionType?: number | undefined; url?: string | undefined; httpHeader?: string[] | undefined; to?: string | undefined; text?: string | undefined; id?: string | undefined; active?: boolean | undefined }[] | null | undefined; order?: number | null | undefined; mode?: number | null | undefined; runAs?: string | null | undefined; ownerUser?: string | null | undefined; stopOnMatch?: boolean | null | undefined; oncePerRecord?: boolean | null | undefined; debounce?: string | null | undefined; maxPerHour?: number | null | undefined; quietHours?: string | null | undefined; timezone?: unknown; notes?: string | null | undefined }
  /** The id or the key of an Item. */
  itemId?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

export interface NewRuleDryRun {
  rule: { name?: string | undefined; description?: string | null | undefined; active?: boolean | null | undefined; owner?: number | null | undefined; ownerId?: string | null | undefined; trigger?: number | null | undefined; triggerEvent?: number | null | undefined; triggerInterval?: string | null | undefined; container?: string[] | null | undefined; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | null | undefined; actionValue?: { actionType?: number | undefined; field?: string | undefined; value?: unknown; id?: string | undefined; active?: boolean | undefined }[] | null | undefined; actionEndpoint?: { actionType?: number | undefined; url?: string | undefined; httpHeader?: string[] | undefined; to?: string | undefined; text?: string | undefined; id?: string | undefined; active?: boolean | undefined }[] | null | undefined; order?: number | null | undefined; mode?: number | null | undefined; runAs?: string | null | undefined; ownerUser?: string | null | undefined; stopOnMatch?: boolean | null | undefined; oncePerRecord?: boolean | null | undefined; debounce?: string | null | undefined; maxPerHour?: number | null | undefined; quietHours?: string | null | undefined; timezone?: unknown; notes?: string | null | undefined }
  since: string
  until?: string | undefined
}

export interface NewApproval {
  /** The id or the key of an Item. */
  itemId: string
  /** The group whose members vote, including its subgroups. */
  groupId: string
  quorum?: number | null | undefined
  /** The question to the group. */
  text?: string | null | undefined
  /** The consequence of an approval: a step or a state of the workflow (as action 6 takes it), or a list of actions as in `actionValue` of rules. */
  onApprove?: unknown
  /** The consequence of a rejection: a step or a state of the workflow (as action 6 takes it), or a list of actions as in `actionValue` of rules. */
  onReject?: unknown
  until?: string | null | undefined
}

export interface ApproveItem {
  comment?: string | undefined
  /** Required if several approvals of the item wait for the caller. */
  approvalId?: string | undefined
}

export interface SuggestDocsArticle {
  title: string
  description?: string | undefined
  /** Of an earlier answer, while the same request is written. */
  session?: string | undefined
}

export interface ReadingDocsArticle {
  /** Of the suggestion; by default the newest one of the caller. */
  session?: string | undefined
  /** Whether the article helped; without it, it was opened. */
  helped?: boolean | undefined
}

export interface NewQueryResult {
  /** The kind of records. */
  entity: "Item" | "Ticket" | "Time" | "Invoice" | "BudgetEntry" | "Event"
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  groupBy?: { field: string; bucket?: "day" | "week" | "month" | "quarter" | "year" | undefined; as?: string | undefined }[] | undefined
  /** The number of records if absent. */
  measures?: { op: "count" | "countDistinct" | "sum" | "avg" | "min" | "max" | "percentile"; field?: string | undefined; p?: number | undefined; as?: string | undefined }[] | undefined
  /** Of the buckets; by default that of the caller. */
  timezone?: unknown
  /** Names of columns, `-` before one for descending: `-count,status`. */
  sort?: string | undefined
  /** The maximum of rows; 1,000 by default. */
  limit?: number | undefined
  /** Counts archived items too, or only them. */
  archived?: "include" | "only" | undefined
}

export interface LeadTimeInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** Only of these containers. */
  containerIds?: string[] | undefined
  /** The values to group by; month by default. */
  groupBy?: ("container" | "process" | "area" | "customer" | "assignee" | "priority" | "severity" | "day" | "week" | "month" | "quarter" | "year")[] | undefined
}

export interface TimeInStatusInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** Only of these containers. */
  containerIds?: string[] | undefined
  /** The values to group by; status by default. */
  groupBy?: ("container" | "process" | "area" | "customer" | "assignee" | "priority" | "severity" | "status" | "category")[] | undefined
}

export interface CumulativeFlowInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** Only of these containers. */
  containerIds?: string[] | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
}

export interface BurnInsightReport {
  /** The first day: the local day at this time. */
  startDate?: string | undefined
  /** The last day, inclusive. */
  endDate?: string | undefined
  cycleId?: string | undefined
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** Only of these containers. */
  containerIds?: string[] | undefined
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
}

export interface BacklogAgeInsightReport {
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** Only of these containers. */
  containerIds?: string[] | undefined
  /** The values to group by; age by default. */
  groupBy?: ("age" | "container" | "process" | "area" | "customer" | "assignee" | "priority" | "severity" | "status")[] | undefined
}

export interface SlaAttainmentInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** Only of these containers. */
  containerIds?: string[] | undefined
  /** The values to group by; clock, kind by default. */
  groupBy?: ("clock" | "target" | "kind" | "container" | "process" | "area" | "customer" | "assignee" | "priority" | "severity" | "day" | "week" | "month" | "quarter" | "year")[] | undefined
}

export interface FirstResponseInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** Only of these containers. */
  containerIds?: string[] | undefined
  /** The values to group by; month by default. */
  groupBy?: ("container" | "process" | "area" | "customer" | "assignee" | "priority" | "severity" | "channel" | "day" | "week" | "month" | "quarter" | "year")[] | undefined
}

export interface KnowledgeInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** The values to group by; document by default. */
  groupBy?: ("document" | "day" | "week" | "month" | "quarter" | "year")[] | undefined
}

export interface TeamTimesheetInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** Only of these containers. */
  containerIds?: string[] | undefined
  /** Only of these users. */
  userIds?: string[] | undefined
}

export interface UtilisationInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** Only of these users. */
  userIds?: string[] | undefined
  groupBy?: ("user" | "day" | "week" | "month" | "quarter" | "year")[] | undefined
}

export interface PlanVersusActualInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  groupBy?: ("user" | "container" | "crm" | "day" | "week" | "month")[] | undefined
}

export interface RealisationInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  groupBy?: ("crm" | "month")[] | undefined
}

export interface BudgetInsightReport {
  at?: string | undefined
  /** Only these budgets. */
  budgetIds?: string[] | undefined
  /** Only of these containers. */
  containerIds?: string[] | undefined
}

export interface CostCentersInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** Only of these containers. */
  containerIds?: string[] | undefined
  /** Only of these users. */
  userIds?: string[] | undefined
  /** The values to group by; costCenter by default. */
  groupBy?: ("costCenter" | "user" | "container" | "currency" | "day" | "week" | "month" | "quarter" | "year")[] | undefined
}

export interface AuditInsightReport {
  /** The first day: the local day at this time. */
  startDate: string
  /** The last day, inclusive. */
  endDate: string
  /** Of the days; by default that of the caller. */
  timezone?: unknown
  /** One of the groups must hold; a group holds if all its conditions do. At most 10 conditions look into texts, for 100 words. */
  conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined
  /** Only of these users. */
  userIds?: string[] | undefined
  /** The values to group by; actor, kind by default. */
  groupBy?: ("actor" | "actorKind" | "kind" | "entity" | "day" | "week" | "month" | "quarter" | "year")[] | undefined
}

export interface NewSavedReport {
  name: string
  description?: string | null | undefined
  /** The name of a report, such as `utilisation`; empty if it is a query. */
  report?: string | null | undefined
  /** The request of the report, as it is sent to `POST /api/insight/report/{name}`. */
  input?: Record<string, unknown> | null | undefined
  /** Gives the report its `startDate` and `endDate` on the day on which it runs, in its time zone; empty if `input` has them. */
  period?: "" | "today" | "yesterday" | "thisWeek" | "lastWeek" | "thisMonth" | "lastMonth" | "thisQuarter" | "lastQuarter" | "thisYear" | "lastYear" | undefined
  query?: { entity: "Item" | "Ticket" | "Time" | "Invoice" | "BudgetEntry" | "Event"; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; groupBy?: { field: string; bucket?: "day" | "week" | "month" | "quarter" | "year" | undefined; as?: string | undefined }[] | undefined; measures?: { op: "count" | "countDistinct" | "sum" | "avg" | "min" | "max" | "percentile"; field?: string | undefined; p?: number | undefined; as?: string | undefined }[] | undefined; timezone?: unknown; sort?: string | undefined; limit?: number | undefined; archived?: "include" | "only" | undefined } | null | undefined
  /** The users and groups with whom its owner shares it. */
  shared?: string[] | null | undefined
}

export interface PutInsightSaved {
  name?: string | undefined
  description?: string | null | undefined
  /** The name of a report, such as `utilisation`; empty if it is a query. */
  report?: string | null | undefined
  /** The request of the report, as it is sent to `POST /api/insight/report/{name}`. */
  input?: Record<string, unknown> | null | undefined
  /** Gives the report its `startDate` and `endDate` on the day on which it runs, in its time zone; empty if `input` has them. */
  period?: "" | "today" | "yesterday" | "thisWeek" | "lastWeek" | "thisMonth" | "lastMonth" | "thisQuarter" | "lastQuarter" | "thisYear" | "lastYear" | undefined
  query?: { entity: "Item" | "Ticket" | "Time" | "Invoice" | "BudgetEntry" | "Event"; conditionGroup?: { condition: { id?: string | undefined; leftSide: string; rightSide?: string | undefined; operator: number }[] }[] | undefined; groupBy?: { field: string; bucket?: "day" | "week" | "month" | "quarter" | "year" | undefined; as?: string | undefined }[] | undefined; measures?: { op: "count" | "countDistinct" | "sum" | "avg" | "min" | "max" | "percentile"; field?: string | undefined; p?: number | undefined; as?: string | undefined }[] | undefined; timezone?: unknown; sort?: string | undefined; limit?: number | undefined; archived?: "include" | "only" | undefined } | null | undefined
  /** The users and groups with whom its owner shares it. */
  shared?: string[] | null | undefined
}

export type BulkUser = { id?: string | null | undefined; name?: string | undefined; initials?: string | null | undefined; email?: unknown; locale?: string | null | undefined; timezone?: unknown; darkMode?: string | null | undefined; costCenter?: string | null | undefined; jobRole?: string | null | undefined; workingHours?: string | null | undefined; notifications?: boolean | null | undefined; superAdmin?: boolean | null | undefined; active?: boolean | null | undefined; locked?: string | null | undefined; kind?: number | null | undefined; role?: number | null | undefined; phone?: string | null | undefined; externalId?: string | null | undefined; login?: string | null | undefined; avatarFileId?: string | null | undefined; managerId?: string | null | undefined; crmId?: string | null | undefined; skills?: string[] | null | undefined; capacity?: { from: string; to?: string | null | undefined; minutesPerWeekday?: number[] | undefined; clockId?: string | undefined }[] | null | undefined; split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | null | undefined; absence?: { from: string; to?: string | null | undefined; kind?: number | undefined; note?: string | undefined; fromHalf?: number | undefined; toHalf?: number | undefined }[] | null | undefined; rates?: { from: string; to?: string | null | undefined; cost?: string | null | undefined; bill?: string | null | undefined; currency?: string | undefined }[] | null | undefined }[]

export type BulkLabel = { id?: string | null | undefined; name?: string | undefined; color?: string | null | undefined; description?: string | null | undefined; owner?: number | null | undefined; ownerId?: string | null | undefined; group?: string | null | undefined; exclusive?: boolean | null | undefined; aliases?: string[] | null | undefined; active?: boolean | null | undefined }[]

export type BulkContainer = { id?: string | null | undefined; key?: string | null | undefined; name?: string | undefined; description?: string | null | undefined; kind?: number | null | undefined; processIds?: string[] | null | undefined; defaultProcessId?: string | null | undefined; clockId?: string | null | undefined; crmId?: string | null | undefined; costCenter?: string | null | undefined; split?: { from: string; to?: string | null | undefined; shares: { costCenterId: string; percent: string }[] }[] | null | undefined; billable?: boolean | null | undefined; private?: boolean | null | undefined; startDate?: string | null | undefined; dueDate?: string | null | undefined; health?: number | null | undefined; healthNote?: string | null | undefined; budget?: { minutes?: number | undefined; amount?: number | undefined; currency?: string | undefined; resetPeriod?: number | undefined; alertAt?: number[] | undefined } | null | undefined; rounding?: { mode?: number | undefined; stepSeconds?: number | undefined; minimumSeconds?: number | undefined; per?: number | undefined; quantityDecimals?: number | undefined } | null | undefined; archived?: boolean | null | undefined; portal?: { enabled?: boolean | undefined; visitors?: boolean | undefined; types?: string[] | undefined } | null | undefined; template?: boolean | null | undefined }[]

export type BulkLink = { id?: string | null | undefined; fromId?: string | undefined; toId?: string | null | undefined; type?: string | null | undefined; note?: string | null | undefined; lagDays?: number | null | undefined; dependency?: number | null | undefined; external?: { url?: unknown; title?: string | undefined; system?: string | undefined; key?: string | undefined } | null | undefined }[]

export type BulkAnnotation = { id?: unknown; itemId?: string | null | undefined; owner?: number | null | undefined; ownerId?: string | null | undefined; kind?: number | null | undefined; body?: string | undefined; bodyFormat?: "markdown" | "html" | "text" | undefined; authorId?: string | null | undefined; via?: number | null | undefined; replyToId?: string | null | undefined; restrictedTo?: string[] | null | undefined; attachments?: string[] | null | undefined; mentions?: string[] | null | undefined; mail?: { messageId?: string | undefined; inReplyTo?: string | undefined; to?: string[] | undefined; cc?: string[] | undefined; headers?: Record<string, unknown> | undefined } | null | undefined; timeId?: string | null | undefined; anchor?: { from?: number | undefined; to?: number | undefined; quote?: string | undefined; version?: number | undefined } | null | undefined }[]

export interface ApplyConfig {
  document: Configuration
  /** The hash of the reviewed plan. */
  planHash?: string | undefined
  /** Also removes records that the document does not list, for the kinds in the document. */
  remove?: boolean | undefined
}

export interface NewBatchReply {
  operations: { method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; path: string; body?: unknown; as?: string | undefined; ifVersion?: number | undefined }[]
}

export interface NewBegunVisitorChat {
  /** The service desk. */
  containerId: string
  name: string
  email?: unknown
  text: string
}

export interface TicketPortal {
  /** The service desk. */
  containerId: string
  /** The type; by default that of the desk. */
  processId?: string | undefined
  name: string
  email: unknown
  /** Of the articles that were suggested for the request. */
  session?: string | undefined
  title: string
  description?: string | undefined
  /** Values of custom fields, by `fieldId`, `key` or `name`. */
  Field?: Record<string, unknown>[] | undefined
}
